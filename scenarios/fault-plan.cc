/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-plan.h"

#include "edit-distance.h"

namespace ns3::nfsrdma
{

namespace
{

/// A word that is further from another was not meant for it.
constexpr std::size_t MAX_DISTANCE = 4;

bool
HasReadChunks(const ScenarioConfig& config)
{
    const auto get = [&config](const char* key) { return config.Get(key).AsBoolean(); };
    const bool provides = config.Get("rpcrdma.server_read_chunk_policy").AsText() != "never";
    const bool agreed =
        get("rpcrdma.client_read_chunk_extension") && get("rpcrdma.server_read_chunk_extension");
    const bool unasked = get("rpcrdma.server_read_chunks_without_agreement") &&
                         get("rpcrdma.client_notify_unexpected_read_chunks");
    return provides && (agreed || unasked);
}

} // namespace

FaultScene
GetFaultScene(const ScenarioConfig& config)
{
    FaultScene scene;
    scene.servers = config.Get("cluster.servers").AsInteger();
    scene.clients = config.Get("cluster.clients").AsInteger();
    scene.nfsVersion = config.Get("nfs.version").AsText();
    scene.readChunks = HasReadChunks(config);
    scene.remoteInvalidation = config.Get("rpcrdma.client_remote_invalidation").AsBoolean() &&
                               config.Get("rnic.send_with_invalidate").AsBoolean() &&
                               config.Get("rpcrdma.server_invalidation").AsText() != "never";
    return scene;
}

std::vector<FaultSpec>
ResolveFaults(const ScenarioConfig& config)
{
    const auto scene = GetFaultScene(config);
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
