/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"
#include "rnic/verbs/verb-result.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

uint32_t
RandomVerbs::ToAlive(uint32_t host, const Ptr<SharedReceiveQueue>& queue)
{
    const auto& queues = m_hosts[host].sharedQueues;
    return queue && std::find(queues.begin(), queues.end(), queue) != queues.end()
               ? queue->GetNumber()
               : 0;
}

void
RandomVerbs::CreateSharedQueue()
{
    const uint32_t host = ChooseHost();
    const auto domain = ChooseDomain(host);
    const Limits& limits = m_model->GetHost(host).limits;
    SharedQueueRules rules;
    rules.domain = ToAlive(host, domain);
    rules.depth =
        Chance(5) ? (Chance(50) ? 0 : limits.sharedDepth + 1) : 1 + Below(limits.sharedDepth);
    rules.maxElements =
        Chance(5) ? (Chance(50) ? 0 : limits.elements + 1) : 1 + Below(limits.elements);
    const Refusals refusals = m_model->CreateSharedQueue(host, rules);
    const auto queue =
        m_hosts[host].device->CreateSharedReceiveQueue(domain, rules.depth, rules.maxElements);
    Check(On("create shared receive queue", host, queue ? (*queue)->GetNumber() : 0),
          refusals,
          GetError(queue));
    if (queue)
    {
        m_model->SharedQueueCreated(host, (*queue)->GetNumber(), rules);
        m_hosts[host].sharedQueues.push_back(*queue);
        Watch(host, *queue);
    }
}

void
RandomVerbs::DestroySharedQueue()
{
    const uint32_t host = ChooseHost();
    const auto queue = ChooseObject(&VerbsHost::sharedQueues, host);
    const uint32_t number = ToAlive(host, queue);
    const Refusals refusals = m_model->DestroySharedQueue(host, number);
    const auto result = m_hosts[host].device->Destroy(queue);
    Check(On("destroy shared receive queue", host, number), refusals, GetError(result));
    if (result)
    {
        m_model->SharedQueueDestroyed(host, number);
        const auto& alive = m_model->GetHost(host).sharedQueues;
        Forget(m_hosts[host].sharedQueues,
               [&](const auto& item) { return alive.count(item->GetNumber()) != 0; });
    }
}

void
RandomVerbs::PostShared()
{
    const uint32_t host = ChooseHost();
    const auto queue = ChooseObject(&VerbsHost::sharedQueues, host);
    if (ToAlive(host, queue) != 0)
    {
        PostShared(host, queue);
    }
}

void
RandomVerbs::PostShared(uint32_t host, const Ptr<SharedReceiveQueue>& queue)
{
    constexpr uint64_t LONG = 200;
    const HostRules& rules = m_model->GetHost(host);
    const auto found = rules.sharedQueues.find(queue->GetNumber());
    const bool alive = found != rules.sharedQueues.end();
    ReceiveWork work;
    work.id = m_nextWork++;
    // One that is short or no longer valid is in the way of all the queue pairs, so few are.
    for (uint32_t tries = 0; tries < 8; tries++)
    {
        work.elements = ChooseElements(host,
                                       alive ? found->second.domain : 0,
                                       rules.limits.message,
                                       LOCAL_WRITE);
        const bool lasts = std::all_of(work.elements.begin(),
                                       work.elements.end(),
                                       [](const Element& element) { return element.lkey == 0; });
        const bool fits = alive && work.elements.size() <= found->second.maxElements;
        if ((fits || Chance(5)) && (work.GetLength() >= LONG || Chance(2)) && (lasts || Chance(30)))
        {
            break;
        }
    }
    ReceiveWorkRequest request;
    request.id = work.id;
    for (const Element& element : work.elements)
    {
        request.elements.push_back({element.address, element.length, element.lkey});
    }
    NoteTaken(host);
    const Refusals refusals = m_model->PostShared(host, queue->GetNumber(), work);
    const auto result = queue->PostReceive(request);
    Check(On("post shared receive", host, queue->GetNumber()) + " " + std::to_string(work.id) +
              " of " + std::to_string(work.GetLength()),
          refusals,
          GetError(result));
    if (result)
    {
        m_model->SharedPosted(host, queue->GetNumber(), work);
    }
}

void
RandomVerbs::ArmShared()
{
    const uint32_t host = ChooseHost();
    const auto queue = ChooseObject(&VerbsHost::sharedQueues, host);
    const uint32_t number = ToAlive(host, queue);
    if (number == 0)
    {
        return;
    }
    NoteTaken(host);
    const uint32_t limit = Below(queue->GetDepth() + (Chance(10) ? 3 : 1));
    const Refusals refusals = m_model->ArmShared(host, number, limit);
    const auto result = queue->Arm(limit);
    Check(On("arm shared receive queue", host, number) + " at " + std::to_string(limit),
          refusals,
          GetError(result));
    if (result)
    {
        m_model->SharedArmed(host, number, limit);
    }
}

void
RandomVerbs::Watch(uint32_t host, const Ptr<SharedReceiveQueue>& queue)
{
    const uint32_t number = queue->GetNumber();
    queue->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>([=](AsyncEventType type, uint32_t told) {
            Guarded([&] {
                Log("  " + On(ToString(type), host, number));
                Count(ToString(type));
                Require(type == AsyncEventType::SRQ_LIMIT_REACHED && told == number,
                        "a wrong event of a shared receive queue");
                NoteTaken(host);
                m_model->SharedLimitReached(host, number);
                if (Chance(20))
                {
                    DestroySharedQueue();
                }
                Reenter();
            });
        }));
}

void
RandomVerbs::NoteTaken(uint32_t host)
{
    const auto& alive = m_model->GetHost(host).sharedQueues;
    for (const auto& queue : m_hosts[host].sharedQueues)
    {
        if (alive.count(queue->GetNumber()) != 0)
        {
            m_model->SharedTaken(host, queue->GetNumber(), queue->GetPosted());
        }
    }
}

uint32_t
RandomVerbs::CompareShared(uint32_t host)
{
    NoteTaken(host);
    uint32_t posted = 0;
    for (const auto& queue : m_hosts[host].sharedQueues)
    {
        const auto& alive = m_model->GetHost(host).sharedQueues;
        const auto rules = alive.find(queue->GetNumber());
        if (rules == alive.end())
        {
            continue;
        }
        posted += queue->GetPosted();
        uint32_t held = 0;
        for (const auto& pair : m_hosts[host].pairs)
        {
            const PairRules* user = m_model->FindPair({host, pair->GetNumber()});
            held += user != nullptr && user->sharedQueue == rules->first ? pair->GetPostedReceives()
                                                                         : 0;
        }
        Require(held <= rules->second.taken.size(),
                "queue pairs hold more than they have taken from a shared receive queue");
        Require(queue->GetLimit() == rules->second.limit,
                "the limit of a shared receive queue is wrong");
        Require(queue->GetDepth() == rules->second.depth,
                "the depth of a shared receive queue is wrong");
    }
    return posted;
}

void
RandomVerbs::PrepareShared(const PairName& peer, SendWork& work)
{
    if (Chance(1))
    {
        return;
    }
    NoteTaken(peer.host);
    const uint32_t number = *m_model->FindPair(peer)->sharedQueue;
    const auto& queues = m_hosts[peer.host].sharedQueues;
    const auto queue = std::find_if(queues.begin(), queues.end(), [number](const auto& item) {
        return item->GetNumber() == number;
    });
    if (!m_model->SufficesShared(peer.host, number, 1))
    {
        const Ptr<SharedReceiveQueue> posted = *queue;
        PostShared(peer.host, posted);
    }
    const SharedQueueRules& rules = m_model->GetHost(peer.host).sharedQueues.at(number);
    if (!m_model->SufficesShared(peer.host, number, 1))
    {
        work.opcode = Opcode::RDMA_WRITE;
        work.invalidateStag = 0;
        work.elements.clear();
        return;
    }
    uint64_t room = work.GetLength();
    for (const ReceiveWork& receive : rules.taken)
    {
        room = std::min(room, receive.GetLength());
    }
    for (const ReceiveWork& receive : rules.posted)
    {
        room = std::min(room, receive.GetLength());
    }
    work.elements = Clip(work.elements, room);
}

} // namespace ns3::nfsrdma::reference
