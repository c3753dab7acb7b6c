/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_MEASUREMENT_FROM_CONFIG_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_MEASUREMENT_FROM_CONFIG_H

#include "helper/measurement.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/attribute-text.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return what section [measure] says. Throws ScenarioError: no such time or share, or a
/// measurement that ends before the work of a replay, which has an end of its own only; a
/// background without a foreground, or of a replay.
[[nodiscard]] MeasurementPlan ResolveMeasurement(const ScenarioConfig& config);

/// \return attributes that let the work of \p section have no end, where the user has set none.
[[nodiscard]] std::vector<AttributeText> ListEndlessAttributes(const ScenarioConfig& config,
                                                               const std::string& section);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_MEASUREMENT_FROM_CONFIG_H
