/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/rpcrdma-check.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t THRESHOLD_UNIT = 1024;
constexpr uint64_t PAGE = 4096;

void
CheckThreshold(const ScenarioConfig& config, const std::string& section)
{
    const auto key = section + ".inline_threshold";
    if (config.Get(key).AsInteger() % THRESHOLD_UNIT != 0)
    {
        config.Refuse(key, "a multiple of 1024 octets (RFC 8797 section 4.2)");
    }
    for (const char* own : {".client_inline_send",
                            ".client_inline_receive",
                            ".server_inline_send",
                            ".server_inline_receive"})
    {
        if (config.Get(section + own).AsInteger() % THRESHOLD_UNIT != 0)
        {
            config.Refuse(section + own, "0B or a multiple of 1024 octets (RFC 8797 section 4.2)");
        }
    }
}

void
CheckTransferSize(const ScenarioConfig& config, const std::string& section)
{
    const auto pages = config.Get(section + ".client_max_data_pages").AsInteger();
    const auto size = config.Get("nfs.transfer_size").AsInteger();
    if (size % PAGE != 0 || (size / PAGE) + 1 > pages)
    {
        config.Refuse("nfs.transfer_size",
                      "a multiple of 4096 of at most " + section +
                          ".client_max_data_pages - 1 pages, " +
                          std::to_string((pages - 1) * PAGE) + "B");
    }
}

/// Refuses message continuation where a profile follows a specification, none of which has it.
void
CheckContinuation(const ScenarioConfig& config, const std::string& section)
{
    const std::string profile = config.Get(section + ".profile").AsText();
    const bool isSpecification = profile.rfind("rfc", 0) == 0 || profile.rfind("draft-", 0) == 0;
    if (isSpecification && config.Get(section + ".client_reply_messages").AsInteger() != 1)
    {
        config.Refuse(section + ".client_reply_messages",
                      "1: profile " + profile + " has no message continuation");
    }
    if (isSpecification && config.Get(section + ".server_message_continuation").AsBoolean())
    {
        config.Refuse(section + ".server_message_continuation",
                      "false: profile " + profile + " has no message continuation");
    }
}

/// What the transports ask of a queue pair; the client's other work requests come to more yet.
void
CheckSendQueues(const ScenarioConfig& config, const std::vector<HostSettings>& settings)
{
    const auto servers = GetClusterHosts(config).servers;
    std::set<std::tuple<bool, std::string, std::string>> seen;
    for (uint32_t host = 0; host < settings.size(); ++host)
    {
        const auto& rnic = settings[host].rnicSection;
        const auto& rpcrdma = settings[host].rpcrdmaSection;
        const bool isServer = host < servers;
        if (!seen.emplace(isServer, rnic, rpcrdma).second)
        {
            continue;
        }
        const uint64_t depth = config.Get(rnic + ".max_queue_depth").AsInteger();
        const auto keys =
            isServer ? std::vector<std::string>{".server_send_queue_depth", ".server_credits"}
                     : std::vector<std::string>{".client_slots"};
        for (const auto& key : keys)
        {
            if (config.Get(rpcrdma + key).AsInteger() > depth)
            {
                config.Refuse(rpcrdma + key,
                              "at most rnic.max_queue_depth, " + std::to_string(depth));
            }
        }
    }
}

/// Refuses queues that do not hold what a connection cannot do without, and Reads of which there
/// can be none: a connection would be refused again and again.
void
CheckLeastQueues(const ScenarioConfig& config, const std::vector<HostSettings>& settings)
{
    const auto servers = GetClusterHosts(config).servers;
    const std::string version = config.Get("nfs.version").AsText();
    const bool calledBack = version == "4.1" || version == "4.2";
    for (uint32_t host = 0; host < settings.size(); ++host)
    {
        const auto& rnic = settings[host].rnicSection;
        const auto& rpcrdma = settings[host].rpcrdmaSection;
        const bool isServer = host < servers;
        const uint64_t others =
            isServer ? config.Get(rpcrdma + ".server_backchannel_credits").AsInteger() : 0;
        const bool notified =
            isServer && config.Get(rpcrdma + ".server_read_chunk_extension").AsBoolean();
        const uint64_t least = 1 + others + (notified ? 1 : 0) + (!isServer && calledBack ? 1 : 0);
        std::string expected = "at least " + std::to_string(least) + " on a " +
                               (isServer ? "server" : "client") + ": a receive for a credit";
        expected += others > 0 ? ", server_backchannel_credits" : "";
        expected += notified ? ", and one for notices of pulled replies" : "";
        expected += !isServer && calledBack ? ", and one for calls of the server" : "";
        for (const char* key : {".max_queue_depth", ".max_cq_depth"})
        {
            if (config.Get(rnic + key).AsInteger() < least)
            {
                config.Refuse(rnic + key, expected);
            }
        }
        const std::string reads = isServer ? ".max_ord" : ".max_ird";
        if (config.Get(rnic + reads).AsInteger() == 0)
        {
            config.Refuse(rnic + reads, "at least 1: servers pull chunks with RDMA Reads");
        }
    }
}

/// Refuses to bind windows on a client whose RNIC has none.
void
CheckWindows(const ScenarioConfig& config, const std::vector<HostSettings>& settings)
{
    const auto servers = GetClusterHosts(config).servers;
    for (uint32_t host = servers; host < settings.size(); ++host)
    {
        const auto strategy = settings[host].rpcrdmaSection + ".client_registration_strategy";
        const auto windows = settings[host].rnicSection + ".max_windows";
        if (config.Get(strategy).AsText() == "memory-window" &&
            config.Get(windows).AsInteger() == 0)
        {
            config.Refuse(strategy,
                          "another: client-" + std::to_string(host - servers) +
                              " has no windows (" + windows + " is 0)");
        }
    }
}

/// Refuses bounds on the receives of a server that do not hold one for each of its connections, and
/// one for the notices of each that may pull replies.
void
CheckReceives(const ScenarioConfig& config, const std::vector<HostSettings>& settings)
{
    const auto hosts = GetClusterHosts(config);
    std::set<std::string> seen;
    for (uint32_t host = 0; host < hosts.servers; ++host)
    {
        const auto& section = settings[host].rpcrdmaSection;
        if (!seen.insert(section).second)
        {
            continue;
        }
        const uint64_t connections = CountServerConnections(config, settings, host);
        const bool pulled = config.Get(section + ".server_read_chunk_extension").AsBoolean();
        const uint64_t needed = connections * (pulled ? 2 : 1);
        const auto expected = [&](uint64_t least, const std::string& unit) {
            return "at least " + std::to_string(least) + unit + ": " + std::to_string(needed) +
                   " receives for " + std::to_string(connections) + " connections to a server";
        };
        if (config.Get(section + ".server_credit_grant").AsText() == "fair-share" &&
            config.Get(section + ".server_shared_receives").AsInteger() < needed)
        {
            config.Refuse(section + ".server_shared_receives", expected(needed, ""));
        }
        const uint64_t limit = config.Get(section + ".server_receive_memory_limit").AsInteger();
        const bool divides = config.Get(section + ".server_inline_policy").AsText() != "fixed";
        uint64_t size = config.Get(section + ".server_inline_receive").AsInteger();
        size = size == 0 ? config.Get(section + ".inline_threshold").AsInteger() : size;
        const uint64_t octets = needed * (divides ? THRESHOLD_UNIT : size);
        if (limit != 0 && limit < octets)
        {
            config.Refuse(section + ".server_receive_memory_limit",
                          "0B, or " + expected(octets, "B"));
        }
    }
}

/// Refuses what a section of hosts of one kind says about the other.
void
CheckSides(const ScenarioConfig& config, const std::string& section)
{
    const auto servers = GetClusterHosts(config).servers;
    const auto hosts = ResolveHosts(config, section);
    const bool hasServer = hosts.front() < servers;
    const bool hasClient = hosts.back() >= servers;
    for (const auto index : config.GetKeysOf(section))
    {
        const std::string key = config.GetSchema().GetKey(index).name;
        const bool inVain = (key.rfind("client_", 0) == 0 && !hasClient) ||
                            (key.rfind("server_", 0) == 0 && !hasServer);
        if (inVain && config.IsWrittenIn(section, index))
        {
            config.Refuse(std::string(section).append(".").append(key),
                          hasClient ? "no key of servers, since " + section +
                                          ".hosts are clients: all clients of a server share it"
                                    : "no key of clients, since " + section + ".hosts are servers");
        }
    }
}

} // namespace

void
CheckRpcRdma(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    auto sections = config.GetGroupSections("rpcrdma");
    for (const auto& section : sections)
    {
        CheckSides(config, section);
    }
    sections.insert(sections.begin(), "rpcrdma");
    for (const auto& section : sections)
    {
        CheckThreshold(config, section);
        CheckTransferSize(config, section);
        CheckContinuation(config, section);
    }
    CheckSendQueues(config, hosts);
    CheckLeastQueues(config, hosts);
    CheckWindows(config, hosts);
    CheckReceives(config, hosts);
}

} // namespace ns3::nfsrdma
