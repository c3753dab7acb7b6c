/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/task-queue.h"

#include "nfs/v3/status3.h"
#include "nfs/v4/client/compounds.h"
#include "nfs/v4/protocol/linux-call-size.h"
#include "nfs/v4/protocol/reply-size.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Linux's NFS4_POLL_RETRY_MAX: how long a call waits for the slot it is to be repeated in.
const Time SLOT_RETRY_DELAY = Seconds(15);
/// After so many recoveries for one task its error is the caller's.
constexpr uint32_t MAX_RECOVERIES = 16;

const Compound4Res NO_RESULTS;

bool
IsReadClass(const Nfs4ArgOp& op)
{
    return GivesItem(GetOp(op));
}

/// \return the status of the operation that takes an open owner's seqid, when it was come to.
std::optional<Nfs4Status>
FindSeqidStatus(const Compound4Res& results)
{
    for (const Nfs4ResOp& result : results.ops)
    {
        switch (GetOp(result))
        {
        case Nfs4Op::OPEN:
        case Nfs4Op::OPEN_CONFIRM:
        case Nfs4Op::OPEN_DOWNGRADE:
        case Nfs4Op::CLOSE:
        case Nfs4Op::LOCK:
            return GetStatus(result);
        default:
            break;
        }
    }
    return std::nullopt;
}

/// \return the status of the operation that takes a lock owner's seqid.
std::optional<Nfs4Status>
FindLockStatus(const Compound4Res& results)
{
    for (const Nfs4ResOp& result : results.ops)
    {
        if (GetOp(result) == Nfs4Op::LOCK || GetOp(result) == Nfs4Op::LOCKU)
        {
            return GetStatus(result);
        }
    }
    return std::nullopt;
}

bool
NeedsOwner(const Nfs4Task& task)
{
    return task.owner && (!task.needsOwner || task.needsOwner());
}

/// \return whether the server may have carried out a sequenced operation that it gave no result
/// of. \param decoded results were there, but they end before the operation
bool
MayBeDone(const RpcRecord& record, bool decoded)
{
    const bool refused = decoded || record.outcome == RpcOutcome::REJECTED;
    return !refused || record.transmissions > 1;
}

void
CountSeqid(Nfs4Seqid& seqid, const std::optional<Nfs4Status>& status, bool mayBeDone)
{
    if (status)
    {
        seqid.Answered(*status);
    }
    else if (mayBeDone)
    {
        seqid.Unanswered();
    }
}

bool
IsAboutStateId(Nfs4Status status)
{
    return status == Nfs4Status::BAD_STATEID || status == Nfs4Status::STALE_STATEID ||
           status == Nfs4Status::EXPIRED || status == Nfs4Status::ADMIN_REVOKED ||
           status == Nfs4Status::DELEG_REVOKED;
}

} // namespace

Nfs4TaskQueue::Nfs4TaskQueue(Nfs4CompoundClient& client, const SlotFailed& slotFailed)
    : m_client(client),
      m_slotFailed(slotFailed)
{
}

void
Nfs4TaskQueue::Clear()
{
    m_waiting.clear();
    m_privileged.clear();
}

void
Nfs4TaskQueue::Crash()
{
    ++m_crashes;
    m_underWay.clear();
    Ring<Nfs4TaskPtr> ended;
    ended.swap(m_privileged);
    for (const auto& task : ended)
    {
        EndLost(task);
    }
}

void
Nfs4TaskQueue::Ask(const Nfs4TaskPtr& task, TaskDone done)
{
    task->privileged = true;
    task->done = std::move(done);
    Submit(task);
}

void
Nfs4TaskQueue::AskSessionless(const Nfs4TaskPtr& task, TaskDone done)
{
    task->sessionless = true;
    Ask(task, std::move(done));
}

void
Nfs4TaskQueue::Ping(std::function<void(RpcOutcome outcome)> done)
{
    ++m_pending;
    m_client.GetRpcClient()->Call(
        NFSPROC4_NULL,
        {},
        RpcReplyEstimate{RpcReplyHeader::ACCEPTED_SIZE, {}, 0, RpcReplyHeader::ACCEPTED_SIZE, true},
        [this, kept = Ptr<Nfs4CompoundClient>(&m_client), done = std::move(done)](
            RpcRecord& record,
            const RpcReceivedMessage& /* message */,
            XdrReader& /* reader */) {
            --m_pending;
            done(record.outcome);
        });
}

void
Nfs4TaskQueue::Submit(const Nfs4TaskPtr& task)
{
    ++m_pending;
    if (!NeedsOwner(*task) || task->privileged)
    {
        Enqueue(task);
        return;
    }
    const auto start = [this, kept = Ptr<Nfs4CompoundClient>(&m_client), task] {
        task->hasTurn = true;
        Enqueue(task);
    };
    if (task->next)
    {
        task->owner->EnqueueNext(start);
        return;
    }
    task->owner->Enqueue(start);
}

bool
Nfs4TaskQueue::AwaitsTurn(const Nfs4TaskPtr& task)
{
    const bool needs = NeedsOwner(*task);
    task->takesSeqid = needs;
    if (task->hasTurn && !needs)
    {
        task->hasTurn = false;
        task->owner->Finish();
    }
    if (!needs || task->hasTurn || task->privileged)
    {
        return false;
    }
    task->owner->Enqueue([this, kept = Ptr<Nfs4CompoundClient>(&m_client), task] {
        task->hasTurn = true;
        m_waiting.push_front(task);
        Pump();
    });
    return true;
}

void
Nfs4TaskQueue::Enqueue(const Nfs4TaskPtr& task)
{
    task->arrived = m_client.GetRpcClient()->GetArrival();
    task->asked = Simulator::Now();
    (task->privileged ? m_privileged : m_waiting).push_back(task);
    Pump();
}

void
Nfs4TaskQueue::Pump()
{
    while (!m_privileged.empty() ||
           (!m_waiting.empty() && !m_client.GetManager().Plan().IsRecovering()))
    {
        auto& queue = m_privileged.empty() ? m_waiting : m_privileged;
        const Nfs4TaskPtr task = queue.front();
        if (!m_client.HasSessions() && task->owner)
        {
            queue.pop_front();
            if (!AwaitsTurn(task))
            {
                Send(task);
            }
            continue;
        }
        if (m_client.HasSessions() && !task->sessionless && !task->slot)
        {
            const auto use = m_client.GetSession().GetSlots().Allocate();
            if (!use)
            {
                return;
            }
            task->slot = use->slot;
        }
        queue.pop_front();
        Send(task);
    }
}

void
Nfs4TaskQueue::Send(const Nfs4TaskPtr& task)
{
    if (task->obsolete && task->obsolete())
    {
        if (task->slot)
        {
            ReleaseSlot(*task);
        }
        const RpcReceivedMessage message;
        End(task, {RpcOutcome::SUCCESS, Nfs4Status::OK, NO_RESULTS, message});
        return;
    }
    Compound4Args compound;
    compound.minorVersion = m_client.GetMinorVersion();
    if (task->slot)
    {
        const Nfs4SlotUse use = m_client.GetSession().GetSlots().Reuse(*task->slot);
        SequenceArgs4 sequence;
        sequence.sessionId = m_client.GetSession().GetSessionId();
        sequence.sequenceId = use.sequence;
        sequence.slotId = use.slot;
        sequence.highestSlotId = use.highestUsed;
        sequence.cacheThis = task->cacheThis;
        compound.ops.emplace_back(sequence);
        task->sequence = use.sequence;
        m_underWay.emplace(use.slot, use.sequence);
    }
    if (task->build)
    {
        task->build(compound);
    }
    const bool alone = task->sessionless || (task->slot && compound.ops.size() == 1);
    task->procedure = FindNfs4ClientProcedure(compound);
    XdrWriter writer;
    std::vector<uint32_t> reducedAt;
    compound.Encode(writer, &reducedAt);
    RpcArguments arguments;
    arguments.octets = writer.Take();
    arguments.room = GetNfs4LinuxCallSize(task->procedure);
    for (std::size_t i = 0; i < reducedAt.size() && i < task->items.size(); ++i)
    {
        RpcDataItem item = task->items[i];
        item.offset = reducedAt[i];
        if (item.length != 0)
        {
            arguments.items.push_back(std::move(item));
        }
    }
    RpcReplyEstimate estimate =
        EstimateNfs4Reply(compound, m_client.GetReplyLimits(), m_client.GetReplyEstimate());
    const bool hasPlaces =
        std::any_of(compound.ops.begin(), compound.ops.end(), IsReadClass) && !task->places.empty();
    // Where items of the reply are, until their program has been told.
    std::vector<std::shared_ptr<HostBuffer>> kept;
    for (std::size_t i = 0; i < estimate.items.size(); ++i)
    {
        RpcReplyItem& item = estimate.items[i];
        if (hasPlaces && i < task->places.size())
        {
            item.address = task->places[i].address;
            item.owner = task->places[i].owner;
            continue;
        }
        item.owner =
            std::make_shared<HostBuffer>(m_client.GetHostMemory(), std::max(item.maximum, 1U));
        item.address = item.owner->GetAddress();
        kept.push_back(item.owner);
    }
    task->sent = Simulator::Now();
    task->crashes = m_crashes;
    if (!task->privileged)
    {
        ++m_inFlight;
    }
    m_client.GetRpcClient()->Call(
        NFSPROC4_COMPOUND,
        std::move(arguments),
        std::move(estimate),
        [this, client = Ptr<Nfs4CompoundClient>(&m_client), task, kept = std::move(kept)](
            RpcRecord& record,
            const RpcReceivedMessage& message,
            XdrReader& reader) { HandleReply(task, record, message, reader); },
        task->path.value_or(alone ? RPC_PATH_MAIN : RPC_PATH_ANY));
}

void
Nfs4TaskQueue::HandleReply(const Nfs4TaskPtr& task,
                           RpcRecord& record,
                           const RpcReceivedMessage& message,
                           XdrReader& reader)
{
    record.operation = static_cast<uint32_t>(task->procedure);
    record.arrived = std::min(task->arrived, record.submitted);
    record.asked = std::min(task->asked, record.submitted);
    if (!task->privileged)
    {
        --m_inFlight;
    }
    if (task->crashes != m_crashes)
    {
        EndLost(task);
        return;
    }
    Decoded<Compound4Res> decoded = tl::make_unexpected(WireError::TRUNCATED);
    if (record.outcome == RpcOutcome::SUCCESS)
    {
        Nfs4DataItems items = Nfs4DataItems::OfReply(message);
        decoded = Compound4Res::Decode(reader, &items);
        if (decoded)
        {
            record.programStatus = static_cast<uint32_t>(decoded->status);
        }
        else
        {
            record.outcome = RpcOutcome::BAD_REPLY;
        }
    }
    const Compound4Res& results = decoded ? *decoded : NO_RESULTS;
    if (task->slot)
    {
        m_underWay.erase({*task->slot, task->sequence});
        if (!FinishSlot(task, decoded ? &results : nullptr))
        {
            return;
        }
    }
    const bool mayBeDone = MayBeDone(record, decoded.has_value());
    if (task->takesSeqid)
    {
        CountSeqid(task->owner->Seqid(), FindSeqidStatus(results), mayBeDone);
    }
    if (task->locked && !m_client.HasSessions())
    {
        CountSeqid(task->locked->lockSeqid, FindLockStatus(results), mayBeDone);
    }
    const bool unkept = decoded && results.status == Nfs4Status::RETRY_UNCACHED_REP;
    if (unkept && record.transmissions > 1 && !m_client.GetManager().IsStopping())
    {
        // Its reply was lost: that may happen any number of times.
        task->recoveries = std::max(task->recoveries, 1U);
        MakeAgain(task, Time());
        return;
    }
    if (decoded && HandleStatus(task, results.status))
    {
        return;
    }
    if (!m_client.HasSessions() && decoded && results.status == Nfs4Status::OK && task->renewsLease)
    {
        m_client.GetRenewal().Renewed(task->sent);
    }
    const bool repeated = record.transmissions > 1 || task->recoveries > 0;
    End(task, {record.outcome, results.status, results, message, repeated});
}

bool
Nfs4TaskQueue::FinishSlot(const Nfs4TaskPtr& task, const Compound4Res* results)
{
    Nfs4SlotReply reply;
    const auto* sequence = results != nullptr && !results->ops.empty()
                               ? std::get_if<SequenceRes4>(&results->ops.front())
                               : nullptr;
    if (sequence != nullptr)
    {
        reply = {sequence->status, sequence->highestSlotId, sequence->targetHighestSlotId};
    }
    else if (results != nullptr)
    {
        // The server refused the COMPOUND as a whole: MINOR_VERS_MISMATCH, and the like.
        reply.status = results->status;
    }
    const uint32_t slot = *task->slot;
    const auto verdict = m_client.GetSession().GetSlots().Finish(slot, reply, task->probe);
    if (verdict != Nfs4SlotVerdict::DONE || !reply.status)
    {
        m_slotFailed(slot, verdict);
    }
    if (reply.status == Nfs4Status::OK)
    {
        m_client.GetRenewal().Renewed(task->sent);
        m_client.GetManager().TakeFlags(sequence->statusFlags, task->privileged);
    }
    switch (verdict)
    {
    case Nfs4SlotVerdict::RETRY:
        ReleaseSlot(*task);
        MakeAgain(task, Time());
        return false;
    case Nfs4SlotVerdict::RETRY_LATER:
        MakeAgain(task, SLOT_RETRY_DELAY);
        return false;
    case Nfs4SlotVerdict::PROBE:
        if (task->probe)
        {
            Send(task);
            return false;
        }
        task->slot.reset();
        Probe(slot);
        MakeAgain(task, Time());
        return false;
    case Nfs4SlotVerdict::DONE:
    case Nfs4SlotVerdict::RECOVER:
    case Nfs4SlotVerdict::LOST:
        break;
    }
    ReleaseSlot(*task);
    return true;
}

void
Nfs4TaskQueue::ReleaseSlot(Nfs4Task& task)
{
    const bool tell = m_client.GetSession().GetSlots().Release(*task.slot);
    task.slot.reset();
    auto& manager = m_client.GetManager();
    if (tell && m_client.GetSession().HasSession() && !manager.IsStopping() &&
        !manager.Plan().IsRecovering())
    {
        auto notice = std::make_shared<Nfs4Task>();
        Submit(notice);
    }
    manager.Wake();
}

void
Nfs4TaskQueue::Probe(uint32_t slot)
{
    auto probe = std::make_shared<Nfs4Task>();
    probe->probe = true;
    probe->privileged = true;
    probe->slot = slot;
    ++m_pending;
    Send(probe);
}

bool
Nfs4TaskQueue::HandleStatus(const Nfs4TaskPtr& task, Nfs4Status status)
{
    auto& manager = m_client.GetManager();
    switch (status)
    {
    case Nfs4Status::OK:
        return false;
    case Nfs4Status::DELAY:
    case Nfs4Status::GRACE:
        if (task->sessionless && manager.IsStopping())
        {
            return false;
        }
        task->delay = m_client.GetNextDelay(task->delay);
        MakeAgain(task, task->delay);
        return true;
    default:
        break;
    }
    if (status == Nfs4Status::BAD_SEQID)
    {
        // A call without answer was not carried out after all.
        const bool ofOwner = task->takesSeqid && task->owner->Seqid().StepBack();
        const bool ofLock = task->locked && task->locked->lockSeqid.StepBack();
        if (ofOwner || ofLock)
        {
            MakeAgain(task, Time());
            return true;
        }
    }
    const bool again = !manager.IsStopping() && task->recoveries < MAX_RECOVERIES;
    if (again && status == Nfs4Status::RETRY_UNCACHED_REP)
    {
        ++task->recoveries;
        MakeAgain(task, Time());
        return true;
    }
    if (task->privileged || !again || (task->open && task->open->lost))
    {
        return false;
    }
    if (status == Nfs4Status::OLD_STATEID)
    {
        ++task->recoveries;
        if (task->stateidOf)
        {
            task->stateidOf->NoteOld(task->stateid);
        }
        MakeAgain(task, Time());
        return true;
    }
    if (status == Nfs4Status::BAD_SEQID && task->takesSeqid && !task->final)
    {
        // The server has another idea of the owner: it is given up for a new one.
        ++task->recoveries;
        m_client.GetOwners().RenewOpenOwner();
        MakeAgain(task, Time());
        return true;
    }
    if (task->final && IsAboutStateId(status))
    {
        return false;
    }
    if (status == Nfs4Status::CB_PATH_DOWN)
    {
        // RENEW: the lease is there, but delegations cannot be recalled.
        m_client.GetRenewal().Renewed(task->sent);
        manager.Plan().Add(Nfs4RecoveryStep::DELEGRETURN);
        manager.Schedule();
        return false;
    }
    if (!manager.TakeStateError(*task, status))
    {
        return false;
    }
    ++task->recoveries;
    MakeAgain(task, Time());
    manager.Schedule();
    return true;
}

void
Nfs4TaskQueue::MakeAgain(const Nfs4TaskPtr& task, Time delay)
{
    ++m_delayed;
    Simulator::Schedule(delay, [this, kept = Ptr<Nfs4CompoundClient>(&m_client), task] {
        --m_delayed;
        if (!m_client.GetRpcClient())
        {
            return;
        }
        if (task->crashes != m_crashes)
        {
            EndLost(task);
            return;
        }
        if (task->slot)
        {
            Send(task);
            return;
        }
        (task->privileged ? m_privileged : m_waiting).push_front(task);
        Pump();
    });
}

void
Nfs4TaskQueue::End(const Nfs4TaskPtr& task, const Nfs4TaskReply& reply)
{
    --m_pending;
    if (task->done)
    {
        task->done(reply);
    }
    if (task->hasTurn)
    {
        task->hasTurn = false;
        task->owner->Finish();
    }
    Pump();
    m_client.GetManager().Wake();
}

void
Nfs4TaskQueue::EndLost(const Nfs4TaskPtr& task)
{
    task->slot.reset();
    const RpcReceivedMessage message;
    End(task, {RpcOutcome::CANCELLED, Nfs4Status::OK, NO_RESULTS, message});
}

bool
Nfs4TaskQueue::IsBusy() const
{
    return m_inFlight != 0 || m_client.GetSession().GetSlots().GetUsed() != 0;
}

void
Nfs4TaskQueue::EndWaiting(RpcOutcome outcome, Nfs4Status status)
{
    const RpcReceivedMessage message;
    Ring<Nfs4TaskPtr> ended;
    ended.swap(m_waiting);
    for (const auto& task : ended)
    {
        End(task, {outcome, status, NO_RESULTS, message});
    }
}

void
Nfs4TaskQueue::Describe(std::vector<std::string>& lines) const
{
    if (!m_waiting.empty() || !m_privileged.empty())
    {
        const auto& slots = m_client.GetSession().GetSlots();
        lines.push_back(std::to_string(m_waiting.size() + m_privileged.size()) +
                        " calls wait for a slot, " + std::to_string(slots.GetUsed()) + " of " +
                        std::to_string(slots.GetLimit()) + " are used");
    }
    if (m_delayed != 0)
    {
        lines.push_back(std::to_string(m_delayed) + " calls wait to be made again");
    }
}

} // namespace ns3::nfsrdma
