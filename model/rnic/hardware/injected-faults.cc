/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/injected-faults.h"

#include "mpa/internet-address.h"
#include "rnic/connect/cm-id.h"
#include "rnic/connect/kept-streams.h"
#include "rnic/hardware/device.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

bool
IsWith(const CmId& id, const RnicFaults::Peer& peer)
{
    return !peer || GetHostOf(id.GetPeerAddress()) == *peer;
}

/// \return queue pairs of connections with \p peer, in the order in which they were begun.
std::vector<Ptr<QueuePair>>
FindPairs(const RnicDevice& device, const RnicFaults::Peer& peer)
{
    std::vector<Ptr<QueuePair>> pairs;
    for (const auto& id : device.ListIds())
    {
        const auto pair = id->GetQueuePair();
        if (pair && id->IsActive() && IsWith(*id, peer))
        {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

} // namespace

RnicFaults::RnicFaults(RnicDevice& device)
    : m_device(device)
{
}

void
RnicFaults::Leave()
{
    if (m_failures != 0)
    {
        return;
    }
    ++m_failures;
    m_isLeaving = true;
    for (const auto& id : m_device.ListIds())
    {
        id->HandleLeaving();
    }
}

void
RnicFaults::Fail()
{
    if (std::exchange(m_isLeaving, false))
    {
        ++m_device.Counters().deviceFailures;
    }
    else
    {
        if (m_failures++ != 0)
        {
            return;
        }
        ++m_device.Counters().deviceFailures;
        m_device.ReportFatal();
    }
    for (const auto& id : m_device.ListIds())
    {
        id->HandleRemoval();
    }
    m_device.GetKeptStreams().Abort();
    for (const auto& pair : m_device.ListQueuePairs())
    {
        pair->Abort();
    }
    m_device.GetStagTable().InvalidateAll();
}

void
RnicFaults::Recover()
{
    if (m_failures == 0 || --m_failures != 0)
    {
        return;
    }
    for (const auto& id : m_device.ListIds())
    {
        id->HandleReturn();
    }
}

uint32_t
RnicFaults::FailQueuePairs(const Peer& peer)
{
    const auto pairs = FindPairs(m_device, peer);
    for (const auto& pair : pairs)
    {
        ++m_device.Counters().pairsFailed;
        if (!pair->Modify(QueuePairState::TERMINATE))
        {
            pair->MoveToError();
        }
    }
    return pairs.size();
}

uint32_t
RnicFaults::OverrunQueues(const Peer& peer)
{
    const auto pairs = FindPairs(m_device, peer);
    for (const auto& pair : pairs)
    {
        ++m_device.Counters().queuesOverrun;
        if (const auto queue = pair->GetReceiveCompletions())
        {
            queue->Overrun();
        }
    }
    return pairs.size();
}

bool
RnicFaults::FailsRegistration()
{
    const bool fails = m_registrations.Take(Simulator::Now());
    m_device.Counters().registrationsFailed += fails ? 1 : 0;
    return fails;
}

bool
RnicFaults::RefusesRegion()
{
    const bool refused = m_regions.Take(Simulator::Now());
    m_device.Counters().regionsRefused += refused ? 1 : 0;
    return refused;
}

uint32_t
RnicFaults::BeginSlowReceives(const Peer& peer, Time delay)
{
    m_slow[m_nextSlow] = {peer, delay};
    SetLags();
    return m_nextSlow++;
}

void
RnicFaults::EndSlowReceives(uint32_t handle)
{
    m_slow.erase(handle);
    SetLags();
}

void
RnicFaults::Adopt(const CmId& id)
{
    const auto queue = m_slow.empty() ? nullptr : id.GetQueuePair()->GetReceiveCompletions();
    if (queue)
    {
        queue->SetLag(GetLag(id));
    }
}

void
RnicFaults::SetLags() const
{
    for (const auto& id : m_device.ListIds())
    {
        const auto pair = id->GetQueuePair();
        if (pair && pair->GetReceiveCompletions())
        {
            pair->GetReceiveCompletions()->SetLag(GetLag(*id));
        }
    }
}

Time
RnicFaults::GetLag(const CmId& id) const
{
    Time lag;
    for (const auto& [handle, slow] : m_slow)
    {
        lag = IsWith(id, slow.peer) ? std::max(lag, slow.delay) : lag;
    }
    return lag;
}

} // namespace ns3::nfsrdma
