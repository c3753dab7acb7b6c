/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/rnic-check.h"

#include "mpa/ready-to-receive.h"

#include <string>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t STAG_INDICES = 0xffffff;
constexpr uint64_t COMPLETION_QUEUES_PER_CONNECTION = 2;

/// The keys of a section [rnic] or [rnic NAME].
class RnicKeys
{
  public:
    RnicKeys(const ScenarioConfig& config, std::string section)
        : m_config(config),
          m_section(std::move(section))
    {
    }

    [[nodiscard]] const ScenarioValue& Get(const char* key) const
    {
        return m_config.Get(m_section + "." + key);
    }

    [[noreturn]] void Refuse(const char* key, const std::string& expected) const
    {
        m_config.Refuse(m_section + "." + key, expected);
    }

  private:
    const ScenarioConfig& m_config;
    std::string m_section;
};

/// No link is faster than the port at its end.
void
CheckPorts(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    for (const auto& host : hosts)
    {
        if (host.linkRate > host.portRate)
        {
            config.Refuse(host.linkSection + ".rate",
                          "at most rnic.port_rate of the profile " +
                              config.Get(host.rnicSection + ".profile").AsText() + ", " +
                              config.Get(host.rnicSection + ".port_rate").ToText());
        }
    }
}

void
CheckModeration(const RnicKeys& keys)
{
    if (keys.Get("adaptive_moderation").AsBoolean())
    {
        if (keys.Get("polling").AsBoolean())
        {
            keys.Refuse("adaptive_moderation",
                        "false with rnic.polling, which needs no interrupt to moderate");
        }
        if (keys.Get("moderation_count").AsInteger() > 1)
        {
            keys.Refuse("moderation_count",
                        "0 or 1 with rnic.adaptive_moderation, which finds its own");
        }
    }
    const bool counts = keys.Get("moderation_count").AsInteger() > 1;
    const bool waits = keys.Get("moderation_period").AsTime().IsStrictlyPositive();
    if (counts && !waits)
    {
        keys.Refuse("moderation_count",
                    "0 or 1, or rnic.moderation_period, after which fewer completions interrupt");
    }
    if (waits && !counts)
    {
        keys.Refuse("moderation_period",
                    "0ns, or a rnic.moderation_count of 2 and more to wait for");
    }
    if (counts && keys.Get("polling").AsBoolean())
    {
        keys.Refuse("moderation_count",
                    "0 or 1 with rnic.polling, which needs no interrupt to moderate");
    }
}

void
CheckContextCaches(const RnicKeys& keys)
{
    const auto check = [&keys](const char* size, const char* time) {
        if (keys.Get(size).AsInteger() == 0)
        {
            return;
        }
        if (keys.Get("engine_on_host").AsBoolean())
        {
            keys.Refuse(size, "0 with rnic.engine_on_host, whose contexts are in host memory");
        }
        if (keys.Get(time).AsTime().IsZero())
        {
            keys.Refuse(size, std::string("0, or a rnic.") + time + " that takes time");
        }
    };
    check("context_near_size", "context_load");
    const uint64_t ways = keys.Get("context_cache_ways").AsInteger();
    for (const char* size : {"context_cache_size",
                             "stag_cache_size",
                             "tcp_cache_size",
                             "cq_cache_size",
                             "receive_cache_size",
                             "translation_cache_size"})
    {
        check(size, "context_miss");
        if (ways != 0 && keys.Get(size).AsInteger() % ways != 0)
        {
            keys.Refuse("context_cache_ways",
                        std::string("0 or a divisor of rnic.") + size + ", " +
                            keys.Get(size).ToText());
        }
    }
}

/// What is on the host is not reached over a bus.
void
CheckEngine(const RnicKeys& keys)
{
    if (!keys.Get("engine_on_host").AsBoolean())
    {
        return;
    }
    for (const char* key : {"wqe_fetch", "pcie_latency"})
    {
        if (keys.Get(key).AsTime().IsStrictlyPositive())
        {
            keys.Refuse(key, "0ns with rnic.engine_on_host, where nothing crosses a bus");
        }
    }
}

void
CheckLimits(const RnicKeys& keys)
{
    const auto get = [&keys](const char* key) { return keys.Get(key).AsInteger(); };
    if (get("max_inline") > get("max_message"))
    {
        keys.Refuse("max_inline", "at most rnic.max_message, " + keys.Get("max_message").ToText());
    }
    if (get("max_mrs") + get("max_windows") > STAG_INDICES)
    {
        keys.Refuse("max_windows",
                    "at most " + std::to_string(STAG_INDICES - get("max_mrs")) +
                        ": with rnic.max_mrs regions all STag indices of 24 bits are in use");
    }
}

/// The connections of one host.
struct Connections
{
    uint64_t count;
    std::string ofWhom; ///< As in "for each of a server's 2 clients".
};

Connections
GetConnections(const ScenarioConfig& config,
               const std::vector<HostSettings>& hosts,
               std::size_t host)
{
    const uint64_t servers = config.Get("cluster.servers").AsInteger();
    const auto cluster = GetClusterHosts(config);
    const bool isServer = host < servers;
    const uint64_t clients = isServer ? (cluster.clients + servers - 1 - host) / servers : 1;
    const uint64_t count = CountConnections(config, hosts, host);
    const auto number = std::to_string(count);
    if (isServer && count == clients)
    {
        return {count, "a server's " + number + " clients (cluster.clients)"};
    }
    return {count,
            std::string(isServer ? "a server's " : "a client's ") + number +
                " connections (nfs.nconnect)"};
}

/// A host has a queue pair for each of its connections.
void
CheckConnections(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    for (std::size_t host = 0; host < hosts.size(); ++host)
    {
        const auto connections = GetConnections(config, hosts, host);
        const RnicKeys keys(config, hosts[host].rnicSection);
        const auto require = [&](const char* key, uint64_t each) {
            if (keys.Get(key).AsInteger() < connections.count * each)
            {
                keys.Refuse(key,
                            "at least " + std::to_string(connections.count * each) + ", " +
                                std::to_string(each) + " for each of " + connections.ofWhom);
            }
        };
        require("max_qps", 1);
        require("max_pds", 1);
        require("max_cqs", COMPLETION_QUEUES_PER_CONNECTION);
    }
}

void
CheckStartup(const RnicKeys& keys)
{
    const auto kinds = keys.Get("mpa_ready_to_receive").AsText();
    if (!ParseReadyToReceiveKinds(kinds))
    {
        keys.Refuse("mpa_ready_to_receive",
                    "some of Send, Write and Read, separated by spaces, each once");
    }
    if (keys.Get("mpa_markers").AsBoolean() && !keys.Get("mpa_marker_support").AsBoolean())
    {
        keys.Refuse("mpa_markers",
                    "false, since no host sends markers without rnic.mpa_marker_support");
    }
    const bool revision1 = keys.Get("mpa_revision").AsInteger() == 1;
    if (!keys.Get("mpa_peer_to_peer").AsBoolean())
    {
        return;
    }
    if (revision1)
    {
        keys.Refuse("mpa_peer_to_peer", "false with rnic.mpa_revision = 1 (RFC 6581)");
    }
    if (kinds.empty())
    {
        keys.Refuse("mpa_ready_to_receive",
                    "one of Send, Write and Read at least, for rnic.mpa_peer_to_peer");
    }
}

void
CheckTransport(const RnicKeys& keys)
{
    const bool layered = keys.Get("mpa_transport").AsText() == "layered";
    if (layered && keys.Get("mpa_packing").AsBoolean())
    {
        keys.Refuse("mpa_packing",
                    "false with rnic.mpa_transport = layered, where TCP knows no FPDUs");
    }
    if (keys.Get("tcp").AsText() == "offload" && keys.Get("mpa_nagle").AsBoolean())
    {
        keys.Refuse("mpa_nagle", "false with rnic.tcp = offload, which never holds octets back");
    }
}

} // namespace

void
CheckRnic(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    CheckPorts(config, hosts);
    auto sections = config.GetGroupSections("rnic");
    sections.insert(sections.begin(), "rnic");
    for (const auto& section : sections)
    {
        const RnicKeys keys(config, section);
        CheckModeration(keys);
        CheckContextCaches(keys);
        CheckEngine(keys);
        CheckLimits(keys);
        CheckStartup(keys);
        CheckTransport(keys);
        if (config.Get("tcp.congestion_control").AsText() == "TcpBbr" &&
            keys.Get("tcp").AsText() == "ns3")
        {
            keys.Refuse("tcp",
                        "offload with tcp.congestion_control = TcpBbr, since that of ns-3 paces by "
                        "rates reckoned in milliseconds");
        }
    }
    CheckConnections(config, hosts);
}

} // namespace ns3::nfsrdma
