/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_COMPOUNDS_H
#define NFSRDMA_NFS_V4_CLIENT_COMPOUNDS_H

#include "host/memory.h"
#include "nfs/v4/client/held-delegations.h"
#include "nfs/v4/client/held-session.h"
#include "nfs/v4/client/lease-renewal.h"
#include "nfs/v4/client/offload-table.h"
#include "nfs/v4/client/open-state.h"
#include "nfs/v4/client/state-manager.h"
#include "nfs/v4/client/state-owners.h"
#include "nfs/v4/client/task-queue.h"
#include "nfs/v4/protocol/reply-size.h"
#include "rpc/client.h"
#include "rpc/server.h"
#include "settings/setting.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

class Nfs4CallbackProgram;

/// What a client tells the server of itself and its mount.
struct Nfs4ClientIdentity
{
    std::string host{"client"};   ///< Its name, in the owner string and in callbacks' credentials.
    std::string server{"server"}; ///< The server's address as text, in NFSv4.0's owner string.
    NetAddr4 callbackAddress;     ///< Where the callback program is served, before NFSv4.1.
    /// The largest READ or WRITE there will be, octets: what the session is to have room for. Up to
    /// Linux's 1 MiB it has anyway.
    uint32_t largestTransfer{0};
};

/**
 * \brief An NFSv4 client of one server, versions 4.0 to 4.2, as Linux's: its client ID and lease,
 * its session, what it holds at the server, and the COMPOUNDs that it sends. The parts that do it
 * share the client, and reach each other through it.
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
 * Attributes: MinorVersion, Slots, AclRoom, ReduceReadlink, ReplyEstimate (linux or xdr),
 * RetryDelay and RetryDelayMaximum (Time).
 */
class Nfs4CompoundClient : public Object
{
  public:
    /// What can be set: compounds.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#include "nfs/v4/client/compounds.def"
#undef SETTING

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();
    Nfs4CompoundClient();
    ~Nfs4CompoundClient() override;

    /// The RPC client of this program; its program and version are set here.
    void SetRpcClient(Ptr<RpcClient> client);

    /// \return null once disposed of.
    [[nodiscard]] const Ptr<RpcClient>& GetRpcClient() const
    {
        return m_rpc;
    }

    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    [[nodiscard]] const Ptr<HostMemory>& GetHostMemory() const
    {
        return m_memory;
    }

    /// See Nfs4ClientIdentity.
    void SetNames(const std::string& host, const std::string& server);

    void SetLargestTransfer(uint32_t octets)
    {
        m_identity.largestTransfer = octets;
    }

    [[nodiscard]] const Nfs4ClientIdentity& GetIdentity() const
    {
        return m_identity;
    }

    /// Serves the callback program on \p server: from NFSv4.1 on that of the connection's reverse
    /// direction, before that one that listens at \p address.
    void SetCallbackServer(Ptr<RpcServer> server, const NetAddr4& address = {});

    [[nodiscard]] const Ptr<Nfs4CallbackProgram>& GetCallbackProgram() const
    {
        return m_callback;
    }

    [[nodiscard]] uint32_t GetMinorVersion() const
    {
        return m_settings.minorVersion;
    }

    [[nodiscard]] bool HasSessions() const
    {
        return m_settings.minorVersion != 0;
    }

    [[nodiscard]] uint32_t GetSlotsWanted() const
    {
        return m_settings.slots;
    }

    /// \return what bounds replies.
    [[nodiscard]] Nfs4ReplyLimits GetReplyLimits() const;

    [[nodiscard]] Nfs4ReplySizePolicy GetReplyEstimate() const
    {
        return m_settings.replyEstimate;
    }

    /// \return how long a call waits that the server asked to delay, after it has waited \p delay.
    [[nodiscard]] Time GetNextDelay(Time delay) const;

    // Its parts.

    [[nodiscard]] Nfs4StateManager& GetManager()
    {
        return m_manager;
    }

    [[nodiscard]] Nfs4TaskQueue& GetTasks()
    {
        return m_tasks;
    }

    [[nodiscard]] Nfs4ClientSession& GetSession()
    {
        return m_session;
    }

    [[nodiscard]] Nfs4LeaseRenewal& GetRenewal()
    {
        return m_renewal;
    }

    [[nodiscard]] Nfs4StateOwners& GetOwners()
    {
        return m_owners;
    }

    [[nodiscard]] Nfs4HeldState& GetHeld()
    {
        return m_held;
    }

    [[nodiscard]] Nfs4HeldDelegations& GetDelegations()
    {
        return m_delegations;
    }

    /// Asynchronous COPYs under way.
    [[nodiscard]] Nfs4OffloadTable& GetOffloads()
    {
        return m_offloads;
    }

    /// The host has crashed: lease, session, opens, locks and delegations are forgotten; tasks that
    /// were sent end with CANCELLED, others wait for Boot().
    void Crash();
    /// The host is there again: introduces itself with another boot verifier, for which the server
    /// drops what it kept, then opens what is still open here (RECLAIM_NOGRACE).
    void Boot();

    using LockNotice = std::function<void(const CbNotifyLockArgs4& notice)>;

    /// Who is told of each CB_NOTIFY_LOCK; null: nobody.
    void SetLockNotice(LockNotice notice)
    {
        m_lockNotice = std::move(notice);
    }

    /// CB_NOTIFY_LOCK.
    void NotifyLock(const CbNotifyLockArgs4& notice);
    /// CB_RECALL_SLOT.
    void RecallSlots(uint32_t target);

    /// \return one line for what keeps tasks waiting here: slots, recovery, a delay.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

    /// Trace source "StepDone": a step of recovery has ended.
    typedef void (*StepDoneTracedCallback)(Nfs4RecoveryStep step, Nfs4Status status);
    /// Trace source "SlotFailed": SEQUENCE did not end with OK; slot and verdict.
    typedef void (*SlotFailedTracedCallback)(uint32_t slot, Nfs4SlotVerdict verdict);
    /// Trace source "Recalled": the server wants a delegation back.
    typedef void (*RecalledTracedCallback)(const Nfs4StateId& stateid);

  private:
    void DoDispose() override;

    Ptr<RpcClient> m_rpc;
    Ptr<HostMemory> m_memory;
    Ptr<Nfs4CallbackProgram> m_callback;
    Settings m_settings;
    Nfs4ClientIdentity m_identity;
    LockNotice m_lockNotice;

    Nfs4StateManager::StepDone m_stepDoneTrace;
    Nfs4TaskQueue::SlotFailed m_slotFailedTrace;
    TracedCallback<const Nfs4StateId&> m_recalledTrace;

    Nfs4StateManager m_manager{*this, m_stepDoneTrace};
    Nfs4TaskQueue m_tasks{*this, m_slotFailedTrace};
    Nfs4ClientSession m_session{*this};
    Nfs4LeaseRenewal m_renewal{*this};
    Nfs4StateOwners m_owners{*this};
    Nfs4HeldState m_held;
    Nfs4HeldDelegations m_delegations{*this, m_recalledTrace};
    Nfs4OffloadTable m_offloads;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_COMPOUNDS_H
