/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_TASK_QUEUE_H
#define NFSRDMA_NFS_V4_CLIENT_TASK_QUEUE_H

#include "nfs/v4/client/session-slots.h"
#include "nfs/v4/client/task.h"
#include "wire/ring.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief The tasks of a client from submission to end: those that wait for recovery or a slot,
 * those under way, and those that wait to be made again.
 *
 * From NFSv4.1 on a task waits for a slot, and SEQUENCE is put in front. A task that the server
 * asks to delay is made again with back-off, one that was refused for a stateid, client ID or
 * session is made again after recovery. Before NFSv4.1 the calls of an owner go one at a time, with
 * its seqid.
 */
class Nfs4TaskQueue
{
  public:
    using SlotFailed = TracedCallback<uint32_t, Nfs4SlotVerdict>;
    using TaskDone = std::function<void(const Nfs4TaskReply& reply)>;

    /// \param client whose tasks they are; owns this
    /// \param slotFailed is told of each SEQUENCE that did not end with OK
    Nfs4TaskQueue(Nfs4CompoundClient& client, const SlotFailed& slotFailed);

    /// Takes a task; task->done is called once, later.
    void Submit(const Nfs4TaskPtr& task);
    /// Submits a step of recovery.
    void Ask(const Nfs4TaskPtr& task, TaskDone done);
    /// The same without SEQUENCE.
    void AskSessionless(const Nfs4TaskPtr& task, TaskDone done);
    /// Calls the procedure NULL.
    void Ping(std::function<void(RpcOutcome outcome)> done);
    /// Sends what need not wait any more.
    void Pump();
    /// Ends all that wait for recovery.
    void EndWaiting(RpcOutcome outcome, Nfs4Status status);
    /// The host has crashed: tasks that were sent end with CANCELLED when their calls do, steps of
    /// recovery that wait at once. No slot is in use.
    void Crash();
    /// Forgets all that wait.
    void Clear();

    /// \return tasks submitted and not ended, those of recovery included.
    [[nodiscard]] uint32_t GetPending() const
    {
        return m_pending;
    }

    /// \return whether calls are under way, or slots in use.
    [[nodiscard]] bool IsBusy() const;

    /// \return whether a call of slot \p slot with that sequence number is under way.
    [[nodiscard]] bool IsUnderWay(uint32_t slot, uint32_t sequence) const
    {
        return m_underWay.count({slot, sequence}) != 0;
    }

    /// Adds one line for each thing that keeps tasks waiting here.
    void Describe(std::vector<std::string>& lines) const;

  private:
    void Enqueue(const Nfs4TaskPtr& task);
    /// Of a task with an owner that is to be sent: \return true when it is to wait until it is its
    /// turn, from where it goes on by itself.
    [[nodiscard]] bool AwaitsTurn(const Nfs4TaskPtr& task);
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
    /// The host has crashed since the task was sent.
    void EndLost(const Nfs4TaskPtr& task);

    Nfs4CompoundClient& m_client;
    const SlotFailed& m_slotFailed;
    Ring<Nfs4TaskPtr> m_waiting;
    Ring<Nfs4TaskPtr> m_privileged;
    std::set<std::pair<uint32_t, uint32_t>> m_underWay; ///< Slots and sequence numbers.
    uint32_t m_inFlight{0}; ///< Tasks sent that are no steps of recovery.
    uint32_t m_delayed{0};  ///< Tasks that wait to be made again.
    uint32_t m_pending{0};
    uint64_t m_crashes{0}; ///< Of the host.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_TASK_QUEUE_H
