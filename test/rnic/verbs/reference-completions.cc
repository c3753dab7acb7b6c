/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/reference-model.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

namespace
{

using State = QueuePairState;
using CompletionOpcode = WorkCompletionOpcode;

std::string
Describe(const WorkCompletion& completion)
{
    return "completion " + std::to_string(completion.id) + " (" + ToString(completion.status) +
           ") of queue pair " + std::to_string(completion.queuePairNumber);
}

/// Finds the first \p length octets of \p ranges.
/// \return false when there are not so many
bool
Cut(const std::vector<Range>& ranges, uint64_t length, std::vector<Range>& first)
{
    first.clear();
    for (const Range& range : ranges)
    {
        const uint64_t part = std::min(range.length, length);
        if (part != 0)
        {
            first.push_back({range.address, part});
        }
        length -= part;
    }
    return length == 0;
}

CompletionOpcode
ToCompletionOpcode(Opcode opcode)
{
    switch (opcode)
    {
    case Opcode::RDMA_WRITE:
        return CompletionOpcode::RDMA_WRITE;
    case Opcode::RDMA_READ:
        return CompletionOpcode::RDMA_READ;
    case Opcode::REGISTER_MR:
        return CompletionOpcode::REGISTER_MR;
    case Opcode::LOCAL_INVALIDATE:
        return CompletionOpcode::LOCAL_INVALIDATE;
    case Opcode::BIND_WINDOW:
        return CompletionOpcode::BIND_WINDOW;
    default:
        return CompletionOpcode::SEND;
    }
}

} // namespace

void
ReferenceModel::Written(uint32_t host,
                        uint32_t queue,
                        const WorkCompletion& completion,
                        int64_t now)
{
    HostRules& rules = m_hosts.at(host);
    const auto found = rules.completionQueues.find(queue);
    Require(found != rules.completionQueues.end(), "a completion queue that does not exist");
    CompletionQueueRules& entries = found->second;
    Require(entries.entries.size() < entries.depth && !entries.dead,
            "an entry was written to a full or dead completion queue");
    PairRules* pair = FindPair({host, completion.queuePairNumber});
    Require(pair != nullptr, Describe(completion) + ", which does not exist");
    const bool receive = completion.opcode == CompletionOpcode::RECEIVE;
    Require((receive ? pair->receiveQueue : pair->sendQueue) == queue,
            Describe(completion) + " in the wrong completion queue");
    uint64_t slots = 0;
    if (receive)
    {
        ReceiveCompleted(rules, *pair, completion);
    }
    else
    {
        SendCompleted(*pair, completion, slots);
    }
    entries.entries.push_back({completion, slots});
    if (entries.entries.size() == entries.depth)
    {
        entries.latestFull = now;
    }
    const bool solicited = completion.solicited || completion.status != Status::SUCCESS;
    if (entries.armed && (entries.armed == NotifyKind::NEXT || solicited))
    {
        entries.interrupting = true;
        entries.armed.reset();
    }
}

void
ReferenceModel::SendCompleted(PairRules& pair, const WorkCompletion& completion, uint64_t& slots)
{
    const std::string what = Describe(completion);
    while (!pair.sends.empty() && pair.sends.front()->id != completion.id)
    {
        SendWork& skipped = *pair.sends.front();
        Require(!skipped.signaled && skipped.outcomes.count(Status::SUCCESS) != 0,
                what + " came before that of " + std::to_string(skipped.id));
        skipped.completed = true;
        pair.sends.pop_front();
    }
    Require(!pair.sends.empty(), what + ": no such work request is outstanding");
    SendWork& work = *pair.sends.front();
    const bool success = completion.status == Status::SUCCESS;
    Require(completion.opcode == ToCompletionOpcode(work.opcode), what + ": wrong opcode");
    const uint64_t length = success && work.opcode == Opcode::RDMA_READ ? work.GetLength() : 0;
    Require(completion.length == length, what + ": wrong length");
    if (success)
    {
        Require(work.signaled, what + " of an unsignaled work request");
        Require(work.outcomes.count(Status::SUCCESS) != 0, what + ": it was wrong all the time");
        Require((work.opcode != Opcode::REGISTER_MR && work.opcode != Opcode::BIND_WINDOW) ||
                    work.executed,
                what + ": not executed");
        Require(work.opcode != Opcode::RDMA_READ || work.mayPlace, what + ": refused by the peer");
        Require(pair.onlyReadsFailed, what + " after a failed one");
        work.completed = true;
    }
    else
    {
        Require(HasLeftRts(pair), what + " of a queue pair in use");
        Require(!work.executed || work.IsSend(), what + ": it has been executed");
        pair.onlyReadsFailed = pair.onlyReadsFailed && work.opcode == Opcode::RDMA_READ;
    }
    if (!success && completion.status != Status::WR_FLUSH_ERR)
    {
        const bool refused = completion.status == Status::REM_ACCESS_ERR &&
                             work.opcode == Opcode::RDMA_READ && work.mayBeRefused;
        Require(refused || work.outcomes.count(completion.status) != 0,
                what + ": nothing was wrong with it");
        Require(!pair.sendFailed, what + ": another one has failed before");
        pair.sendFailed = true;
    }
    slots = work.slot + 1;
    pair.sends.pop_front();
}

void
ReferenceModel::ReceiveCompleted(HostRules& host, PairRules& pair, const WorkCompletion& completion)
{
    const std::string what = Describe(completion);
    const ReceiveWork receive = TakeCompleted(host, pair, completion);
    if (completion.status == Status::WR_FLUSH_ERR)
    {
        Require(HasLeftRts(pair), what + " of a queue pair in use");
        return;
    }
    Require(pair.peer.has_value(), what + " without a connection");
    PairRules& peer = m_hosts.at(pair.peer->host).pairs.at(pair.peer->number);
    const auto message =
        std::find_if(peer.messages.begin(), peer.messages.end(), [](const auto& work) {
            return work->IsSend() && !work->delivered;
        });
    Require(message != peer.messages.end(), what + ": nothing was sent");
    SendWork& work = **message;
    if (completion.status == Status::SUCCESS)
    {
        const bool invalidates = work.opcode == Opcode::SEND_WITH_INVALIDATE;
        Require(!pair.receiveFailed, what + " after a failed one");
        Require(work.mayPlace, what + ": it could not be placed");
        Require(completion.length == work.GetLength(), what + ": wrong length");
        Require(completion.withInvalidate == invalidates &&
                    completion.invalidatedStag == (invalidates ? work.invalidateStag : 0),
                what + ": wrong about invalidation");
        Require(completion.solicited == work.solicited, what + ": wrong about solicitation");
        Require(work.GetLength() <= receive.GetLength(), what + ": longer than its buffer");
        work.delivered = true;
        if (pair.sharedQueue)
        {
            work.ambiguous = work.ambiguous || receive.ambiguous ||
                             !Cut(receive.targets, work.GetLength(), work.targets);
        }
        Evaluate();
        return;
    }
    Require(HasLeftRts(pair), what + " of a queue pair in use");
    Require(!pair.receiveFailed, what + ": another one has failed before");
    const bool explained = (completion.status == Status::LOC_LEN_ERR && work.mayBeRefused) ||
                           (completion.status == Status::LOC_PROT_ERR && work.mayNotScatter) ||
                           (completion.status == Status::REM_INV_REQ_ERR && work.mayNotInvalidate);
    Require(explained, what + ": nothing was wrong with it");
    // A fault may be met before the end of a buffer that is too short.
    const bool fits = work.GetLength() <= receive.GetLength();
    Require(completion.status == Status::LOC_PROT_ERR ||
                fits == (completion.status == Status::REM_INV_REQ_ERR),
            what + ": wrong about the length of its buffer");
    pair.receiveFailed = true;
}

void
ReferenceModel::Polled(uint32_t host,
                       uint32_t queue,
                       const std::optional<WorkCompletion>& completion,
                       int64_t now)
{
    HostRules& rules = m_hosts.at(host);
    CompletionQueueRules& entries = rules.completionQueues.at(queue);
    Require(completion.has_value() == !entries.entries.empty(),
            completion ? "an entry was polled twice" : "an entry is missing");
    if (!completion)
    {
        return;
    }
    const CompletionEntry entry = entries.entries.front();
    const WorkCompletion& expected = entry.completion;
    Require(expected.id == completion->id && expected.status == completion->status &&
                expected.opcode == completion->opcode &&
                expected.queuePairNumber == completion->queuePairNumber &&
                expected.length == completion->length &&
                expected.solicited == completion->solicited &&
                expected.withInvalidate == completion->withInvalidate &&
                expected.invalidatedStag == completion->invalidatedStag,
            Describe(*completion) + " polled where the oldest is " + Describe(expected));
    if (entries.entries.size() == entries.depth)
    {
        entries.latestFull = now;
    }
    entries.entries.pop_front();
    PairRules* pair = FindPair({host, completion->queuePairNumber});
    if (pair != nullptr)
    {
        pair->slotsReleased = std::max(pair->slotsReleased, entry.slots);
    }
}

void
ReferenceModel::Notified(uint32_t host, uint32_t queue)
{
    CompletionQueueRules& entries = m_hosts.at(host).completionQueues.at(queue);
    Require(entries.interrupting, "a notification without an entry after arming");
    entries.interrupting = false;
}

void
ReferenceModel::CompletionQueueFailed(uint32_t host, uint32_t queue, int64_t now)
{
    HostRules& rules = m_hosts.at(host);
    CompletionQueueRules& entries = rules.completionQueues.at(queue);
    Require(!entries.dead, "a second CQ_ERR");
    Require(entries.entries.size() == entries.depth || entries.latestFull == now,
            "CQ_ERR of a queue with room");
    entries.dead = true;
    for (const auto& [number, pair] : rules.pairs)
    {
        if (!pair.destroyed && (pair.sendQueue == queue || pair.receiveQueue == queue))
        {
            MayEnd({host, number});
        }
    }
}

void
ReferenceModel::PairFailed(const PairName& name, AsyncEventType type)
{
    const PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    const std::string event = ToString(type);
    Require(type == AsyncEventType::SQ_DRAINED ? pair.drained : pair.mayFail,
            event + " without a reason");
    Require(HasLeftRts(pair), event + " of a queue pair in use");
}

} // namespace ns3::nfsrdma::reference
