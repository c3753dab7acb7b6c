/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/path-timers.h"

#include "helper/topology/topology-routes.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// The SYN waits for an ARP exchange at either end before it is answered; and what hosts add.
constexpr int64_t CONNECT_ROUND_TRIPS = 4;

/// Delays of a topology's ways, in ns.
class PathDelays
{
  public:
    PathDelays(const ScenarioConfig& config,
               const std::vector<HostSettings>& settings,
               const Topology& topology)
        : m_topology(topology),
          m_routes(topology),
          m_delay(config.Get("link.delay").AsTime().GetNanoSeconds()),
          m_servers(static_cast<uint32_t>(config.Get("cluster.servers").AsInteger()))
    {
        const auto at = config.Get("middlebox.at").AsText();
        for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
        {
            const auto& link = topology.GetLinks()[topology.GetLinksOf(host).at(0)];
            int64_t delay = link.traits.delay.value_or(m_delay);
            const auto& section = settings.at(host).linkSection;
            for (const auto index : config.GetKeysOf(section))
            {
                if (config.GetSchema().GetKey(index).name == std::string("delay"))
                {
                    delay = config.Get(section + ".delay").AsTime().GetNanoSeconds();
                }
            }
            const bool middlebox =
                at == "hosts" || (at != "none" && (host < m_servers) == (at == "servers"));
            m_hosts.push_back({link.other, middlebox ? 2 * delay : delay});
        }
    }

    [[nodiscard]] int64_t GetLongest() const
    {
        int64_t longest = 0;
        for (uint32_t server = 0; server < m_servers; ++server)
        {
            for (uint32_t client = m_servers; client < m_hosts.size(); ++client)
            {
                longest = std::max(longest,
                                   m_hosts[client].delay + m_hosts[server].delay +
                                       GetBetween(m_hosts[client].edge, server));
            }
        }
        return longest;
    }

  private:
    struct Host
    {
        uint32_t edge{0};
        int64_t delay{0};
    };

    int64_t GetBetween(uint32_t node, uint32_t server) const
    {
        int64_t longest = 0;
        if (node == m_hosts[server].edge)
        {
            return longest;
        }
        for (const uint32_t number : m_routes.GetNextLinks(node, server))
        {
            const auto& link = m_topology.GetLinks()[number];
            longest = std::max(longest,
                               link.traits.delay.value_or(m_delay) +
                                   GetBetween(link.GetPeer(node), server));
        }
        return longest;
    }

    const Topology& m_topology;
    TopologyRoutes m_routes;
    int64_t m_delay;
    uint32_t m_servers;
    std::vector<Host> m_hosts;
};

std::string
FormatTime(Time time)
{
    const int64_t nanoseconds = time.GetNanoSeconds();
    for (const auto& [unit, factor] :
         {std::pair{"s", int64_t{1000000000}}, {"ms", int64_t{1000000}}, {"us", int64_t{1000}}})
    {
        if (nanoseconds >= factor && nanoseconds % factor == 0)
        {
            return std::to_string(nanoseconds / factor) + unit;
        }
    }
    return std::to_string(nanoseconds) + "ns";
}

} // namespace

PathTimers::PathTimers(const ScenarioConfig& config,
                       const std::vector<HostSettings>& settings,
                       const Topology& topology)
    : m_roundTrip(NanoSeconds(2 * PathDelays(config, settings, topology).GetLongest()))
{
    m_connectTimeout = Follow(config, "tcp.connect_timeout", m_roundTrip * CONNECT_ROUND_TRIPS);
    m_initialRtt = Follow(config, "tcp.initial_rtt", m_roundTrip);
    for (const auto* const key : {"tcp.persist_timeout",
                                  "tcp.max_segment_lifetime",
                                  "rnic.mpa_reply_timeout",
                                  "rnic.mpa_request_timeout",
                                  "rpcrdma.client_timeout",
                                  "rpcrdma.client_idle_timeout"})
    {
        NoteShort(config, key);
    }
}

Time
PathTimers::Follow(const ScenarioConfig& config, const std::string& key, Time least)
{
    Time value = config.Get(key).AsTime();
    if (value >= least)
    {
        return value;
    }
    const bool isDefault = config.GetOrigin(key).source == ScenarioOrigin::DEFAULT;
    m_short.push_back(key + " = " + config.Get(key).ToText() +
                      (isDefault ? " (" + FormatTime(least) + " is used)" : ""));
    return isDefault ? least : value;
}

void
PathTimers::NoteShort(const ScenarioConfig& config, const std::string& key)
{
    const Time value = config.Get(key).AsTime();
    if (value.IsStrictlyPositive() && value < m_roundTrip)
    {
        m_short.push_back(key + " = " + config.Get(key).ToText());
    }
}

Time
PathTimers::GetRoundTrip() const
{
    return m_roundTrip;
}

Time
PathTimers::GetConnectTimeout() const
{
    return m_connectTimeout;
}

Time
PathTimers::GetInitialRtt() const
{
    return m_initialRtt;
}

const std::vector<std::string>&
PathTimers::GetShort() const
{
    return m_short;
}

std::string
PathTimers::Describe() const
{
    std::string text;
    for (const auto& timer : m_short)
    {
        text += (text.empty() ? "" : ", ") + timer;
    }
    return text.empty() ? text
                        : "path            round trip of " + FormatTime(m_roundTrip) +
                              "; short for it: " + text + "\n";
}

} // namespace ns3::nfsrdma
