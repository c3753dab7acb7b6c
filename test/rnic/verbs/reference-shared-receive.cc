/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/reference-model.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

Refusals
ReferenceModel::CreateSharedQueue(uint32_t host, const SharedQueueRules& queue) const
{
    const HostRules& rules = m_hosts.at(host);
    Refusals refusals;
    if (rules.domains.count(queue.domain) == 0 || queue.depth == 0 ||
        queue.depth > rules.limits.sharedDepth || queue.maxElements == 0 ||
        queue.maxElements > rules.limits.elements)
    {
        refusals.insert(VerbsError::INVALID_ARGUMENT);
    }
    if (rules.sharedQueues.size() >= rules.limits.sharedQueues)
    {
        refusals.insert(VerbsError::NO_MEMORY);
    }
    return refusals;
}

Refusals
ReferenceModel::DestroySharedQueue(uint32_t host, uint32_t queue) const
{
    const auto found = m_hosts.at(host).sharedQueues.find(queue);
    if (found == m_hosts.at(host).sharedQueues.end())
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    return found->second.users == 0 ? Refusals{} : Refusals{VerbsError::BUSY};
}

Refusals
ReferenceModel::PostShared(uint32_t host, uint32_t queue, const ReceiveWork& work) const
{
    const HostRules& rules = m_hosts.at(host);
    const auto found = rules.sharedQueues.find(queue);
    if (found == rules.sharedQueues.end())
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    Refusals refusals;
    if (work.elements.size() > found->second.maxElements || work.GetLength() > rules.limits.message)
    {
        refusals.insert(VerbsError::INVALID_ARGUMENT);
    }
    if (found->second.posted.size() >= found->second.depth)
    {
        refusals.insert(VerbsError::NO_MEMORY);
    }
    return refusals;
}

Refusals
ReferenceModel::ArmShared(uint32_t host, uint32_t queue, uint32_t limit) const
{
    const auto found = m_hosts.at(host).sharedQueues.find(queue);
    return found != m_hosts.at(host).sharedQueues.end() && limit <= found->second.depth
               ? Refusals{}
               : Refusals{VerbsError::INVALID_ARGUMENT};
}

void
ReferenceModel::SharedQueueCreated(uint32_t host, uint32_t queue, const SharedQueueRules& rules)
{
    if (queue == 0 || !m_hosts.at(host).sharedQueues.emplace(queue, rules).second)
    {
        throw Mismatch("a shared receive queue got the number of another");
    }
    m_hosts.at(host).domains.at(rules.domain)++;
}

void
ReferenceModel::SharedQueueDestroyed(uint32_t host, uint32_t queue)
{
    HostRules& rules = m_hosts.at(host);
    rules.domains.at(rules.sharedQueues.at(queue).domain)--;
    rules.sharedQueues.erase(queue);
}

void
ReferenceModel::SharedPosted(uint32_t host, uint32_t queue, const ReceiveWork& work)
{
    m_hosts.at(host).sharedQueues.at(queue).posted.push_back(work);
    Evaluate();
}

void
ReferenceModel::SharedArmed(uint32_t host, uint32_t queue, uint32_t limit)
{
    SharedQueueRules& rules = m_hosts.at(host).sharedQueues.at(queue);
    rules.limit = limit;
    CheckLimit(rules);
}

void
ReferenceModel::CheckLimit(SharedQueueRules& queue)
{
    if (queue.posted.size() < queue.limit)
    {
        queue.limit = 0;
        queue.eventsOwed++;
    }
}

void
ReferenceModel::SharedLimitReached(uint32_t host, uint32_t queue)
{
    const auto found = m_hosts.at(host).sharedQueues.find(queue);
    Require(found != m_hosts.at(host).sharedQueues.end(),
            "SRQ_LIMIT_REACHED of a shared receive queue that does not exist");
    Require(found->second.eventsOwed != 0, "SRQ_LIMIT_REACHED without a reason");
    found->second.eventsOwed--;
}

void
ReferenceModel::SharedTaken(uint32_t host, uint32_t queue, uint32_t posted)
{
    SharedQueueRules& rules = m_hosts.at(host).sharedQueues.at(queue);
    Require(posted <= rules.posted.size(), "a shared receive queue holds more than was posted");
    while (rules.posted.size() > posted)
    {
        rules.taken.push_back(std::move(rules.posted.front()));
        rules.posted.pop_front();
    }
    CheckLimit(rules);
    Require(rules.taken.size() <= CountUndelivered(m_hosts.at(host), queue) + rules.losses,
            "more was taken from a shared receive queue than messages can have come");
}

uint64_t
ReferenceModel::CountUndelivered(const PairRules& pair) const
{
    if (!pair.peer)
    {
        return 0;
    }
    const auto& pairs = m_hosts.at(pair.peer->host).pairs;
    const auto peer = pairs.find(pair.peer->number);
    return peer == pairs.end()
               ? 0
               : std::count_if(peer->second.messages.begin(),
                               peer->second.messages.end(),
                               [](const auto& work) { return work->IsSend() && !work->delivered; });
}

uint64_t
ReferenceModel::CountUndelivered(const HostRules& host, uint32_t queue) const
{
    uint64_t count = 0;
    for (const auto& [number, pair] : host.pairs)
    {
        count += !pair.destroyed && pair.sharedQueue == queue ? CountUndelivered(pair) : 0;
    }
    return count;
}

bool
ReferenceModel::SufficesShared(uint32_t host, uint32_t queue, uint32_t more) const
{
    // What was taken is for a message that has not been delivered, or lost.
    const HostRules& rules = m_hosts.at(host);
    const SharedQueueRules& shared = rules.sharedQueues.at(queue);
    return CountUndelivered(rules, queue) + shared.losses + more <=
           shared.posted.size() + shared.taken.size();
}

/// Which buffer the message gets depends on when those of the other queue pairs come, so it may be
/// any.
void
ReferenceModel::EvaluateSharedSend(HostRules& peerHost, const PairRules& peer, SendWork& work)
{
    SharedQueueRules& queue = peerHost.sharedQueues.at(*peer.sharedQueue);
    const auto host = static_cast<uint32_t>(&peerHost - m_hosts.data());
    const bool invalidates = work.opcode != Opcode::SEND_WITH_INVALIDATE ||
                             peerHost.memory.MayInvalidate(work.invalidateStag, peer.domain);
    work.mayBeRefused = work.mayBeRefused || !SufficesShared(host, *peer.sharedQueue, 0);
    work.mayNotInvalidate = work.mayNotInvalidate || !invalidates;
    const auto consider = [&](ReceiveWork& receive) {
        const bool fits = work.GetLength() <= receive.GetLength();
        const bool usable =
            peerHost.memory
                .Resolve(Clip(receive.elements, work.GetLength()), queue.domain, LOCAL_WRITE)
                .has_value();
        work.mayBeRefused = work.mayBeRefused || !fits;
        work.mayNotScatter = work.mayNotScatter || !usable;
        work.mayPlace = work.mayPlace || (fits && usable && (invalidates || work.executed));
        const auto parts =
            peerHost.memory.ResolveParts(receive.elements, queue.domain, LOCAL_WRITE);
        if (Note(receive.targets, parts, receive.ambiguous))
        {
            peerHost.memory.Touch(parts);
        }
    };
    std::for_each(queue.taken.begin(), queue.taken.end(), consider);
    std::for_each(queue.posted.begin(), queue.posted.end(), consider);
}

ReceiveWork
ReferenceModel::TakeCompleted(HostRules& host, PairRules& pair, const WorkCompletion& completion)
{
    const std::string what = "completion of receive " + std::to_string(completion.id);
    if (!pair.sharedQueue)
    {
        Require(!pair.receives.empty() && pair.receives.front().id == completion.id,
                what + " is not that of the oldest receive");
        ReceiveWork receive = std::move(pair.receives.front());
        pair.receives.pop_front();
        return receive;
    }
    auto& taken = host.sharedQueues.at(*pair.sharedQueue).taken;
    const auto found = std::find_if(taken.begin(), taken.end(), [&](const ReceiveWork& receive) {
        return receive.id == completion.id;
    });
    Require(found != taken.end(), what + ", which was not taken from the shared receive queue");
    Require(completion.id > pair.latestShared, what + " after a younger one of the queue pair");
    pair.latestShared = completion.id;
    ReceiveWork receive = std::move(*found);
    taken.erase(found);
    return receive;
}

void
ReferenceModel::SettleShared(HostRules& host)
{
    for (auto& [number, queue] : host.sharedQueues)
    {
        Require(queue.eventsOwed == 0, "SRQ_LIMIT_REACHED has not come");
        uint64_t losses = queue.losses;
        bool waits = false;
        for (const auto& [pairNumber, pair] : host.pairs)
        {
            if (pair.destroyed || pair.sharedQueue != number)
            {
                continue;
            }
            const PairRules* peer = pair.peer ? FindPair(*pair.peer) : nullptr;
            const bool alone = pair.state == QueuePairState::RTS &&
                               (peer == nullptr || peer->state != QueuePairState::RTS);
            waits = waits || alone;
            if (alone || host.completionQueues.at(pair.receiveQueue).dead)
            {
                losses += CountUndelivered(pair);
            }
        }
        Require(queue.taken.size() <= losses,
                "a receive taken from a shared receive queue has not completed");
        if (waits)
        {
            queue.losses = queue.taken.size();
        }
        else
        {
            queue.taken.clear();
            queue.losses = 0;
        }
        const auto forget = [](ReceiveWork& receive) {
            receive.targets.clear();
            receive.ambiguous = false;
        };
        std::for_each(queue.taken.begin(), queue.taken.end(), forget);
        std::for_each(queue.posted.begin(), queue.posted.end(), forget);
    }
}

} // namespace ns3::nfsrdma::reference
