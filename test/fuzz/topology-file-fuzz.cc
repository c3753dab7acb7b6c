/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "helper/topology/topology-routes.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/setup/topology-file.h"

namespace ns3::nfsrdma
{

namespace
{

/// A network that is taken is whole, and an error is one line.
void
ReadTopology(const std::string& name, const std::string& text)
{
    try
    {
        const auto network =
            TopologyFile::Parse(name, text, {"server-0", "client-0", "client-1", "client-2"});
        FuzzExpect(network.Check().empty());
        if (network.GetSwitchCount() > 256)
        {
            return;
        }
        const TopologyRoutes routes(network);
        for (uint32_t host = 0; host < network.GetHostCount(); ++host)
        {
            const auto& link = network.GetLinks()[network.GetLinksOf(0).front()];
            FuzzExpect(routes.GetDistance(link.other, host) > 0);
        }
    }
    catch (const ScenarioError& error)
    {
        FuzzExpect(std::string(error.what()).find('\n') == std::string::npos);
    }
}

} // namespace

/// Input: a file of switches and links for a cluster of four hosts, in each of the formats.
void
FuzzOne(ByteSpan input)
{
    const std::string text(input.begin(), input.end());
    for (const auto* name : {"fuzz.topo", "fuzz.csv", "fuzz.graphml"})
    {
        ReadTopology(name, text);
    }
}

} // namespace ns3::nfsrdma
