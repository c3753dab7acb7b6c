/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-key.h"

namespace ns3::nfsrdma
{

const char*
ScenarioKey::GetUnit() const
{
    switch (constraint.type)
    {
    case ScenarioType::TIME:
        return "h, min, s, ms, us, ns";
    case ScenarioType::RATE:
        return "Tbps, Gbps, Mbps, kbps, bps";
    case ScenarioType::SIZE:
        return "B, KiB, MiB, GiB, TiB";
    default:
        return "-";
    }
}

} // namespace ns3::nfsrdma
