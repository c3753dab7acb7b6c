/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "verbs/reference-model.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

namespace
{

using State = QueuePairState;
using CompletionOpcode = WorkCompletionOpcode;

void
Require(bool rule, const std::string& otherwise)
{
    if (!rule)
    {
        throw Mismatch(otherwise);
    }
}

std::string
Describe(const WorkCompletion& completion)
{
    return "completion " + std::to_string(completion.id) + " (" + ToString(completion.status) +
           ") of queue pair " + std::to_string(completion.queuePairNumber);
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

/// \return the first \p length octets of \p elements.
std::vector<Element>
Clip(const std::vector<Element>& elements, uint64_t length)
{
    std::vector<Element> clipped;
    for (Element element : elements)
    {
        element.length = std::min<uint64_t>(element.length, length);
        length -= element.length;
        clipped.push_back(element);
    }
    return clipped;
}

bool
HasLeftRts(const PairRules& pair)
{
    return pair.state != State::IDLE && pair.state != State::RTS;
}

/// Notes where octets come from or go to.
/// \return true when they are not those noted before
bool
Note(std::vector<Range>& noted, const std::vector<Range>& ranges, bool& ambiguous)
{
    if (noted == ranges)
    {
        return false;
    }
    ambiguous = ambiguous || !noted.empty();
    noted = ranges;
    return true;
}

} // namespace

void
ReferenceModel::MayFail(PairRules& pair)
{
    pair.mayFail = true;
    pair.mayEnd = true;
    if (pair.peer)
    {
        const auto peer = m_hosts.at(pair.peer->host).pairs.find(pair.peer->number);
        if (peer != m_hosts.at(pair.peer->host).pairs.end())
        {
            peer->second.mayFail = true;
            peer->second.mayEnd = true;
        }
    }
}

void
ReferenceModel::MayFail(const PairName& name)
{
    const auto found = m_hosts.at(name.host).pairs.find(name.number);
    if (found != m_hosts.at(name.host).pairs.end())
    {
        MayFail(found->second);
    }
}

void
ReferenceModel::Evaluate()
{
    for (HostRules& host : m_hosts)
    {
        for (auto& [number, pair] : host.pairs)
        {
            if (!pair.peer)
            {
                continue;
            }
            HostRules& peerHost = m_hosts.at(pair.peer->host);
            const auto peer = peerHost.pairs.find(pair.peer->number);
            const bool peerTakes = peer != peerHost.pairs.end() && peer->second.state == State::RTS;
            std::size_t position = 0;
            for (const auto& work : pair.messages)
            {
                if (work->delivered)
                {
                    continue;
                }
                if (!work->completed && pair.state == State::RTS)
                {
                    EvaluateOwn(host, pair, *work);
                }
                if (peerTakes && work->IsSend())
                {
                    EvaluateSend(peerHost, peer->second, *work, position++);
                }
                else if (peerTakes && !work->IsMemoryWork())
                {
                    EvaluateTagged(peerHost, peer->second, *work);
                }
                const bool mayFail =
                    work->mayBeRefused || work->mayNotScatter || work->mayNotInvalidate ||
                    (!work->outcomes.empty() && *work->outcomes.rbegin() != Status::SUCCESS);
                if (mayFail)
                {
                    MayFail(pair);
                }
            }
        }
    }
}

void
ReferenceModel::EvaluateOwn(HostRules& host, const PairRules& pair, SendWork& work)
{
    if (work.executed)
    {
        return;
    }
    if (work.opcode == Opcode::REGISTER_MR)
    {
        const auto region = host.memory.tagged.find(*work.region);
        const bool usable = region != host.memory.tagged.end() && !region->second.valid &&
                            region->second.domain == pair.domain;
        work.outcomes.insert(usable ? Status::SUCCESS : Status::LOC_QP_OP_ERR);
        return;
    }
    if (work.opcode == Opcode::LOCAL_INVALIDATE)
    {
        work.outcomes.insert(host.memory.MayInvalidate(work.invalidateStag, pair.domain)
                                 ? Status::SUCCESS
                                 : Status::LOC_QP_OP_ERR);
        return;
    }
    const bool read = work.opcode == Opcode::RDMA_READ;
    const uint32_t access = read ? LOCAL_WRITE | REMOTE_WRITE : 0;
    const auto ranges = host.memory.Resolve(work.elements, pair.domain, access);
    const bool named = !read || work.GetLength() == 0 || work.elements[0].lkey != 0;
    if (!ranges || !named)
    {
        work.outcomes.insert(Status::LOC_PROT_ERR);
    }
    if (read && pair.ord == 0)
    {
        work.outcomes.insert(Status::LOC_QP_OP_ERR);
    }
    if (!ranges || !named || (read && pair.ord == 0))
    {
        return;
    }
    work.outcomes.insert(Status::SUCCESS);
    if (read && Note(work.targets, *ranges, work.ambiguous))
    {
        host.memory.Touch(*ranges);
    }
    else if (!read)
    {
        Note(work.sources, *ranges, work.ambiguous);
    }
}

void
ReferenceModel::EvaluateTagged(HostRules& peerHost, const PairRules& peer, SendWork& work)
{
    if (work.GetLength() == 0)
    {
        work.mayPlace = true;
        return;
    }
    const bool read = work.opcode == Opcode::RDMA_READ;
    const auto range = peerHost.memory.Resolve(work.remoteStag,
                                               peer.domain,
                                               read ? REMOTE_READ : REMOTE_WRITE,
                                               work.remoteOffset,
                                               work.GetLength());
    (range ? work.mayPlace : work.mayBeRefused) = true;
    if (!range)
    {
        const Element target{work.remoteOffset,
                             static_cast<uint32_t>(work.GetLength()),
                             work.remoteStag};
        const auto parts = peerHost.memory.ResolveParts({target}, peer.domain, REMOTE_WRITE);
        work.ambiguous = true;
        if (!read && Note(work.targets, parts, work.ambiguous))
        {
            peerHost.memory.Touch(parts);
        }
        return;
    }
    if (read)
    {
        Note(work.sources, {*range}, work.ambiguous);
    }
    else if (Note(work.targets, {*range}, work.ambiguous))
    {
        peerHost.memory.Touch({*range});
    }
}

void
ReferenceModel::EvaluateSend(HostRules& peerHost,
                             PairRules& peer,
                             SendWork& work,
                             std::size_t position)
{
    if (position >= peer.receives.size())
    {
        work.mayBeRefused = true;
        return;
    }
    const ReceiveWork& receive = peer.receives[position];
    const std::vector<Element> elements = Clip(receive.elements, work.GetLength());
    const auto ranges = peerHost.memory.Resolve(elements, peer.domain, LOCAL_WRITE);
    const bool fits = work.GetLength() <= receive.GetLength();
    const bool invalidates = work.opcode != Opcode::SEND_WITH_INVALIDATE ||
                             peerHost.memory.MayInvalidate(work.invalidateStag, peer.domain);
    work.mayBeRefused = work.mayBeRefused || !fits;
    work.mayNotInvalidate = work.mayNotInvalidate || !invalidates;
    work.mayNotScatter = work.mayNotScatter || !ranges;
    work.mayPlace = work.mayPlace || (fits && ranges && (invalidates || work.executed));
    work.ambiguous = work.ambiguous || !fits || !ranges;
    const auto parts =
        ranges ? *ranges : peerHost.memory.ResolveParts(elements, peer.domain, LOCAL_WRITE);
    if (Note(work.targets, parts, work.ambiguous))
    {
        peerHost.memory.Touch(parts);
    }
}

void
ReferenceModel::SendsPosted(const PairName& name, const std::vector<SendWork>& chain)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    for (const SendWork& work : chain)
    {
        auto posted = std::make_shared<SendWork>(work);
        posted->slot = pair.slotsTaken++;
        pair.sends.push_back(posted);
        if (pair.state == State::RTS)
        {
            pair.messages.push_back(posted);
        }
        if (pair.peer && !work.IsMemoryWork())
        {
            const auto peer = m_hosts.at(pair.peer->host).pairs.find(pair.peer->number);
            if (peer != m_hosts.at(pair.peer->host).pairs.end())
            {
                peer->second.heard = true;
            }
        }
    }
    Evaluate();
}

void
ReferenceModel::ReceivePosted(const PairName& name, const ReceiveWork& work)
{
    m_hosts.at(name.host).pairs.at(name.number).receives.push_back(work);
    Evaluate();
}

void
ReferenceModel::MemoryChanged()
{
    Evaluate();
}

void
ReferenceModel::MayEnd(const PairName& name)
{
    const auto found = m_hosts.at(name.host).pairs.find(name.number);
    if (found == m_hosts.at(name.host).pairs.end())
    {
        return;
    }
    found->second.mayEnd = true;
    if (found->second.peer)
    {
        const PairName peerName = *found->second.peer;
        const auto peer = m_hosts.at(peerName.host).pairs.find(peerName.number);
        if (peer != m_hosts.at(peerName.host).pairs.end())
        {
            peer->second.mayEnd = true;
        }
    }
}

void
ReferenceModel::Connected(const PairName& name, const PairName& peer, bool responder, uint32_t ord)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    pair.peer = peer;
    pair.responder = responder;
    pair.ord = ord;
}

void
ReferenceModel::StateChanged(const PairName& name, State before, State after)
{
    PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    const std::string change =
        std::string("queue pair ") + ToString(before) + " -> " + ToString(after);
    Require(before == pair.state, change + ", but it was " + ToString(pair.state));
    switch (before)
    {
    case State::IDLE:
        Require(after == State::RTS || after == State::ERROR, change);
        break;
    case State::RTS:
        Require(after != State::IDLE, change);
        Require(after != State::TERMINATE || pair.mayFail, change + " without an error");
        Require(pair.mayEnd, change + " without a reason");
        break;
    case State::CLOSING:
    case State::TERMINATE:
        Require(after == State::ERROR, change);
        break;
    case State::ERROR:
        throw Mismatch(change);
    }
    pair.state = after;
    if (HasLeftRts(pair))
    {
        MayEnd(name);
    }
    Evaluate();
}

void
ReferenceModel::Registered(uint32_t host, uint32_t stag, const TaggedMemory& registration)
{
    HostRules& rules = m_hosts.at(host);
    const auto region = rules.memory.tagged.find(stag >> 8);
    Require(region != rules.memory.tagged.end(), "a region that does not exist was registered");
    Require(!region->second.valid, "a valid region was registered");
    for (auto& [number, pair] : rules.pairs)
    {
        for (const auto& work : pair.sends)
        {
            const TaggedMemory& asked = work->registration;
            if (work->opcode == Opcode::REGISTER_MR && !work->executed &&
                work->region == stag >> 8 && asked.key == registration.key &&
                asked.range == registration.range && asked.first == registration.first &&
                asked.access == registration.access)
            {
                Require(pair.state == State::RTS && pair.domain == region->second.domain &&
                            asked.key == (stag & 0xff),
                        "a registration was executed that is not allowed");
                work->executed = true;
                TaggedMemory& memory = region->second;
                memory.valid = true;
                memory.key = asked.key;
                memory.access = asked.access;
                memory.first = asked.first;
                memory.range = asked.range;
                Evaluate();
                return;
            }
        }
    }
    throw Mismatch("a region was registered that no work request has asked for");
}

void
ReferenceModel::Invalidated(uint32_t host, uint32_t stag)
{
    HostRules& rules = m_hosts.at(host);
    const auto region = rules.memory.tagged.find(stag >> 8);
    Require(region != rules.memory.tagged.end() && region->second.valid &&
                region->second.key == (stag & 0xff),
            "a region was invalidated that was not valid");
    bool asked = false;
    for (auto& [number, pair] : rules.pairs)
    {
        for (const auto& work : pair.sends)
        {
            const bool local = work->opcode == Opcode::LOCAL_INVALIDATE && !work->executed &&
                               work->invalidateStag == stag && pair.state == State::RTS &&
                               pair.domain == region->second.domain;
            asked = asked || local;
        }
        if (pair.peer && pair.state == State::RTS && pair.domain == region->second.domain)
        {
            const auto peer = m_hosts.at(pair.peer->host).pairs.find(pair.peer->number);
            if (peer == m_hosts.at(pair.peer->host).pairs.end())
            {
                continue;
            }
            for (const auto& work : peer->second.messages)
            {
                const bool remote = work->opcode == Opcode::SEND_WITH_INVALIDATE &&
                                    !work->delivered && work->invalidateStag == stag;
                work->executed = work->executed || remote;
                work->mayPlace = work->mayPlace || remote;
                asked = asked || remote;
            }
        }
    }
    Require(asked, "a region was invalidated that nothing has asked for");
    region->second.valid = false;
    Evaluate();
}

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
        ReceiveCompleted(*pair, completion);
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
    entries.interrupting = entries.interrupting || entries.armed;
    entries.armed = false;
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
        Require(work.opcode != Opcode::REGISTER_MR || work.executed, what + ": not executed");
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
ReferenceModel::ReceiveCompleted(PairRules& pair, const WorkCompletion& completion)
{
    const std::string what = Describe(completion);
    Require(!pair.receives.empty() && pair.receives.front().id == completion.id,
            what + " is not that of the oldest receive");
    pair.receives.pop_front();
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
        work.delivered = true;
        Evaluate();
        return;
    }
    Require(HasLeftRts(pair), what + " of a queue pair in use");
    Require(!pair.receiveFailed, what + ": another one has failed before");
    const bool explained = (completion.status == Status::LOC_LEN_ERR && work.mayBeRefused) ||
                           (completion.status == Status::LOC_PROT_ERR && work.mayNotScatter) ||
                           (completion.status == Status::REM_INV_REQ_ERR && work.mayNotInvalidate);
    Require(explained, what + ": nothing was wrong with it");
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
    Require(pair.mayFail, std::string(ToString(type)) + " without an error");
    Require(pair.state != State::RTS && pair.state != State::IDLE,
            std::string(ToString(type)) + " of a queue pair in use");
}

void
ReferenceModel::DropSilentlyDone(PairRules& pair)
{
    while (!pair.sends.empty() && !pair.sends.front()->signaled &&
           pair.sends.front()->outcomes.count(Status::SUCCESS) != 0)
    {
        pair.sends.front()->completed = true;
        pair.sends.pop_front();
    }
}

void
ReferenceModel::ExpectFlushed(const PairName& name)
{
    PairRules* pair = FindPair(name);
    if (pair == nullptr)
    {
        return;
    }
    Require(pair->state == State::ERROR, "the connection is over, the queue pair is not in ERROR");
    const auto& queues = m_hosts.at(name.host).completionQueues;
    DropSilentlyDone(*pair);
    Require(pair->sends.empty() || queues.at(pair->sendQueue).dead,
            "the connection is over, sends are not flushed");
    Require(pair->receives.empty() || queues.at(pair->receiveQueue).dead,
            "the connection is over, receives are not flushed");
}

bool
ReferenceModel::MayBeOutstanding(const PairName& name, uint32_t sends, uint32_t receives) const
{
    const PairRules& pair = m_hosts.at(name.host).pairs.at(name.number);
    return sends <= pair.sends.size() && receives <= pair.receives.size();
}

void
ReferenceModel::SettlePair(PairRules& pair, const HostRules& host)
{
    const bool deaf = pair.state == State::RTS && pair.responder && !pair.heard;
    if (deaf)
    {
        return;
    }
    Require(pair.state != State::CLOSING && pair.state != State::TERMINATE,
            "a queue pair has not come to the end of its connection");
    DropSilentlyDone(pair);
    Require(pair.sends.empty() || host.completionQueues.at(pair.sendQueue).dead,
            "a send work request has not completed");
    Require(pair.state != State::ERROR || pair.receives.empty() ||
                host.completionQueues.at(pair.receiveQueue).dead,
            "a receive has not been flushed");
    if (pair.state == State::RTS && pair.peer)
    {
        const PairRules* peer = FindPair(*pair.peer);
        const bool together = peer != nullptr && peer->state == State::RTS;
        Require(together || pair.mayEnd, "a queue pair without a peer");
        for (const auto& work : pair.messages)
        {
            Require(!together || !work->IsSend() || work->delivered,
                    "a Send has not been received");
            Require(!together || work->IsMemoryWork() || work->mayPlace,
                    "an operation that the peer must refuse was tolerated");
        }
    }
}

void
ReferenceModel::SettleMessages(HostRules& host, PairRules& pair)
{
    if (!pair.peer)
    {
        return;
    }
    HostRules& peerHost = m_hosts.at(pair.peer->host);
    const PairRules* peer = FindPair(*pair.peer);
    const bool together = peer != nullptr && peer->state == State::RTS && pair.state == State::RTS;
    for (const auto& work : pair.messages)
    {
        const bool read = work->opcode == Opcode::RDMA_READ;
        const bool done = work->IsSend()                       ? work->delivered
                          : read                               ? work->completed
                          : work->opcode == Opcode::RDMA_WRITE ? together && work->completed
                                                               : false;
        if (!done || work->ambiguous)
        {
            continue;
        }
        ReferenceMemory& from = (read ? peerHost : host).memory;
        ReferenceMemory& into = (read ? host : peerHost).memory;
        const auto octets = from.GetUntouched(work->sources);
        if (octets && octets->size() == work->GetLength())
        {
            into.Determine(work->targets, *octets);
        }
    }
}

void
ReferenceModel::Settle()
{
    for (HostRules& host : m_hosts)
    {
        for (auto& [number, pair] : host.pairs)
        {
            if (!pair.destroyed)
            {
                SettlePair(pair, host);
            }
        }
        for (const auto& [number, queue] : host.completionQueues)
        {
            Require(!queue.interrupting, "a notification has not come");
        }
    }
    for (HostRules& host : m_hosts)
    {
        for (auto& [number, pair] : host.pairs)
        {
            SettleMessages(host, pair);
        }
    }
    for (HostRules& host : m_hosts)
    {
        for (auto pair = host.pairs.begin(); pair != host.pairs.end();)
        {
            const bool over = pair->second.state != State::RTS;
            pair->second.messages.remove_if(
                [over](const auto& work) { return over || work->completed || work->delivered; });
            pair = pair->second.destroyed ? host.pairs.erase(pair) : std::next(pair);
        }
    }
}

} // namespace ns3::nfsrdma::reference
