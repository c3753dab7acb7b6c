/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/service-state.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeNfs4ServerKeys()
{
    std::vector<ScenarioKey> keys{{"lease_time",
                                   Duration(1000000000),
                                   "90s",
                                   "time for which NFSv4 state lives without renewal",
                                   {"Nfs4Server::LeaseTime"}}};
    AppendKeys(keys, Nfs4ServerSettings::GetRows(), "Nfs4Server");
    return keys;
}

} // namespace ns3::nfsrdma
