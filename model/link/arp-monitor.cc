/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/arp-monitor.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

ArpMonitor::ArpMonitor(Settings settings, Bond bond, uint32_t ports)
    : m_settings(std::move(settings)),
      m_bond(std::move(bond)),
      m_ports(ports)
{
}

ArpMonitor::~ArpMonitor()
{
    m_look.Cancel();
}

void
ArpMonitor::Start()
{
    for (auto& port : m_ports)
    {
        port.cameUp = Simulator::Now();
    }
    m_look = Simulator::ScheduleNow(&ArpMonitor::Look, this);
}

void
ArpMonitor::Stop()
{
    m_look.Cancel();
}

void
ArpMonitor::Note(uint32_t port)
{
    m_ports[port].heard = Simulator::Now();
}

bool
ArpMonitor::IsTarget(Ipv4Address address) const
{
    const auto& targets = m_settings.targets;
    return std::find(targets.begin(), targets.end(), address) != targets.end();
}

bool
ArpMonitor::IsWithin(Time since, uint32_t intervals) const
{
    return Simulator::Now() - since <=
           TimeStep(m_settings.interval.GetTimeStep() * (2 * intervals + 1) / 2);
}

void
ArpMonitor::Look()
{
    Inspect();
    Ask();
    m_look = Simulator::Schedule(m_settings.interval, &ArpMonitor::Look, this);
}

void
ArpMonitor::Inspect()
{
    const uint32_t active = m_bond.getActive();
    for (uint32_t number = 0; number < m_ports.size(); ++number)
    {
        Port& port = m_ports[number];
        if (!m_bond.isUp(number))
        {
            if (!port.heard.IsZero() && IsWithin(port.heard, 1))
            {
                port.cameUp = Simulator::Now();
                m_bond.set(number, true);
            }
            continue;
        }
        if (IsWithin(port.cameUp, 2))
        {
            continue;
        }
        const bool isActive = number == active;
        const uint32_t missed = m_settings.missedMax + (isActive ? 0 : 1);
        if ((isActive || m_asking == NO_PORT) && !IsWithin(port.heard, missed))
        {
            m_bond.set(number, false);
        }
    }
}

void
ArpMonitor::Ask()
{
    uint32_t by = m_bond.getActive();
    if (by == NO_PORT)
    {
        m_asking = m_asking == NO_PORT ? 0 : (m_asking + 1) % static_cast<uint32_t>(m_ports.size());
        by = m_asking;
    }
    else
    {
        m_asking = NO_PORT;
        if (by != m_latestActive)
        {
            m_ports[by].cameUp = Simulator::Now();
        }
        m_latestActive = by;
    }
    for (const auto& target : m_settings.targets)
    {
        m_bond.ask(by, target);
    }
}

} // namespace ns3::nfsrdma
