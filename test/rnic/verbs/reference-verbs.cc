/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/reference-model.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::nfsrdma::reference
{

namespace
{

template <typename Objects>
bool
IsAlive(const Objects& objects, uint32_t number)
{
    return objects.count(number) != 0;
}

/// The rules of verbs that make an object.
Refusals
Make(bool wellFormed, std::size_t count, uint32_t limit)
{
    Refusals refusals;
    if (!wellFormed)
    {
        refusals.insert(VerbsError::INVALID_ARGUMENT);
    }
    if (count >= limit)
    {
        refusals.insert(VerbsError::NO_MEMORY);
    }
    return refusals;
}

bool
IsSize(uint32_t size, uint32_t limit)
{
    return size != 0 && size <= limit;
}

uint64_t
GetTotal(const std::vector<Element>& elements)
{
    return std::accumulate(
        elements.begin(),
        elements.end(),
        uint64_t{0},
        [](uint64_t sum, const Element& element) { return sum + element.length; });
}

constexpr uint64_t PAGE = 4096;

/// \return whether memory of \p host can be registered so, at all.
bool
IsRegistrable(const HostRules& host, const TaggedMemory& registration)
{
    constexpr uint32_t LEGAL = 0x3f;
    const uint32_t access = registration.access;
    const bool writesRemotely = (access & (REMOTE_WRITE | REMOTE_ATOMIC)) != 0;
    const uint64_t length = registration.range.length;
    return length != 0 && host.memory.Contains(registration.range) && (access & ~LEGAL) == 0 &&
           (!writesRemotely || (access & LOCAL_WRITE) != 0) &&
           length <= std::numeric_limits<uint64_t>::max() - registration.first;
}

uint32_t
CountAlive(const std::map<uint32_t, PairRules>& pairs)
{
    return std::count_if(pairs.begin(), pairs.end(), [](const auto& item) {
        return !item.second.destroyed;
    });
}

} // namespace

uint64_t
SendWork::GetLength() const
{
    return IsMemoryWork() ? 0 : GetTotal(elements);
}

bool
SendWork::IsSend() const
{
    return opcode == Opcode::SEND || opcode == Opcode::SEND_WITH_INVALIDATE;
}

bool
SendWork::IsMemoryWork() const
{
    return opcode == Opcode::REGISTER_MR || opcode == Opcode::LOCAL_INVALIDATE ||
           opcode == Opcode::BIND_WINDOW;
}

uint64_t
ReceiveWork::GetLength() const
{
    return GetTotal(elements);
}

ReferenceModel::ReferenceModel(std::vector<Limits> limits)
{
    for (const Limits& limit : limits)
    {
        m_hosts.emplace_back().limits = limit;
    }
}

HostRules&
ReferenceModel::GetHost(uint32_t host)
{
    return m_hosts.at(host);
}

PairRules*
ReferenceModel::FindPair(const PairName& name)
{
    const auto found = m_hosts.at(name.host).pairs.find(name.number);
    return found == m_hosts.at(name.host).pairs.end() || found->second.destroyed ? nullptr
                                                                                 : &found->second;
}

Refusals
ReferenceModel::AllocateDomain(uint32_t host) const
{
    return Make(true, m_hosts.at(host).domains.size(), m_hosts.at(host).limits.domains);
}

Refusals
ReferenceModel::DestroyDomain(uint32_t host, uint32_t domain) const
{
    const auto found = m_hosts.at(host).domains.find(domain);
    if (found == m_hosts.at(host).domains.end())
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    return found->second == 0 ? Refusals{} : Refusals{VerbsError::BUSY};
}

Refusals
ReferenceModel::CreateCompletionQueue(uint32_t host, uint32_t depth) const
{
    const HostRules& rules = m_hosts.at(host);
    return Make(IsSize(depth, rules.limits.completionDepth),
                rules.completionQueues.size(),
                rules.limits.completionQueues);
}

Refusals
ReferenceModel::DestroyCompletionQueue(uint32_t host, uint32_t queue) const
{
    const auto found = m_hosts.at(host).completionQueues.find(queue);
    if (found == m_hosts.at(host).completionQueues.end())
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    return found->second.users == 0 ? Refusals{} : Refusals{VerbsError::BUSY};
}

Refusals
ReferenceModel::CreatePair(uint32_t host, const PairRules& pair) const
{
    const HostRules& rules = m_hosts.at(host);
    const auto isUsable = [&rules](uint32_t queue) {
        const auto found = rules.completionQueues.find(queue);
        return found != rules.completionQueues.end() && !found->second.dead;
    };
    const bool wellFormed = IsAlive(rules.domains, pair.domain) && isUsable(pair.sendQueue) &&
                            isUsable(pair.receiveQueue) &&
                            IsSize(pair.sendDepth, rules.limits.queueDepth) &&
                            (pair.sharedQueue ? IsAlive(rules.sharedQueues, *pair.sharedQueue)
                                              : IsSize(pair.receiveDepth, rules.limits.queueDepth));
    return Make(wellFormed, CountAlive(rules.pairs), rules.limits.queuePairs);
}

Refusals
ReferenceModel::DestroyPair(uint32_t host, uint32_t pair) const
{
    const auto found = m_hosts.at(host).pairs.find(pair);
    const bool alive = found != m_hosts.at(host).pairs.end() && !found->second.destroyed;
    return alive ? Refusals{} : Refusals{VerbsError::INVALID_ARGUMENT};
}

Refusals
ReferenceModel::AllocateRegion(uint32_t host, uint32_t domain, uint32_t pages) const
{
    const HostRules& rules = m_hosts.at(host);
    return Make(IsAlive(rules.domains, domain) && IsSize(pages, rules.limits.regionPages),
                rules.memory.Count(false),
                rules.limits.regions);
}

Refusals
ReferenceModel::RegisterMemory(uint32_t host, const TaggedMemory& region) const
{
    const HostRules& rules = m_hosts.at(host);
    return Make(IsAlive(rules.domains, region.domain) && IsRegistrable(rules, region),
                rules.memory.Count(false),
                rules.limits.regions);
}

Refusals
ReferenceModel::AllocateWindow(uint32_t host, uint32_t domain) const
{
    const HostRules& rules = m_hosts.at(host);
    return Make(IsAlive(rules.domains, domain), rules.memory.Count(true), rules.limits.windows);
}

Refusals
ReferenceModel::DestroyTagged(uint32_t host, uint32_t index, bool window) const
{
    const auto& tagged = m_hosts.at(host).memory.tagged;
    const auto found = tagged.find(index);
    if (found == tagged.end() || found->second.window != window)
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    return found->second.windows == 0 ? Refusals{} : Refusals{VerbsError::BUSY};
}

bool
ReferenceModel::IsWellFormed(const HostRules& host, const SendWork& work, uint32_t maxInline)
{
    if (work.opcode == Opcode::LOCAL_INVALIDATE)
    {
        return !work.inlineData;
    }
    const auto& tagged = host.memory.tagged;
    const auto region = tagged.find(work.region.value_or(0));
    const TaggedMemory& registration = work.registration;
    if (work.opcode == Opcode::REGISTER_MR)
    {
        const Range& range = registration.range;
        const uint64_t pages = (range.address % PAGE + range.length + PAGE - 1) / PAGE;
        return !work.inlineData && region != tagged.end() && !region->second.regular &&
               pages <= region->second.maxPages && IsRegistrable(host, registration);
    }
    if (work.opcode == Opcode::BIND_WINDOW)
    {
        constexpr uint32_t LEGAL = REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | ZERO_BASED;
        return !work.inlineData && region != tagged.end() &&
               tagged.count(work.window.value_or(0)) != 0 && registration.range.length != 0 &&
               (registration.access & ~LEGAL) == 0;
    }
    if (work.inlineData)
    {
        const bool allocated =
            std::all_of(work.elements.begin(), work.elements.end(), [&](const Element& element) {
                return element.length == 0 ||
                       host.memory.Contains({element.address, element.length});
            });
        if (work.opcode == Opcode::RDMA_READ || !allocated || GetTotal(work.elements) > maxInline)
        {
            return false;
        }
    }
    return work.elements.size() <= host.limits.elements &&
           GetTotal(work.elements) <= host.limits.message &&
           (work.opcode != Opcode::RDMA_READ || work.elements.size() == 1);
}

Refusals
ReferenceModel::PostSend(const PairName& name, const std::vector<SendWork>& chain) const
{
    const HostRules& host = m_hosts.at(name.host);
    const auto found = host.pairs.find(name.number);
    if (found == host.pairs.end() || found->second.destroyed)
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    const PairRules& pair = found->second;
    Refusals refusals;
    if (pair.state == QueuePairState::IDLE || pair.state == QueuePairState::CLOSING)
    {
        refusals.insert(VerbsError::NOT_CONNECTED);
    }
    if (!std::all_of(chain.begin(), chain.end(), [&](const SendWork& work) {
            return IsWellFormed(host, work, pair.maxInline);
        }))
    {
        refusals.insert(VerbsError::INVALID_ARGUMENT);
    }
    if (pair.slotsTaken - pair.slotsReleased + chain.size() > pair.sendDepth)
    {
        refusals.insert(VerbsError::NO_MEMORY);
    }
    return refusals;
}

Refusals
ReferenceModel::PostReceive(const PairName& name, const ReceiveWork& work, uint32_t posted) const
{
    const HostRules& host = m_hosts.at(name.host);
    const auto found = host.pairs.find(name.number);
    if (found == host.pairs.end() || found->second.destroyed)
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    if (found->second.sharedQueue)
    {
        return {VerbsError::INVALID_ARGUMENT};
    }
    Refusals refusals;
    if (work.elements.size() > host.limits.elements || work.GetLength() > host.limits.message)
    {
        refusals.insert(VerbsError::INVALID_ARGUMENT);
    }
    if (posted >= found->second.receiveDepth)
    {
        refusals.insert(VerbsError::NO_MEMORY);
    }
    return refusals;
}

void
ReferenceModel::DomainAllocated(uint32_t host, uint32_t domain)
{
    if (domain == 0 || !m_hosts.at(host).domains.emplace(domain, 0).second)
    {
        throw Mismatch("a protection domain got the handle of another");
    }
}

void
ReferenceModel::DomainDestroyed(uint32_t host, uint32_t domain)
{
    m_hosts.at(host).domains.erase(domain);
}

void
ReferenceModel::CompletionQueueCreated(uint32_t host, uint32_t queue, uint32_t depth)
{
    CompletionQueueRules rules;
    rules.depth = depth;
    if (queue == 0 || !m_hosts.at(host).completionQueues.emplace(queue, rules).second)
    {
        throw Mismatch("a completion queue got the number of another");
    }
}

void
ReferenceModel::CompletionQueueDestroyed(uint32_t host, uint32_t queue)
{
    m_hosts.at(host).completionQueues.erase(queue);
}

void
ReferenceModel::PairCreated(const PairName& name, const PairRules& pair)
{
    HostRules& host = m_hosts.at(name.host);
    if (name.number == 0 || !host.pairs.emplace(name.number, pair).second)
    {
        throw Mismatch("a queue pair got the number of another");
    }
    host.domains.at(pair.domain)++;
    host.completionQueues.at(pair.sendQueue).users++;
    host.completionQueues.at(pair.receiveQueue).users++;
    if (pair.sharedQueue)
    {
        host.sharedQueues.at(*pair.sharedQueue).users++;
    }
}

void
ReferenceModel::PairDestroyed(const PairName& name)
{
    HostRules& host = m_hosts.at(name.host);
    PairRules& pair = host.pairs.at(name.number);
    host.domains.at(pair.domain)--;
    host.completionQueues.at(pair.sendQueue).users--;
    host.completionQueues.at(pair.receiveQueue).users--;
    if (pair.sharedQueue)
    {
        SharedQueueRules& shared = host.sharedQueues.at(*pair.sharedQueue);
        shared.users--;
        shared.losses += CountUndelivered(pair);
    }
    pair.destroyed = true;
    pair.state = QueuePairState::ERROR;
    pair.sends.clear();
    pair.receives.clear();
}

void
ReferenceModel::TaggedMade(uint32_t host, uint32_t index, const TaggedMemory& memory)
{
    HostRules& rules = m_hosts.at(host);
    if (index == 0 || !rules.memory.tagged.emplace(index, memory).second)
    {
        throw Mismatch("a region or window got the index of another");
    }
    rules.domains.at(memory.domain)++;
    Evaluate();
}

void
ReferenceModel::TaggedDestroyed(uint32_t host, uint32_t index)
{
    HostRules& rules = m_hosts.at(host);
    rules.domains.at(rules.memory.tagged.at(index).domain)--;
    rules.memory.Close(index);
    rules.memory.tagged.erase(index);
    Evaluate();
}

} // namespace ns3::nfsrdma::reference
