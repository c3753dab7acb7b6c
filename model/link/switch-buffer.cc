/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/switch-buffer.h"

#include "ns3/abort.h"

#include <algorithm>
#include <numeric>

namespace ns3::nfsrdma
{

SwitchBuffer::SwitchBuffer(const Settings& settings)
    : m_settings(settings)
{
}

void
SwitchBuffer::AddPort(const Ptr<EthernetNetDevice>& device)
{
    Port port;
    port.device = device;
    m_ports.push_back(std::move(port));
}

void
SwitchBuffer::Divide()
{
    uint64_t reserved = 0;
    for (auto& port : m_ports)
    {
        if (port.device->HasFlowControl() && port.device->IsLinkUp())
        {
            port.headRoom = PauseSender::ComputeHeadRoom(*port.device);
            port.pause = std::make_unique<PauseSender>(port.device);
            reserved += port.headRoom;
        }
    }
    NS_ABORT_MSG_IF(reserved >= m_settings.size,
                    "the buffer of a switch has no room for the head room of its ports, "
                        << reserved << " octets");
    m_shared = m_settings.size - reserved;
}

uint64_t
SwitchBuffer::GetShare() const
{
    if (m_settings.alpha > 0)
    {
        return static_cast<uint64_t>(m_settings.alpha * static_cast<double>(m_shared - m_used));
    }
    return m_shared / m_ports.size();
}

uint64_t
SwitchBuffer::GetHeld() const
{
    return std::accumulate(m_ports.begin(),
                           m_ports.end(),
                           m_used,
                           [](uint64_t sum, const Port& port) { return sum + port.inHeadRoom; });
}

bool
SwitchBuffer::Admit(std::size_t from, std::size_t to, uint32_t octets)
{
    if (m_shared == 0)
    {
        Divide();
    }
    Port& in = m_ports[from];
    Port& out = m_ports[to];
    const uint64_t limit = in.pause && m_settings.xoff > 0 ? m_settings.xoff : GetShare();
    const uint64_t has = in.pause ? in.arrived : out.waiting;
    const bool fits = has + octets <= limit && m_used + octets <= m_shared && in.inHeadRoom == 0;
    if (fits)
    {
        in.arrived += octets;
        m_used += octets;
    }
    else if (in.pause && in.inHeadRoom + octets <= in.headRoom)
    {
        in.inHeadRoom += octets;
        in.pause->Stop();
    }
    else
    {
        return false;
    }
    out.waiting += octets;
    m_peak = std::max(m_peak, GetHeld());
    return true;
}

void
SwitchBuffer::Release(std::size_t from, std::size_t to, uint32_t octets)
{
    Port& in = m_ports[from];
    m_ports[to].waiting -= octets;
    const uint64_t ofHeadRoom = std::min<uint64_t>(in.inHeadRoom, octets);
    in.inHeadRoom -= ofHeadRoom;
    in.arrived -= octets - ofHeadRoom;
    m_used -= octets - ofHeadRoom;
    if (!in.pause || !in.pause->IsHolding() || in.inHeadRoom > 0)
    {
        return;
    }
    const uint64_t limit = m_settings.xoff > 0 ? m_settings.xoff : GetShare();
    const uint64_t xon = m_settings.xon > 0 ? std::min(m_settings.xon, limit) : limit / 2;
    if (in.arrived <= xon)
    {
        in.pause->GoOn();
    }
}

} // namespace ns3::nfsrdma
