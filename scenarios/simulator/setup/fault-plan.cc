/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/fault-plan.h"

#include "scenarios/simulator/keys/edit-distance.h"

namespace ns3::nfsrdma
{

namespace
{

/// A word that is further from another was not meant for it.
constexpr std::size_t MAX_DISTANCE = 4;

/// The sections that speak of a client and of its server.
struct HostPair
{
    const HostSettings& client;
    const HostSettings& server;
};

bool
HasReadChunks(const ScenarioConfig& config, const HostPair& pair)
{
    const auto client = [&](const char* key) {
        return config.Get(pair.client.rpcrdmaSection + ".client_" + key).AsBoolean();
    };
    const auto server = [&](const char* key) {
        return config.Get(pair.server.rpcrdmaSection + ".server_" + key);
    };
    const bool agreed =
        client("read_chunk_extension") && server("read_chunk_extension").AsBoolean();
    const bool unasked = server("read_chunks_without_agreement").AsBoolean() &&
                         client("notify_unexpected_read_chunks");
    return server("read_chunk_policy").AsText() != "never" && (agreed || unasked);
}

bool
HasRemoteInvalidation(const ScenarioConfig& config, const HostPair& pair)
{
    return config.Get(pair.client.rpcrdmaSection + ".client_remote_invalidation").AsBoolean() &&
           config.Get(pair.server.rnicSection + ".send_with_invalidate").AsBoolean() &&
           config.Get(pair.server.rpcrdmaSection + ".server_invalidation").AsText() != "never";
}

std::string
FindWhyNoClientCrashes(const ScenarioConfig& config)
{
    const bool hasOwnLocks = config.Get("nfs.version").AsText().front() != '4' &&
                             config.Get("nfs.local_lock").AsText() != "all";
    if (hasOwnLocks)
    {
        return "a client without a lock manager, for crash: nfs.local_lock = all, or NFSv4";
    }
    return config.Get("workload.kind").AsText() == "replay"
               ? "a client that replays nothing, for crash"
               : "";
}

} // namespace

FaultScene
GetFaultScene(const ScenarioConfig& config, const std::vector<HostSettings>& settings)
{
    FaultScene scene;
    scene.servers = config.Get("cluster.servers").AsInteger();
    scene.serversPerHost =
        static_cast<uint32_t>(config.Get("cluster.servers_per_host").AsInteger());
    scene.clients = config.Get("cluster.clients").AsInteger();
    scene.nfsVersion = config.Get("nfs.version").AsText();
    scene.remoteInvalidation = false;
    scene.tcp = config.Get("cluster.transport").AsText() == "tcp";
    scene.whyNoClientCrashes = FindWhyNoClientCrashes(config);
    scene.ipv6 = config.Get("topology.ip").AsText() == "ipv6";
    for (const auto& host : settings)
    {
        scene.ports.push_back(host.ports);
    }
    for (std::size_t client = 0; client < scene.clients; ++client)
    {
        const HostPair pair{settings[scene.servers + client], settings[client % scene.servers]};
        scene.readChunks = scene.readChunks || HasReadChunks(config, pair);
        scene.remoteInvalidation = scene.remoteInvalidation || HasRemoteInvalidation(config, pair);
    }
    return scene;
}

std::vector<FaultSpec>
ResolveFaults(const ScenarioConfig& config, const FaultScene& scene)
{
    std::vector<FaultSpec> plan;
    for (const auto& line : config.GetFaults())
    {
        auto spec = ParseFault(line.name, line.sentence);
        if (!spec)
        {
            RefuseFault(config, line.name, spec.error());
        }
        if (const auto error = CheckFault(*spec, scene))
        {
            RefuseFault(config, line.name, *error);
        }
        plan.push_back(std::move(*spec));
    }
    return plan;
}

void
RefuseFault(const ScenarioConfig& config, const std::string& name, const FaultError& error)
{
    for (const auto& line : config.GetFaults())
    {
        if (line.name == name)
        {
            const auto nearest = FindNearest(error.got, error.candidates);
            const bool isLike = !error.got.empty() && !nearest.empty() &&
                                EditDistance(error.got, nearest) <= MAX_DISTANCE;
            throw ScenarioError(
                line.origin.ToText(),
                "faults." + name,
                error.got.empty() ? "the end" : Quote(error.got),
                error.expected +
                    (isLike ? "; nearest to " + Quote(error.got) + ": " + nearest : ""));
        }
    }
    throw ScenarioError("[faults]", "faults." + name, Quote(error.got), error.expected);
}

} // namespace ns3::nfsrdma
