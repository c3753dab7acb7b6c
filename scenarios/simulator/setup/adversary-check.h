/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ADVERSARY_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ADVERSARY_CHECK_H

#include "fault/adversary/registry.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/attribute-text.h"

#include <cstdint>
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
    std::vector<uint32_t> hosts;           ///< Servers first.
    std::vector<AttributeText> attributes; ///< Of the role's class.

    /// \return a new role with those.
    [[nodiscard]] Ptr<AdversaryRole> MakeRole() const;
};

/// \return the sections, in the order of the file. Throws ScenarioError: a host that cannot have
/// the role, values that it does not take, no client left for a workload.
std::vector<AdversarySection> ResolveAdversaries(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_ADVERSARY_CHECK_H
