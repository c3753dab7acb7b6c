/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/cm-event.h"

#include "rnic/connect/cm-id.h"
#include "wire/name-of.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

const char*
ToString(CmEventType type)
{
    return NameOf(type,
                  {{CmEventType::CONNECT_REQUEST, "CONNECT_REQUEST"},
                   {CmEventType::ESTABLISHED, "ESTABLISHED"},
                   {CmEventType::REJECTED, "REJECTED"},
                   {CmEventType::CONNECT_ERROR, "CONNECT_ERROR"},
                   {CmEventType::UNREACHABLE, "UNREACHABLE"},
                   {CmEventType::DISCONNECTED, "DISCONNECTED"},
                   {CmEventType::DEVICE_REMOVAL, "DEVICE_REMOVAL"},
                   {CmEventType::ADDR_CHANGE, "ADDR_CHANGE"}});
}

CmEventQueue::CmEventQueue(Deliver deliver)
    : m_deliver(std::move(deliver))
{
}

CmEventQueue::~CmEventQueue()
{
    m_delivery.Cancel();
}

void
CmEventQueue::Add(CmEvent event, Time due)
{
    if (!m_pending.empty())
    {
        due = std::max(due, m_pending.back().due);
    }
    m_pending.push_back({std::move(event), due});
    if (!IsPending(m_delivery))
    {
        m_delivery = Simulator::Schedule(due - Simulator::Now(), &CmEventQueue::Next, this);
    }
}

void
CmEventQueue::Next()
{
    const CmEvent event = std::move(m_pending.front().event);
    m_pending.pop_front();
    if (!m_pending.empty())
    {
        m_delivery = Simulator::Schedule(m_pending.front().due - Simulator::Now(),
                                         &CmEventQueue::Next,
                                         this);
    }
    m_deliver(event);
}

Ring<CmEvent>
CmEventQueue::Clear()
{
    m_delivery.Cancel();
    Ring<CmEvent> events;
    for (Pending& pending : std::exchange(m_pending, {}))
    {
        events.push_back(std::move(pending.event));
    }
    return events;
}

} // namespace ns3::nfsrdma
