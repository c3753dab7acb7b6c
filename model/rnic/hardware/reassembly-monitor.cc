/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/reassembly-monitor.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

void
ReassemblyMonitor::Watch(MpaConnection& connection)
{
    const Ptr<ReassemblyMonitor> self(this);
    connection.TraceConnectWithoutContext(
        "ReassemblyOctets",
        MakeCallback(&ReassemblyMonitor::HandleOctets, self).Bind(m_nextConnection));
    connection.TraceConnectWithoutContext(
        "State",
        MakeCallback(&ReassemblyMonitor::HandleState, self).Bind(m_nextConnection));
    ++m_nextConnection;
}

void
ReassemblyMonitor::HandleOctets(uint32_t connection, uint32_t /* before */, uint32_t now)
{
    auto& part = m_parts[connection];
    m_meter.Change(Simulator::Now(), part, now);
    part = now;
}

void
ReassemblyMonitor::HandleState(uint32_t connection,
                               MpaConnection::State /* before */,
                               MpaConnection::State now)
{
    if (now == MpaConnection::State::CLOSED)
    {
        HandleOctets(connection, 0, 0);
        m_parts.erase(connection);
    }
}

} // namespace ns3::nfsrdma
