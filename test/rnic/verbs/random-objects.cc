/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"
#include "rnic/verbs/verb-result.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

namespace
{

template <typename T>
bool
Holds(const std::vector<Ptr<T>>& objects, const Ptr<T>& object)
{
    return object && std::find(objects.begin(), objects.end(), object) != objects.end();
}

} // namespace

uint32_t
RandomVerbs::ToAlive(uint32_t host, const Ptr<ProtectionDomain>& domain)
{
    return Holds(m_hosts[host].domains, domain) ? domain->GetHandle() : 0;
}

uint32_t
RandomVerbs::ToAlive(uint32_t host, const Ptr<CompletionQueue>& queue)
{
    return Holds(m_hosts[host].completionQueues, queue) ? queue->GetNumber() : 0;
}

uint32_t
RandomVerbs::ToAlive(uint32_t host, const Ptr<QueuePair>& pair)
{
    return Holds(m_hosts[host].pairs, pair) ? pair->GetNumber() : 0;
}

uint32_t
RandomVerbs::ToAlive(uint32_t host, const Ptr<MemoryRegion>& region)
{
    return Holds(m_hosts[host].regions, region) ? region->GetIndex() : 0;
}

Ptr<ProtectionDomain>
RandomVerbs::ChooseDomain(uint32_t host)
{
    const auto& domains = m_hosts[host].domains;
    const auto first = std::find_if(domains.begin(), domains.end(), [](const auto& domain) {
        return domain->GetHandle() != 0;
    });
    return first != domains.end() && Chance(70) ? *first : ChooseObject(&VerbsHost::domains, host);
}

uint32_t
RandomVerbs::ToAlive(uint32_t host, const Ptr<MemoryWindow>& window)
{
    return Holds(m_hosts[host].windows, window) ? window->GetIndex() : 0;
}

void
RandomVerbs::AllocateDomain()
{
    const uint32_t host = ChooseHost();
    const Refusals refusals = m_model->AllocateDomain(host);
    const auto domain = m_hosts[host].device->AllocateProtectionDomain();
    Check(On("allocate domain", host, domain ? (*domain)->GetHandle() : 0),
          refusals,
          GetError(domain));
    if (domain)
    {
        m_model->DomainAllocated(host, (*domain)->GetHandle());
        m_hosts[host].domains.push_back(*domain);
    }
}

void
RandomVerbs::DestroyDomain()
{
    const uint32_t host = ChooseHost();
    const auto domain = ChooseObject(&VerbsHost::domains, host);
    const uint32_t handle = ToAlive(host, domain);
    const Refusals refusals = m_model->DestroyDomain(host, handle);
    const auto result = m_hosts[host].device->Destroy(domain);
    Check(On("destroy domain", host, handle), refusals, GetError(result));
    if (result)
    {
        m_model->DomainDestroyed(host, handle);
        Forget(m_hosts[host].domains, [](const auto& item) { return item->GetHandle() != 0; });
    }
}

void
RandomVerbs::CreateCompletionQueue()
{
    const uint32_t host = ChooseHost();
    const uint32_t limit = m_model->GetHost(host).limits.completionDepth;
    const uint32_t depth = Chance(5)    ? (Chance(50) ? 0 : limit + 1)
                           : Chance(20) ? 1 + Below(8)
                                        : limit;
    const Refusals refusals = m_model->CreateCompletionQueue(host, depth);
    const auto queue = m_hosts[host].device->CreateCompletionQueue(depth);
    Check(On("create completion queue", host, queue ? (*queue)->GetNumber() : 0),
          refusals,
          GetError(queue));
    if (queue)
    {
        m_model->CompletionQueueCreated(host, (*queue)->GetNumber(), depth);
        m_hosts[host].completionQueues.push_back(*queue);
        Watch(host, *queue);
    }
}

void
RandomVerbs::DestroyCompletionQueue()
{
    const uint32_t host = ChooseHost();
    const auto queue = ChooseUsable(&VerbsHost::completionQueues, host, [](const auto& item) {
        return item->IsDead() && !item->IsUsed();
    });
    if (queue && !queue->IsDead() && !Chance(20))
    {
        return;
    }
    const uint32_t number = ToAlive(host, queue);
    const Refusals refusals = m_model->DestroyCompletionQueue(host, number);
    const auto result = m_hosts[host].device->Destroy(queue);
    Check(On("destroy completion queue", host, number), refusals, GetError(result));
    if (result)
    {
        m_model->CompletionQueueDestroyed(host, number);
        const auto& alive = m_model->GetHost(host).completionQueues;
        Forget(m_hosts[host].completionQueues,
               [&](const auto& item) { return alive.count(item->GetNumber()) != 0; });
    }
}

void
RandomVerbs::CreatePair()
{
    const uint32_t host = ChooseHost();
    const auto& alive = m_model->GetHost(host);
    const auto isUsable = [&](const Ptr<CompletionQueue>& queue) {
        return alive.completionQueues.count(queue->GetNumber()) != 0 && !queue->IsDead();
    };
    const auto domain = ChooseDomain(host);
    const auto sendQueue = ChooseUsable(&VerbsHost::completionQueues, host, isUsable);
    const auto receiveQueue = ChooseUsable(&VerbsHost::completionQueues, host, isUsable);
    const uint32_t limit = m_model->GetHost(host).limits.queueDepth;
    const auto chooseDepth = [&]() -> uint32_t {
        return Chance(3) ? (Chance(50) ? 0 : limit + 1) : 1 + Below(limit);
    };
    PairRules rules;
    rules.domain = ToAlive(host, domain);
    rules.sendQueue = ToAlive(host, sendQueue);
    rules.receiveQueue = ToAlive(host, receiveQueue);
    rules.sendDepth = chooseDepth();
    rules.receiveDepth = chooseDepth();
    rules.maxInline = Chance(50) ? Below(alive.limits.inlineOctets + 1) : 0;
    const auto shared = Chance(40) ? ChooseObject(&VerbsHost::sharedQueues, host) : nullptr;
    if (shared)
    {
        rules.sharedQueue = ToAlive(host, shared);
    }
    QueuePairCapabilities capabilities;
    capabilities.sharedReceiveQueue = shared;
    capabilities.maxInline = rules.maxInline;
    capabilities.sendDepth = rules.sendDepth;
    capabilities.receiveDepth = rules.receiveDepth;
    // A queue that has just lost an entry is dead before it says so.
    const bool dead =
        (sendQueue && sendQueue->IsDead()) || (receiveQueue && receiveQueue->IsDead());
    const Refusals refusals = dead ? Refusals{VerbsError::INVALID_ARGUMENT, VerbsError::NO_MEMORY}
                                   : m_model->CreatePair(host, rules);
    const auto pair =
        m_hosts[host].device->CreateQueuePair(domain, sendQueue, receiveQueue, capabilities);
    Check(On("create queue pair", host, pair ? (*pair)->GetNumber() : 0), refusals, GetError(pair));
    if (pair)
    {
        m_model->PairCreated({host, (*pair)->GetNumber()}, rules);
        m_hosts[host].pairs.push_back(*pair);
        Watch(host, *pair);
    }
}

void
RandomVerbs::DestroyPair()
{
    const uint32_t host = ChooseHost();
    const auto& pairs = m_hosts[host].pairs;
    const auto failed = std::find_if(pairs.begin(), pairs.end(), [&](const auto& item) {
        return item->GetState() == QueuePairState::ERROR &&
               m_model->FindPair({host, item->GetNumber()}) != nullptr;
    });
    const bool any = Chance(4);
    if (!any && failed == pairs.end())
    {
        return;
    }
    const auto pair = any ? ChooseObject(&VerbsHost::pairs, host) : *failed;
    const uint32_t number = ToAlive(host, pair);
    NoteTaken(host);
    const Refusals refusals = m_model->DestroyPair(host, number);
    if (refusals.empty())
    {
        Disturb({host, number});
    }
    const auto result = m_hosts[host].device->Destroy(pair);
    Check(On("destroy queue pair", host, number), refusals, GetError(result));
    if (result)
    {
        m_model->PairDestroyed({host, number});
        Forget(m_hosts[host].pairs, [&](const auto& item) {
            return m_model->FindPair({host, item->GetNumber()}) != nullptr;
        });
    }
}

void
RandomVerbs::AllocateRegion()
{
    const uint32_t host = ChooseHost();
    const auto domain = ChooseDomain(host);
    const uint32_t limit = m_model->GetHost(host).limits.regionPages;
    const uint32_t pages = Chance(5) ? (Chance(50) ? 0 : limit + 1) : 1 + Below(limit);
    const Refusals refusals = m_model->AllocateRegion(host, ToAlive(host, domain), pages);
    const auto region = m_hosts[host].device->AllocateMemoryRegion(domain, pages);
    Check(On("allocate region", host, region ? (*region)->GetIndex() : 0),
          refusals,
          GetError(region));
    if (region)
    {
        TaggedMemory memory;
        memory.domain = ToAlive(host, domain);
        memory.maxPages = pages;
        m_model->TaggedMade(host, (*region)->GetIndex(), memory);
        m_hosts[host].regions.push_back(*region);
        Watch(host, *region);
    }
}

void
RandomVerbs::RegisterMemory()
{
    const uint32_t host = ChooseHost();
    const auto domain = ChooseDomain(host);
    if (m_hosts[host].buffers.empty())
    {
        return;
    }
    const Range buffer = Choose(m_hosts[host].buffers);
    TaggedMemory region;
    region.domain = ToAlive(host, domain);
    region.regular = true;
    region.valid = true;
    region.access = ChooseAccess() | (Chance(1) ? 0x100 : 0);
    region.range = {buffer.address + Below(Chance(95) ? 1 : 100),
                    Chance(1) ? 0 : 1 + Below(buffer.length)};
    const uint64_t iova = Chance(95) ? region.range.address : m_random();
    region.first = (region.access & ZERO_BASED) != 0 ? 0 : iova;
    const Refusals refusals = m_model->RegisterMemory(host, region);
    const auto made = m_hosts[host].device->RegisterMemory(domain,
                                                           region.range.address,
                                                           region.range.length,
                                                           region.access,
                                                           iova);
    Check(On("register memory", host, made ? (*made)->GetStag() : 0), refusals, GetError(made));
    if (made)
    {
        region.key = (*made)->GetStag() & 0xff;
        m_model->TaggedMade(host, (*made)->GetIndex(), region);
        m_hosts[host].regions.push_back(*made);
        Watch(host, *made);
    }
}

void
RandomVerbs::AllocateWindow()
{
    const uint32_t host = ChooseHost();
    const auto domain = ChooseDomain(host);
    const Refusals refusals = m_model->AllocateWindow(host, ToAlive(host, domain));
    const auto window = m_hosts[host].device->AllocateMemoryWindow(domain);
    Check(On("allocate window", host, window ? (*window)->GetIndex() : 0),
          refusals,
          GetError(window));
    if (window)
    {
        TaggedMemory memory;
        memory.domain = ToAlive(host, domain);
        memory.window = true;
        m_model->TaggedMade(host, (*window)->GetIndex(), memory);
        m_hosts[host].windows.push_back(*window);
        Watch(host, *window);
    }
}

template <typename T>
void
RandomVerbs::DestroyTagged(std::vector<Ptr<T>> VerbsHost::*objects, bool window)
{
    const uint32_t host = ChooseHost();
    const auto object = ChooseObject(objects, host);
    const uint32_t index = ToAlive(host, object);
    const Refusals refusals = m_model->DestroyTagged(host, index, window);
    const auto result = m_hosts[host].device->Destroy(object);
    Check(On(window ? "destroy window" : "destroy region", host, index),
          refusals,
          GetError(result));
    if (result)
    {
        m_model->TaggedDestroyed(host, index);
        Forget(m_hosts[host].*objects, [](const auto& item) { return item->GetIndex() != 0; });
    }
}

void
RandomVerbs::DestroyRegion()
{
    DestroyTagged(&VerbsHost::regions, false);
}

void
RandomVerbs::DestroyWindow()
{
    DestroyTagged(&VerbsHost::windows, true);
}

void
RandomVerbs::AllocateBuffer()
{
    constexpr std::size_t MOST = 8;
    const uint32_t number = ChooseHost();
    VerbsHost& host = m_hosts[number];
    if (host.buffers.size() >= MOST)
    {
        return;
    }
    const Range buffer{0, 1 + Below(Chance(30) ? 100 : 9000)};
    const uint64_t address = host.device->GetHostMemory()->Allocate(buffer.length);
    std::vector<uint8_t> octets(buffer.length);
    std::generate(octets.begin(), octets.end(), [this] {
        return static_cast<uint8_t>(m_random());
    });
    host.device->GetHostMemory()->Write(address, octets);
    Log(On("allocate buffer", number, buffer.length) + " at " + std::to_string(address));
    m_model->GetHost(number).memory.Allocate(address, std::move(octets));
    m_model->MemoryChanged();
    host.buffers.push_back({address, buffer.length});
}

/// Registered memory is not freed: that is the consumer's duty.
void
RandomVerbs::FreeBuffer()
{
    const uint32_t number = ChooseHost();
    VerbsHost& host = m_hosts[number];
    if (host.buffers.size() < 3)
    {
        return;
    }
    const std::size_t chosen = Below(host.buffers.size());
    const uint64_t address = host.buffers[chosen].address;
    const auto isInside = [&](const Range& range) {
        return range.address >= address && range.address <= address + host.buffers[chosen].length;
    };
    const HostRules& rules = m_model->GetHost(number);
    for (const auto& [index, memory] : rules.memory.tagged)
    {
        if (memory.valid && isInside(memory.range))
        {
            return;
        }
    }
    for (const auto& [pairNumber, pair] : rules.pairs)
    {
        for (const auto& work : pair.sends)
        {
            if (work->opcode == Opcode::REGISTER_MR && isInside(work->registration.range))
            {
                return;
            }
        }
    }
    Log(On("free buffer", number, chosen));
    host.device->GetHostMemory()->Free(address);
    m_model->GetHost(number).memory.Free(address);
    m_model->MemoryChanged();
    host.buffers.erase(host.buffers.begin() + chosen);
}

void
RandomVerbs::Poll(uint32_t host, uint32_t number, uint64_t most)
{
    const auto& queues = m_hosts[host].completionQueues;
    const auto queue = std::find_if(queues.begin(), queues.end(), [number](const auto& item) {
        return item->GetNumber() == number;
    });
    if (queue == queues.end() || m_model->GetHost(host).completionQueues.count(number) == 0)
    {
        return;
    }
    const Ptr<CompletionQueue> polled = *queue;
    for (uint64_t i = 0; i < most; i++)
    {
        const auto completion = polled->Poll();
        m_model->Polled(host, number, completion, Now());
        if (!completion)
        {
            return;
        }
    }
}

void
RandomVerbs::PollOne()
{
    const uint32_t host = ChooseHost();
    const auto queue = ChooseObject(&VerbsHost::completionQueues, host);
    const uint32_t number = ToAlive(host, queue);
    if (m_model->GetHost(host).completionQueues.count(number) != 0)
    {
        Poll(host, number, 1);
    }
    else if (queue && ToAlive(host, queue) != 0 && queue->Poll())
    {
        throw Mismatch("an entry of a destroyed completion queue");
    }
}

void
RandomVerbs::PollAll()
{
    const uint32_t host = ChooseHost();
    for (const auto& queue : std::vector<Ptr<CompletionQueue>>(m_hosts[host].completionQueues))
    {
        Poll(host, queue->GetNumber(), ~uint64_t{0});
    }
}

void
RandomVerbs::Arm()
{
    const uint32_t host = ChooseHost();
    const auto queue = ChooseObject(&VerbsHost::completionQueues, host);
    const auto found = m_model->GetHost(host).completionQueues.find(ToAlive(host, queue));
    if (queue && (found != m_model->GetHost(host).completionQueues.end()))
    {
        const NotifyKind kind = Chance(50) ? NotifyKind::SOLICITED : NotifyKind::NEXT;
        Log(On(kind == NotifyKind::NEXT ? "arm" : "arm, solicited", host, queue->GetNumber()));
        queue->RequestNotify(kind);
        if (found->second.armed != NotifyKind::NEXT)
        {
            found->second.armed = kind;
        }
    }
}

} // namespace ns3::nfsrdma::reference
