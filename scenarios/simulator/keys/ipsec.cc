/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/protection-settings.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeIpsecSection()
{
    ScenarioSection section{"ipsec",
                            "ESP between hosts, in their RNICs, whatever is above IP.",
                            {{"hosts",
                              Text(),
                              "all",
                              "hosts that protect what they send to each other: client-0..3, "
                              "server-1, clients, servers"}}};
    AppendKeys(section.keys, IpsecSettings::GetRows(), "InlineCrypto");
    return section;
}

} // namespace ns3::nfsrdma
