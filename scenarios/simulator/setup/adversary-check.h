/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ADVERSARY_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ADVERSARY_CHECK_H

#include "fault/adversary/registry.h"
#include "scenarios/simulator/config/scenario-config.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A section [adversary NAME] whose role is not none.
struct AdversarySection
{
    std::string name; ///< NAME.
    std::string section;
    const AdversaryEntry* entry{nullptr};
    std::vector<uint32_t> hosts; ///< Servers first.
};

/// \return the sections, in the order of the file. Throws ScenarioError: a host that cannot have
/// the role, values that it does not take, no client left for a workload.
std::vector<AdversarySection> ResolveAdversaries(const ScenarioConfig& config);

/// \return the clients that run no workload, and mount nothing.
std::set<uint32_t> ListRogueClients(const ScenarioConfig& config);

/// \return a role with the attributes that keys of \p section stand for.
Ptr<AdversaryRole> MakeAdversaryRole(const ScenarioConfig& config, const AdversarySection& section);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ADVERSARY_CHECK_H
