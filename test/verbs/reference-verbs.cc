/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "verbs/reference-model.h"

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
                            IsSize(pair.receiveDepth, rules.limits.queueDepth);
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
                rules.memory.tagged.size(),
                rules.limits.regions);
}

Refusals
ReferenceModel::DestroyRegion(uint32_t host, uint32_t region) const
{
    return IsAlive(m_hosts.at(host).memory.tagged, region) ? Refusals{}
                                                           : Refusals{VerbsError::INVALID_ARGUMENT};
}

bool
ReferenceModel::IsWellFormed(const HostRules& host, const SendWork& work)
{
    if (work.opcode == Opcode::LOCAL_INVALIDATE)
    {
        return true;
    }
    if (work.opcode == Opcode::REGISTER_MR)
    {
        const auto region = host.memory.tagged.find(work.region.value_or(0));
        const TaggedMemory& registration = work.registration;
        const uint64_t length = registration.range.length;
        constexpr uint64_t PAGE = 4096;
        const uint64_t pages = (registration.range.address % PAGE + length + PAGE - 1) / PAGE;
        const bool writesRemotely = (registration.access & (REMOTE_WRITE | REMOTE_ATOMIC)) != 0;
        return region != host.memory.tagged.end() && length != 0 &&
               pages <= region->second.maxPages && host.memory.Contains(registration.range) &&
               (!writesRemotely || (registration.access & LOCAL_WRITE) != 0) &&
               length <= std::numeric_limits<uint64_t>::max() - registration.first;
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
            return IsWellFormed(host, work);
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
}

void
ReferenceModel::PairDestroyed(const PairName& name)
{
    HostRules& host = m_hosts.at(name.host);
    PairRules& pair = host.pairs.at(name.number);
    host.domains.at(pair.domain)--;
    host.completionQueues.at(pair.sendQueue).users--;
    host.completionQueues.at(pair.receiveQueue).users--;
    pair.destroyed = true;
    pair.state = QueuePairState::ERROR;
    pair.sends.clear();
    pair.receives.clear();
}

void
ReferenceModel::RegionAllocated(uint32_t host, uint32_t index, uint32_t domain, uint32_t pages)
{
    HostRules& rules = m_hosts.at(host);
    TaggedMemory region;
    region.domain = domain;
    region.maxPages = pages;
    if (index == 0 || !rules.memory.tagged.emplace(index, region).second)
    {
        throw Mismatch("a memory region got the index of another");
    }
    rules.domains.at(domain)++;
    Evaluate();
}

void
ReferenceModel::RegionDestroyed(uint32_t host, uint32_t index)
{
    HostRules& rules = m_hosts.at(host);
    rules.domains.at(rules.memory.tagged.at(index).domain)--;
    rules.memory.tagged.erase(index);
    Evaluate();
}

} // namespace ns3::nfsrdma::reference
