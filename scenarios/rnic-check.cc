/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic-check.h"

#include "mpa/ready-to-receive.h"

#include <string>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t STAG_INDICES = 0xffffff;
constexpr uint64_t COMPLETION_QUEUES_PER_CONNECTION = 2;

void
CheckPort(const ScenarioConfig& config)
{
    if (config.Get("link.rate").AsRate() > config.Get("rnic.port_rate").AsRate())
    {
        config.Refuse("link.rate",
                      "at most rnic.port_rate of the profile " +
                          config.Get("rnic.profile").AsText() + ", " +
                          config.Get("rnic.port_rate").ToText());
    }
}

void
CheckModeration(const ScenarioConfig& config)
{
    const bool counts = config.Get("rnic.moderation_count").AsInteger() > 1;
    const bool waits = config.Get("rnic.moderation_period").AsTime().IsStrictlyPositive();
    if (counts && !waits)
    {
        config.Refuse("rnic.moderation_count",
                      "0 or 1, or rnic.moderation_period, after which fewer completions interrupt");
    }
    if (waits && !counts)
    {
        config.Refuse("rnic.moderation_period",
                      "0ns, or a rnic.moderation_count of 2 and more to wait for");
    }
    if (counts && config.Get("rnic.polling").AsBoolean())
    {
        config.Refuse("rnic.moderation_count",
                      "0 or 1 with rnic.polling, which needs no interrupt to moderate");
    }
}

void
CheckContextCaches(const ScenarioConfig& config)
{
    for (const char* key : {"rnic.context_cache_size", "rnic.stag_cache_size"})
    {
        if (config.Get(key).AsInteger() == 0)
        {
            continue;
        }
        if (config.Get("rnic.engine_on_host").AsBoolean())
        {
            config.Refuse(key, "0 with rnic.engine_on_host, whose contexts are in host memory");
        }
        if (config.Get("rnic.context_miss").AsTime().IsZero())
        {
            config.Refuse(key, "0, or a rnic.context_miss that takes time");
        }
    }
}

/// What is on the host is not reached over a bus.
void
CheckEngine(const ScenarioConfig& config)
{
    if (!config.Get("rnic.engine_on_host").AsBoolean())
    {
        return;
    }
    for (const char* key : {"rnic.wqe_fetch", "rnic.pcie_latency"})
    {
        if (config.Get(key).AsTime().IsStrictlyPositive())
        {
            config.Refuse(key, "0ns with rnic.engine_on_host, where nothing crosses a bus");
        }
    }
}

void
CheckLimits(const ScenarioConfig& config)
{
    const auto get = [&config](const char* key) {
        return config.Get(std::string("rnic.") + key).AsInteger();
    };
    if (get("max_inline") > get("max_message"))
    {
        config.Refuse("rnic.max_inline",
                      "at most rnic.max_message, " + config.Get("rnic.max_message").ToText());
    }
    if (get("max_mrs") + get("max_windows") > STAG_INDICES)
    {
        config.Refuse("rnic.max_windows",
                      "at most " + std::to_string(STAG_INDICES - get("max_mrs")) +
                          ": with rnic.max_mrs regions all STag indices of 24 bits are in use");
    }
}

/// What the transports ask of a queue pair; the client's other work requests come to more yet.
void
CheckQueues(const ScenarioConfig& config)
{
    const uint64_t depth = config.Get("rnic.max_queue_depth").AsInteger();
    for (const char* key :
         {"rpcrdma.server_send_queue_depth", "rpcrdma.server_credits", "rpcrdma.client_slots"})
    {
        if (config.Get(key).AsInteger() > depth)
        {
            config.Refuse(key, "at most rnic.max_queue_depth, " + std::to_string(depth));
        }
    }
}

/// A server has a queue pair for each of its clients.
void
CheckConnections(const ScenarioConfig& config)
{
    const uint64_t servers = config.Get("cluster.servers").AsInteger();
    const uint64_t connections =
        (config.Get("cluster.clients").AsInteger() + servers - 1) / servers;
    const auto require = [&config, connections](const char* key, uint64_t each) {
        if (config.Get(key).AsInteger() < connections * each)
        {
            config.Refuse(key,
                          "at least " + std::to_string(connections * each) + ", " +
                              std::to_string(each) + " for each of a server's " +
                              std::to_string(connections) + " clients");
        }
    };
    require("rnic.max_qps", 1);
    require("rnic.max_pds", 1);
    require("rnic.max_cqs", COMPLETION_QUEUES_PER_CONNECTION);
}

void
CheckStartup(const ScenarioConfig& config)
{
    const auto kinds = config.Get("rnic.mpa_ready_to_receive").AsText();
    if (!ParseReadyToReceiveKinds(kinds))
    {
        config.Refuse("rnic.mpa_ready_to_receive",
                      "some of Send, Write and Read, separated by spaces, each once");
    }
    if (config.Get("rnic.mpa_markers").AsBoolean() &&
        !config.Get("rnic.mpa_marker_support").AsBoolean())
    {
        config.Refuse("rnic.mpa_markers",
                      "false, since no host sends markers without rnic.mpa_marker_support");
    }
    const bool revision1 = config.Get("rnic.mpa_revision").AsInteger() == 1;
    if (!config.Get("rnic.mpa_peer_to_peer").AsBoolean())
    {
        return;
    }
    if (revision1)
    {
        config.Refuse("rnic.mpa_peer_to_peer", "false with rnic.mpa_revision = 1 (RFC 6581)");
    }
    if (kinds.empty())
    {
        config.Refuse("rnic.mpa_ready_to_receive",
                      "one of Send, Write and Read at least, for rnic.mpa_peer_to_peer");
    }
}

void
CheckTransport(const ScenarioConfig& config)
{
    const bool layered = config.Get("rnic.mpa_transport").AsText() == "layered";
    if (layered && config.Get("rnic.mpa_packing").AsBoolean())
    {
        config.Refuse("rnic.mpa_packing",
                      "false with rnic.mpa_transport = layered, where TCP knows no FPDUs");
    }
}

} // namespace

void
CheckRnic(const ScenarioConfig& config)
{
    CheckPort(config);
    CheckModeration(config);
    CheckContextCaches(config);
    CheckEngine(config);
    CheckLimits(config);
    CheckQueues(config);
    CheckConnections(config);
    CheckStartup(config);
    CheckTransport(config);
}

} // namespace ns3::nfsrdma
