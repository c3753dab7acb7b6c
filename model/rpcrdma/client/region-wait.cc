/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/region-wait.h"

#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

RpcRdmaRegionWait::RpcRdmaRegionWait(ChunkRegistrar& registrar,
                                     Time allocationTime,
                                     Ready ready,
                                     Never never)
    : m_registrar(registrar),
      m_broker(*registrar.GetBroker()),
      m_allocationTime(allocationTime),
      m_ready(std::move(ready)),
      m_never(std::move(never))
{
}

RpcRdmaRegionWait::~RpcRdmaRegionWait()
{
    m_refresh.Cancel();
    m_broker.Cancel(this);
}

void
RpcRdmaRegionWait::ExpectSinks()
{
    m_broker.ExpectSinks();
    m_solo = m_broker.IsSolo();
}

void
RpcRdmaRegionWait::Leave()
{
    if (m_solo)
    {
        m_broker.Leave(this);
    }
}

void
RpcRdmaRegionWait::EndTurn()
{
    m_reclaimed = false;
    m_broker.EndTurn(m_registrar);
}

void
RpcRdmaRegionWait::Begin()
{
    m_waiting = true;
    if (!m_broker.HasTurn(m_registrar))
    {
        m_refresh = Simulator::Schedule(m_allocationTime, &RpcRdmaRegionWait::Refresh, this);
    }
}

void
RpcRdmaRegionWait::Release(bool some)
{
    m_reclaimed = m_reclaimed && !some;
    if (!IsPending(m_refresh) && !m_broker.IsWaiting(this))
    {
        m_waiting = false;
    }
}

void
RpcRdmaRegionWait::Refresh()
{
    using Shortage = ChunkRegistrar::Shortage;
    const Shortage shortage = m_registrar.GetShortage();
    const bool pages = shortage == Shortage::PINNED || shortage == Shortage::PRESSURE;
    if (m_solo || m_broker.HasWaiters())
    {
        AwaitTurn();
        return;
    }
    if (pages ? shortage == Shortage::PRESSURE : m_registrar.Grow(m_segments) > 0)
    {
        m_waiting = false;
    }
    else if (!m_reclaimed && m_registrar.Reclaim())
    {
        m_reclaimed = true;
        m_waiting = false;
    }
    else if (m_registrar.GetShortage() == Shortage::REFUSED)
    {
        Begin();
        return;
    }
    else
    {
        AwaitTurn();
        return;
    }
    m_ready();
}

void
RpcRdmaRegionWait::AwaitTurn()
{
    RegionBroker::Waiter waiter;
    waiter.owner = this;
    waiter.registrar = &m_registrar;
    waiter.attempt = [this] {
        m_waiting = false;
        m_ready();
        if (!m_waiting || IsPending(m_refresh))
        {
            return RegionBroker::Attempt::SERVED;
        }
        return m_registrar.IsShortForNow() ? RegionBroker::Attempt::DELAYED
                                           : RegionBroker::Attempt::SHORT;
    };
    waiter.never = [this] {
        m_waiting = false;
        m_reclaimed = false;
        m_never(m_registrar.DescribeShortage());
        m_ready();
    };
    m_broker.Wait(RegionUse::OFFER, std::move(waiter));
}

} // namespace ns3::nfsrdma
