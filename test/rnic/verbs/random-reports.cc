/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"

#include "ns3/boolean.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

void
RandomVerbs::Scribble()
{
    for (uint32_t number = 0; number < m_hosts.size(); number++)
    {
        VerbsHost& host = m_hosts[number];
        if (host.buffers.empty() || !Chance(30))
        {
            continue;
        }
        const Range buffer = Choose(host.buffers);
        std::vector<uint8_t> octets(buffer.length);
        const auto seed = static_cast<uint8_t>(m_random());
        for (std::size_t i = 0; i < octets.size(); i++)
        {
            octets[i] = static_cast<uint8_t>(seed + i * 11 + i / 253);
        }
        host.device->GetHostMemory()->Write(buffer.address, octets);
        (void)m_model->GetHost(number).memory.Settle(buffer.address, octets);
    }
}

void
RandomVerbs::CompareMemory()
{
    for (uint32_t number = 0; number < m_hosts.size(); number++)
    {
        for (const Range& buffer : m_hosts[number].buffers)
        {
            std::vector<uint8_t> octets(buffer.length);
            m_hosts[number].device->GetHostMemory()->Read(buffer.address, octets);
            const auto wrong = m_model->GetHost(number).memory.Settle(buffer.address, octets);
            if (wrong)
            {
                throw Mismatch("host " + std::to_string(number) + ": " + *wrong);
            }
        }
    }
}

void
RandomVerbs::CompareCensus(uint32_t number)
{
    const VerbsHost& host = m_hosts[number];
    HostRules& rules = m_model->GetHost(number);
    const RnicCensus census = host.device->GetCensus();
    const auto require = [number](bool equal, const char* what) {
        if (!equal)
        {
            throw Mismatch("the census of host " + std::to_string(number) + " is wrong about " +
                           what);
        }
    };
    uint32_t sends = 0;
    uint32_t receives = CompareShared(number);
    uint32_t alive = 0;
    for (const auto& pair : host.pairs)
    {
        const PairRules* pairRules = m_model->FindPair({number, pair->GetNumber()});
        if (pairRules != nullptr)
        {
            alive++;
            sends += pair->GetOutstandingSends();
            receives += pair->GetPostedReceives();
            require(m_model->MayBeOutstanding({number, pair->GetNumber()},
                                              pair->GetOutstandingSends(),
                                              pair->GetPostedReceives()),
                    "work outstanding");
            require(pair->GetState() == pairRules->state, "the state of a queue pair");
        }
    }
    for (const auto& queue : host.completionQueues)
    {
        const uint32_t count = queue->GetCount();
        const auto found = rules.completionQueues.find(queue->GetNumber());
        require(found == rules.completionQueues.end() || found->second.entries.size() == count,
                "the entries of a completion queue");
    }
    const auto compareValidity = [&](const auto& objects) {
        for (const auto& object : objects)
        {
            const auto found = rules.memory.tagged.find(object->GetIndex());
            require(found == rules.memory.tagged.end() ? !object->IsValid()
                                                       : found->second.valid == object->IsValid(),
                    "the validity of a region or window");
        }
    };
    compareValidity(host.regions);
    compareValidity(host.windows);
    require(census.protectionDomains == rules.domains.size(), "protection domains");
    require(census.completionQueues == rules.completionQueues.size(), "completion queues");
    require(census.queuePairs == alive, "queue pairs");
    require(census.sharedReceiveQueues == rules.sharedQueues.size(), "shared receive queues");
    require(census.memoryRegions == rules.memory.Count(false), "memory regions");
    require(census.validMemoryRegions == rules.memory.CountValid(false), "valid memory regions");
    require(census.memoryWindows == rules.memory.Count(true), "memory windows");
    require(census.boundMemoryWindows == rules.memory.CountValid(true), "bound memory windows");
    require(census.outstandingSends == sends, "sends");
    require(census.postedReceives == receives, "receives");
}

void
RandomVerbs::Watch(uint32_t host, const Ptr<CompletionQueue>& queue)
{
    const uint32_t number = queue->GetNumber();
    queue->TraceConnectWithoutContext(
        "Completion",
        Callback<void, const WorkCompletion&>([=](const WorkCompletion& completion) {
            Guarded([&] {
                NoteTaken(host);
                m_model->Written(host, number, completion, Now());
                Count(std::string("completions ") + ToString(completion.status));
            });
        }));
    queue->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>([=](AsyncEventType type, uint32_t) {
            Guarded([&] {
                Count(ToString(type));
                m_model->CompletionQueueFailed(host, number, Now());
            });
        }));
    queue->SetNotifyCallback(Callback<void, Ptr<CompletionQueue>>([=](Ptr<CompletionQueue>) {
        Guarded([&] {
            Log("  notified: completion queue " + std::to_string(number) + " of host " +
                std::to_string(host));
            m_model->Notified(host, number);
            if (Chance(50))
            {
                Poll(host, number, Below(8));
            }
            Reenter();
        });
    }));
}

void
RandomVerbs::Watch(uint32_t host, const Ptr<QueuePair>& pair)
{
    const PairName name{host, pair->GetNumber()};
    pair->TraceConnectWithoutContext("State",
                                     Callback<void, QueuePairState, QueuePairState>(
                                         [=](QueuePairState before, QueuePairState after) {
                                             Guarded([&] { StateChanged(name, before, after); });
                                         }));
    pair->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>([=](AsyncEventType type, uint32_t) {
            Guarded([&] {
                Count(ToString(type));
                m_model->PairFailed(name, type);
            });
        }));
}

void
RandomVerbs::StateChanged(const PairName& name, QueuePairState before, QueuePairState after)
{
    Log("  queue pair " + std::to_string(name.number) + " of host " + std::to_string(name.host) +
        ": " + ToString(before) + " -> " + ToString(after));
    if (after == QueuePairState::RTS)
    {
        Count("connections");
        const auto [id, peer] = m_connections.FindConnection(name);
        const IdRules& peerRules = m_connections.Get(peer);
        if (!peerRules.pair)
        {
            throw Mismatch("connected to one that has not answered");
        }
        const auto& pairs = m_hosts[name.host].pairs;
        const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const auto& item) {
            return item->GetNumber() == name.number;
        });
        const bool responder = peerRules.port != 0;
        m_model->Connected(name, *peerRules.pair, responder, (*pair)->GetOrd());
        BooleanValue peerToPeer;
        m_hosts[name.host].device->GetMpaSettings()->GetAttribute("PeerToPeer", peerToPeer);
        m_model->FindPair(name)->heard = peerToPeer.Get();
        if (m_connections.Get(id).disturbed)
        {
            m_model->MayFail(name);
        }
        if (m_hosts[name.host].link->cut || m_hosts[peerRules.host].link->cut)
        {
            m_model->MayEnd(name);
        }
    }
    else
    {
        Disturb(name);
    }
    m_model->StateChanged(name, before, after);
}

void
RandomVerbs::Disturb(const PairName& name)
{
    m_connections.Disturb(name);
    m_model->MayEnd(name);
    const PairRules* rules = m_model->FindPair(name);
    for (const auto& [number, id] : m_connections.GetAll())
    {
        // The peer may be through with startup, and is told by a Terminate.
        if (id.pair == name && id.peer && m_connections.Get(*id.peer).pair && rules != nullptr &&
            rules->state == QueuePairState::IDLE)
        {
            m_model->MayFail(*m_connections.Get(*id.peer).pair);
        }
    }
}

void
RandomVerbs::Watch(uint32_t host, const Ptr<MemoryRegion>& region)
{
    MemoryRegion* watched = PeekPointer(region);
    region->TraceConnectWithoutContext("Register", Callback<void, Stag>([=](Stag stag) {
                                           Guarded([&] {
                                               const MemoryRegistration& made =
                                                   watched->GetRegistration();
                                               TaggedMemory registration;
                                               registration.key = made.key;
                                               registration.access = made.access;
                                               registration.first = made.GetFirstOffset();
                                               registration.range = {made.address, made.length};
                                               m_model->Registered(host, stag, registration);
                                               Count("registrations");
                                           });
                                       }));
    WatchInvalidation(host, region);
}

void
RandomVerbs::Watch(uint32_t host, const Ptr<MemoryWindow>& window)
{
    window->TraceConnectWithoutContext("Bind", Callback<void, Stag>([=](Stag stag) {
                                           Guarded([&] {
                                               m_model->Bound(host, stag);
                                               Count("bindings");
                                           });
                                       }));
    WatchInvalidation(host, window);
}

void
RandomVerbs::WatchInvalidation(uint32_t host, const Ptr<TaggedBuffer>& buffer)
{
    buffer->TraceConnectWithoutContext("Invalidate", Callback<void, Stag>([=](Stag stag) {
                                           Guarded([&] {
                                               m_model->Invalidated(host, stag);
                                               Count("invalidations");
                                           });
                                       }));
}

void
RandomVerbs::Watch(IdNumber number, const Ptr<CmId>& id)
{
    id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
        [=](Ptr<CmId>, const CmEvent& event) { Guarded([&] { HandleEvent(number, event); }); }));
}

} // namespace ns3::nfsrdma::reference
