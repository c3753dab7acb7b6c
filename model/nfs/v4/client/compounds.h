/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_COMPOUNDS_H
#define NFSRDMA_NFS_V4_CLIENT_COMPOUNDS_H

#include "host/memory.h"
#include "nfs/v4/client/lease.h"
#include "nfs/v4/client/offload-table.h"
#include "nfs/v4/client/open-state.h"
#include "nfs/v4/client/recovery-plan.h"
#include "nfs/v4/client/session-slots.h"
#include "nfs/v4/client/task.h"
#include "rpc/client.h"
#include "rpc/server.h"

#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Nfs4CallbackProgram;

/**
 * \brief An NFSv4 client of one server, versions 4.0 to 4.2, as Linux's: its client ID and lease,
 * its session, what it holds at the server, and the COMPOUNDs that it sends.
 *
 *               Start()                        lease, session, reclaim complete
 *     STOPPED ----------> RECOVERING ----------------------------------------------> RUNNING
 *        ^                  ^    |  an error, or a flag of SEQUENCE:                     |
 *        |                  |    |  calls wait until the steps of Nfs4RecoveryPlan       |
 *        |                  |    |  have been carried out                                |
 *        |                  |    +------------------------------------------------------>|
 *        |                  +------------------------------------------------------------+
 *        |  Stop(): delegations returned, session and client ID destroyed                |
 *        +-------------------------------------------------------------------------------+
 *
 * Submit() takes a task; from NFSv4.1 on it waits for a slot, and SEQUENCE is put in front. A task
 * that the server asks to delay is made again with back-off, one that was refused for a stateid,
 * client ID or session is made again after recovery. Before NFSv4.1 the calls of an owner go one
 * at a time, with its seqid.
 *
 * The lease is renewed at two thirds of its time when nothing else has renewed it, with SEQUENCE
 * alone or RENEW; timers end with Stop().
 *
 * Attributes: MinorVersion, Slots, AclRoom, ReduceReadlink, RetryDelay and RetryDelayMaximum
 * (Time).
 */
class Nfs4CompoundClient : public Object
{
  public:
    static TypeId GetTypeId();
    Nfs4CompoundClient();
    ~Nfs4CompoundClient() override;

    /// The RPC client of this program; its program and version are set here.
    void SetRpcClient(Ptr<RpcClient> client);
    [[nodiscard]] Ptr<RpcClient> GetRpcClient() const;
    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory);
    [[nodiscard]] Ptr<HostMemory> GetHostMemory() const;
    /// \param host this host's name, in the client's owner string and in callbacks' credentials
    /// \param server the server's address as text, in NFSv4.0's owner string
    void SetNames(const std::string& host, const std::string& server);
    /// The largest READ or WRITE there will be, octets: what the session is to have room for. Up to
    /// Linux's 1 MiB it has anyway.
    void SetLargestTransfer(uint32_t octets);
    /// Serves the callback program on \p server: from NFSv4.1 on that of the connection's reverse
    /// direction, before that one that listens at \p address.
    void SetCallbackServer(Ptr<RpcServer> server, const NetAddr4& address = {});
    [[nodiscard]] Ptr<Nfs4CallbackProgram> GetCallbackProgram() const;
    /// \return where the callback program is served, before NFSv4.1.
    [[nodiscard]] const NetAddr4& GetCallbackAddress() const;

    [[nodiscard]] uint32_t GetMinorVersion() const;
    [[nodiscard]] bool HasSessions() const;

    using Done = std::function<void(RpcOutcome outcome, Nfs4Status status)>;
    /// Gets a client ID and a session. \p done is called once, later.
    void Start(Done done);
    /// Returns delegations, gives up session and client ID. No task may be pending or follow.
    void Stop(Done done);
    [[nodiscard]] bool IsRunning() const;

    /// Takes a task; task->done is called once, later.
    void Submit(const Nfs4TaskPtr& task);
    /// \return tasks submitted and not ended, those of recovery included.
    [[nodiscard]] uint32_t GetPending() const;
    /// \return one line for what keeps tasks waiting here: slots, recovery, a delay.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

    [[nodiscard]] Nfs4HeldState& GetHeld();
    /// NFSv4.0: the owner of all opens here.
    [[nodiscard]] const std::shared_ptr<Nfs4SeqidOwner>& GetOpenOwner() const;
    /// \return the name of the open owner, or of lock owner \p number, with the client ID.
    [[nodiscard]] Nfs4StateOwner MakeOpenOwner() const;
    [[nodiscard]] Nfs4StateOwner MakeLockOwner(uint32_t number) const;
    /// \return a number for another lock owner.
    [[nodiscard]] uint32_t TakeLockOwner();
    /// \return OPEN of \p open for \p access with what all OPENs have in common.
    [[nodiscard]] OpenArgs4 MakeOpen(uint32_t access) const;
    /// \return LOCK of \p lock for those who have \p open.
    [[nodiscard]] LockArgs4 MakeLock(const Nfs4HeldState::OpenPtr& open,
                                     const Nfs4HeldLock& lock,
                                     bool reclaim);
    /// NFSv4.0: confirms \p open when the result of OPEN asks for it. \p done is called from within
    /// when it does not.
    void ConfirmOpen(const Nfs4HeldState::OpenPtr& open,
                     const OpenRes4& result,
                     std::function<void()> done);
    /// Takes what OPEN gave: its stateid for \p access, and a delegation.
    void TakeOpen(const Nfs4HeldState::OpenPtr& open, const OpenRes4& result, uint32_t access);
    /// The lease has been found to be of that period.
    void SetLeasePeriod(Time period);
    [[nodiscard]] const Nfs4Lease& GetLease() const;

    /// Gives a delegation back, after its opens have been made the server's. \p done may be null.
    void ReturnDelegation(const Nfs4HeldState::DelegationPtr& delegation,
                          std::function<void()> done);

    /// Asynchronous COPYs under way.
    [[nodiscard]] Nfs4OffloadTable& GetOffloads();
    using LockNotice = std::function<void(const CbNotifyLockArgs4& notice)>;
    /// Who is told of each CB_NOTIFY_LOCK; null: nobody.
    void SetLockNotice(LockNotice notice);

    // What the server asks for.

    /// CB_NOTIFY_LOCK.
    void NotifyLock(const CbNotifyLockArgs4& notice);

    /// CB_SEQUENCE: \return whether \p session is the one there is.
    [[nodiscard]] bool IsSession(const Nfs4SessionId& session) const;
    /// \return whether a call of slot \p slot with that sequence number is under way.
    [[nodiscard]] bool IsUnderWay(uint32_t slot, uint32_t sequence) const;
    /// CB_RECALL. \return its status.
    Nfs4Status Recall(const Nfs4Fh& file, const Nfs4StateId& stateid);
    /// CB_RECALL_ANY: returns delegations until \p keep are left.
    void RecallAny(uint32_t keep);
    /// CB_RECALL_SLOT.
    void RecallSlots(uint32_t target);

    [[nodiscard]] const Nfs4ClientSlotTable& GetSlots() const;
    [[nodiscard]] uint64_t GetRecoveries() const;

    /// Trace source "StepDone": a step of recovery has ended.
    typedef void (*StepDoneTracedCallback)(Nfs4RecoveryStep step, Nfs4Status status);
    /// Trace source "SlotFailed": SEQUENCE did not end with OK; slot and verdict.
    typedef void (*SlotFailedTracedCallback)(uint32_t slot, Nfs4SlotVerdict verdict);
    /// Trace source "Recalled": the server wants a delegation back.
    typedef void (*RecalledTracedCallback)(const Nfs4StateId& stateid);

  private:
    /// What is done when a step's task has ended; its status when the RPC did not fail.
    using StepReply = std::function<void(const Nfs4TaskReply& reply)>;
    using Builder = std::function<void(Compound4Args& compound)>;

    void DoDispose() override;

    // compounds-tasks.cc: tasks and slots.
    void Enqueue(const Nfs4TaskPtr& task);
    void Pump();
    void Send(const Nfs4TaskPtr& task);
    void HandleReply(const Nfs4TaskPtr& task,
                     RpcRecord& record,
                     const RpcReceivedMessage& message,
                     XdrReader& reader);
    /// \return whether the task goes on to look at its operations.
    bool FinishSlot(const Nfs4TaskPtr& task, const Compound4Res* results);
    void ReleaseSlot(Nfs4Task& task);
    void Probe(uint32_t slot);
    /// \return whether the task is to be made again because of \p status.
    bool HandleStatus(const Nfs4TaskPtr& task, Nfs4Status status);
    void MakeAgain(const Nfs4TaskPtr& task, Time delay);
    void End(const Nfs4TaskPtr& task, const Nfs4TaskReply& reply);
    void EndWaiting(RpcOutcome outcome, Nfs4Status status);
    void ScheduleRecovery();
    /// Goes on with recovery when it has waited for calls to end.
    void WakeRecovery();
    /// \return whether calls are under way, or slots in use.
    [[nodiscard]] bool IsBusy() const;

    // compounds-recovery.cc: steps of recovery.
    void Recover();
    void CarryOut(Nfs4RecoveryStep step);
    void FinishStep(Nfs4RecoveryStep step, const Nfs4TaskReply& reply);
    void FinishStep(Nfs4RecoveryStep step, RpcOutcome outcome, Nfs4Status status);
    void EndRecovery(RpcOutcome outcome, Nfs4Status status);
    void Ask(Builder build, StepReply done, bool sessionless = false, bool cacheThis = false);
    void ExchangeId(StepReply done);
    void CreateSession(Nfs4RecoveryStep step);
    void SetClientId(Nfs4RecoveryStep step);
    void GetLeaseTime(Nfs4RecoveryStep step);
    void ResetSession();
    /// Binds connection \p path and all that follow, one after the other.
    void BindConnections(RpcPath path);
    void CheckLease();
    void PurgeState();
    void Destroy();
    void EndStop(RpcOutcome outcome, Nfs4Status status);
    void ResetCallbackSlots(uint32_t slots);
    void ScheduleRenewal();
    void RenewLease();

    // compounds-reclaim.cc: opens and delegations.
    void ReclaimNext(Nfs4RecoveryStep step);
    void ReclaimOpen(const Nfs4HeldState::OpenPtr& open);
    void OpenAnew(const Nfs4HeldState::OpenPtr& open);
    void TestOpen(const Nfs4HeldState::OpenPtr& open);
    void ReclaimLock(Nfs4RecoveryStep step, const Nfs4HeldState::OpenPtr& open, std::size_t index);
    void EndReclaim();
    void TestDelegations();
    void DropRevoked(const Nfs4HeldState::DelegationPtr& delegation);
    void ClaimOpens(const Nfs4HeldState::DelegationPtr& delegation);
    void SendDelegReturn(const Nfs4HeldState::DelegationPtr& delegation);
    void ReturnAll(std::function<void()> done);

    uint32_t m_minorVersion{1};
    uint32_t m_slotsWanted{64};
    Time m_retryDelay;
    Time m_retryDelayMaximum;

    Ptr<RpcClient> m_rpc;
    Ptr<HostMemory> m_memory;
    Ptr<Nfs4CallbackProgram> m_callback;
    std::string m_hostName{"client"};
    std::string m_serverName{"server"};
    NetAddr4 m_callbackAddress;

    bool m_started{false}; ///< Between Start() and the end of Stop().
    bool m_stopping{false};
    bool m_recovering{false}; ///< A step is being carried out.
    bool m_draining{false};   ///< A step waits for slots to be free.
    bool m_leaseKnown{false}; ///< The server has said how long it is.
    Done m_startDone;
    Done m_stopDone;
    Nfs4RecoveryPlan m_plan{true};
    uint64_t m_recoveries{0};
    uint32_t m_attempts{0}; ///< Steps carried out since the last call that was not one.

    Nfs4Verifier m_bootVerifier{};
    Nfs4ClientId m_clientId{0};
    uint32_t m_clientSequence{0};  ///< For CREATE_SESSION.
    bool m_clientConfirmed{false}; ///< A session has been made with it.
    Nfs4SessionId m_session{};
    bool m_hasSession{false};
    bool m_hasBackChannel{false}; ///< The server takes the main connection for it.
    uint32_t m_maxResponseSize{0};
    uint32_t m_aclRoom{0};
    uint32_t m_largestTransfer{0};
    bool m_reduceReadlink{false};
    Nfs4ClientSlotTable m_slots;
    Nfs4Lease m_lease;
    EventId m_renewal;
    EventId m_recovery;
    bool m_renewing{false};

    std::deque<Nfs4TaskPtr> m_waiting;
    std::deque<Nfs4TaskPtr> m_privileged;
    std::set<std::pair<uint32_t, uint32_t>> m_underWay; ///< Slots and sequence numbers.
    uint32_t m_inFlight{0}; ///< Tasks sent that are no steps of recovery.
    uint32_t m_delayed{0};  ///< Tasks that wait to be made again.
    uint32_t m_pending{0};

    Nfs4HeldState m_held;
    Nfs4OffloadTable m_offloads;
    LockNotice m_lockNotice;
    std::shared_ptr<Nfs4SeqidOwner> m_openOwner;
    uint32_t m_openOwnerNumber{1};
    uint32_t m_lockOwners{0};

    TracedCallback<Nfs4RecoveryStep, Nfs4Status> m_stepDoneTrace;
    TracedCallback<uint32_t, Nfs4SlotVerdict> m_slotFailedTrace;
    TracedCallback<const Nfs4StateId&> m_recalledTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_COMPOUNDS_H
