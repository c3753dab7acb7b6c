/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/flow-control-check.h"

#include "link/pause-sender.h"
#include "scenarios/simulator/setup/host-settings.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// What the cable of a link needs at either end, octets.
struct PortNeeds
{
    uint64_t frame;
    uint64_t headRoom; ///< 0 without flow control.
};

class FlowControlCheck
{
  public:
    FlowControlCheck(const ScenarioConfig& config, const Topology& topology)
        : m_config(config),
          m_topology(topology),
          m_hosts(ResolveHostSettings(config)),
          m_controls(config.Get("link.flow_control").AsText() != "none")
    {
    }

    void Run() const
    {
        if (m_controls && m_config.Get("middlebox.at").AsText() != "none")
        {
            m_config.Refuse("link.flow_control", "none with middleboxes, which pass no PAUSE on");
        }
        CheckThresholds("link.switch_xoff", "link.switch_xon");
        if (m_config.Get("link.switch_buffer").AsInteger() > 0)
        {
            CheckSwitches();
        }
        for (uint32_t host = 0; m_controls && host < m_hosts.size(); ++host)
        {
            CheckAdapter(host);
        }
    }

  private:
    [[nodiscard]] PortNeeds GetNeeds(const TopologyLink& link) const
    {
        LinkTraits traits = link.traits;
        if (!m_topology.IsSwitch(link.one))
        {
            traits.Override(MakeHostLink(m_config, m_hosts[link.one]));
        }
        const bool isTrunk = m_topology.IsSwitch(link.one);
        const uint32_t mtu = traits.mtu.value_or(
            isTrunk ? GetLargestMtu(m_hosts)
                    : static_cast<uint16_t>(m_config.Get("link.mtu").AsInteger()));
        const uint64_t rate = traits.rate.value_or(m_config.Get("link.rate").AsRate().GetBitRate());
        const Time delay =
            traits.delay ? NanoSeconds(*traits.delay) : m_config.Get("link.delay").AsTime();
        return {EthernetNetDevice::HEADER_SIZE + mtu,
                m_controls ? PauseSender::ComputeHeadRoom(rate, delay, mtu) : 0};
    }

    void CheckThresholds(const std::string& xoff, const std::string& xon) const
    {
        const auto off = m_config.Get(xoff).AsInteger();
        if (off > 0 && m_config.Get(xon).AsInteger() > off)
        {
            m_config.Refuse(xon, "at most " + xoff + ", " + m_config.Get(xoff).ToText());
        }
    }

    void CheckSwitches() const
    {
        const uint64_t size = m_config.Get("link.switch_buffer").AsInteger();
        const uint64_t xoff = m_config.Get("link.switch_xoff").AsInteger();
        for (uint32_t one = m_topology.GetHostCount(); one < m_topology.GetNodeCount(); ++one)
        {
            uint64_t least = 0;
            uint64_t headRoom = 0;
            for (const uint32_t number : m_topology.GetLinksOf(one))
            {
                const auto needs = GetNeeds(m_topology.GetLinks()[number]);
                least += needs.frame + needs.headRoom;
                headRoom += needs.headRoom;
            }
            if (size < least)
            {
                m_config.Refuse("link.switch_buffer",
                                "0, or room for a frame of each port of " +
                                    m_topology.GetName(one) +
                                    (m_controls ? " and the head room of its cable, " : ", ") +
                                    std::to_string(least) + "B");
            }
            if (m_controls && xoff > size - headRoom)
            {
                m_config.Refuse("link.switch_xoff",
                                "at most what the head room of the ports of " +
                                    m_topology.GetName(one) + " leaves of link.switch_buffer, " +
                                    std::to_string(size - headRoom) + "B");
            }
        }
    }

    void CheckAdapter(uint32_t host) const
    {
        const auto& section = m_hosts[host].rnicSection;
        if (m_config.Get(section + ".tcp_per_segment").AsTime().IsZero() ||
            m_config.Get(section + ".engine_on_host").AsBoolean())
        {
            return;
        }
        const double share = m_config.Get(section + ".packet_buffer_share").AsReal();
        const auto& links = m_topology.GetLinksOf(host);
        if (share < 1 && share * static_cast<double>(links.size()) > 1)
        {
            m_config.Refuse(section + ".packet_buffer_share",
                            "1, or at most an equal part for each of the " +
                                std::to_string(links.size()) + " ports of " +
                                m_topology.GetName(host) + ", with link.flow_control");
        }
        uint64_t headRoom = 0;
        for (const uint32_t number : links)
        {
            const uint64_t own = GetNeeds(m_topology.GetLinks()[number]).headRoom;
            headRoom = share < 1 ? std::max(headRoom, own) : headRoom + own;
        }
        const uint64_t whole = m_config.Get(section + ".packet_buffer").AsInteger();
        const auto size = static_cast<uint64_t>(share * static_cast<double>(whole));
        if (size <= headRoom)
        {
            m_config.Refuse(section + (share < 1 ? ".packet_buffer_share" : ".packet_buffer"),
                            "more than the head room of the cables of " + m_topology.GetName(host) +
                                ", " + std::to_string(headRoom) + "B, with link.flow_control");
        }
        if (m_config.Get(section + ".pause_xoff").AsInteger() > size - headRoom)
        {
            m_config.Refuse(section + ".pause_xoff",
                            "at most what the head room of the cables leaves of "
                            "rnic.packet_buffer, " +
                                std::to_string(size - headRoom) + "B");
        }
        CheckThresholds(section + ".pause_xoff", section + ".pause_xon");
    }

    const ScenarioConfig& m_config;
    const Topology& m_topology;
    std::vector<HostSettings> m_hosts;
    bool m_controls;
};

} // namespace

void
CheckFlowControl(const ScenarioConfig& config, const Topology& topology)
{
    FlowControlCheck(config, topology).Run();
}

} // namespace ns3::nfsrdma
