/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/region-broker.h"

#include "rpcrdma/registration/chunk-registrar.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RegionBroker);

const Time RegionBroker::RETRY = MicroSeconds(40);

TypeId
RegionBroker::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::RegionBroker")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<RegionBroker>();
    return tid;
}

RegionBroker::RegionBroker() = default;
RegionBroker::~RegionBroker() = default;

void
RegionBroker::DoDispose()
{
    m_service.Cancel();
    m_retry.Cancel();
    m_offers.clear();
    m_sinks.clear();
    m_registrars.clear();
    m_device = nullptr;
    Object::DoDispose();
}

Ptr<RegionBroker>
RegionBroker::Of(const Ptr<RnicDevice>& device)
{
    Ptr<RegionBroker> broker = device->GetObject<RegionBroker>();
    if (!broker)
    {
        broker = CreateObject<RegionBroker>();
        broker->m_device = PeekPointer(device);
        device->AggregateObject(broker);
    }
    return broker;
}

void
RegionBroker::Enroll(ChunkRegistrar& registrar)
{
    m_registrars.push_back(&registrar);
}

void
RegionBroker::Withdraw(ChunkRegistrar& registrar)
{
    m_registrars.erase(std::remove(m_registrars.begin(), m_registrars.end(), &registrar),
                       m_registrars.end());
    Notify();
}

void
RegionBroker::Wait(RegionUse use, Waiter waiter)
{
    (use == RegionUse::OFFER ? m_offers : m_sinks).push_back(std::move(waiter));
    Notify();
}

void
RegionBroker::Cancel(const void* owner)
{
    for (Waiters* waiters : {&m_offers, &m_sinks})
    {
        waiters->erase(
            std::remove_if(waiters->begin(),
                           waiters->end(),
                           [owner](const Waiter& waiter) { return waiter.owner == owner; }),
            waiters->end());
    }
    if (m_trying == owner)
    {
        m_trying = nullptr;
    }
    Leave(owner);
    Notify();
}

bool
RegionBroker::IsWaiting(const void* owner) const
{
    const auto isOwner = [owner](const Waiter& waiter) { return waiter.owner == owner; };
    return std::any_of(m_offers.begin(), m_offers.end(), isOwner) ||
           std::any_of(m_sinks.begin(), m_sinks.end(), isOwner);
}

uint32_t
RegionBroker::GetMaximum() const
{
    return m_device->GetSettings().maxMrs;
}

uint32_t
RegionBroker::CountUsed(RegionUse use) const
{
    uint32_t count = 0;
    for (const ChunkRegistrar* registrar : m_registrars)
    {
        count += registrar->CountUsed(use);
    }
    return count;
}

bool
RegionBroker::IsIdle() const
{
    return !m_alone &&
           std::all_of(m_registrars.begin(),
                       m_registrars.end(),
                       [](const ChunkRegistrar* registrar) { return !registrar->IsUsed(); });
}

bool
RegionBroker::HasCapacity(const ChunkRegistrar& registrar, RegionUse use) const
{
    const uint32_t maximum = GetMaximum();
    if (!m_bothUses || use == RegionUse::SINK || maximum <= 1 ||
        m_device->GetStagTable().GetRegions().alive + 1 < maximum)
    {
        return true;
    }
    return CountUsed(RegionUse::OFFER) + (registrar.NeedsRegion() ? 1 : 0) < maximum;
}

bool
RegionBroker::HasTurn(const ChunkRegistrar& registrar) const
{
    return m_turn == &registrar;
}

bool
RegionBroker::MayTake(const ChunkRegistrar& registrar, RegionUse use) const
{
    if (!HasTurn(registrar))
    {
        const bool passes = use == RegionUse::SINK && GetMaximum() > 1;
        if (!m_sinks.empty() || (!m_offers.empty() && !passes))
        {
            return false;
        }
    }
    if (use == RegionUse::SINK && !m_offers.empty() && CountUsed(RegionUse::SINK) > 0)
    {
        return false;
    }
    return HasCapacity(registrar, use);
}

bool
RegionBroker::TakeBack(bool pages)
{
    return std::any_of(m_registrars.begin(),
                       m_registrars.end(),
                       [pages](ChunkRegistrar* registrar) { return registrar->GiveBack(pages); });
}

void
RegionBroker::Notify()
{
    const bool isOwn = m_trying != nullptr; // What an attempt gives back it has taken itself.
    if (!isOwn && HasWaiters() && !IsPending(m_service))
    {
        m_service = Simulator::ScheduleNow(&RegionBroker::Serve, this);
    }
}

void
RegionBroker::Serve()
{
    while (!m_sinks.empty() && ServeFirst(m_sinks, RegionUse::SINK))
    {
    }
    if (!m_sinks.empty() && GetMaximum() <= 1)
    {
        return;
    }
    while (!m_offers.empty() && ServeFirst(m_offers, RegionUse::OFFER))
    {
    }
}

RegionBroker::Attempt
RegionBroker::Try(const Waiter& waiter)
{
    m_turn = waiter.registrar;
    m_trying = waiter.owner;
    const Attempt attempt = waiter.attempt();
    const bool cancelled = m_trying == nullptr;
    m_turn = nullptr;
    m_trying = nullptr;
    return cancelled ? Attempt::SERVED : attempt;
}

bool
RegionBroker::ServeFirst(Waiters& waiters, RegionUse use)
{
    const Waiter first = std::move(waiters.front());
    waiters.pop_front();
    const Attempt attempt = Try(first);
    if (attempt == Attempt::SERVED)
    {
        return true;
    }
    const bool others = use == RegionUse::OFFER && !m_sinks.empty();
    if (attempt == Attempt::SHORT && !others && IsIdle())
    {
        first.never();
        return true;
    }
    waiters.push_front(first);
    if (attempt == Attempt::DELAYED)
    {
        m_retry.Cancel();
        m_retry = Simulator::Schedule(RETRY, &RegionBroker::Notify, this);
    }
    return false;
}

void
RegionBroker::EndTurn(const ChunkRegistrar& registrar)
{
    if (HasTurn(registrar))
    {
        m_turn = nullptr;
    }
}

bool
RegionBroker::Enter(const void* owner, const ChunkRegistrar& registrar)
{
    if (m_alone || (HasWaiters() && !HasTurn(registrar)))
    {
        return false;
    }
    m_alone = owner;
    return true;
}

void
RegionBroker::Leave(const void* owner)
{
    if (m_alone == owner)
    {
        m_alone = nullptr;
        Notify();
    }
}

} // namespace ns3::nfsrdma
