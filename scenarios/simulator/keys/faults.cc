/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeFaultsSection()
{
    return {"faults", "What goes wrong: lines 'name = when where: what'; see model/FAULTS.md.", {}};
}

} // namespace ns3::nfsrdma
