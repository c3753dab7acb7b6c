/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "key-makers.h"
#include "scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeNfs4ClientKeys()
{
    return {
        {"version",
         Choice({"3", "4.0", "4.1", "4.2"}),
         "3",
         "version that clients speak; workloads replay and mix speak 3 only"},
        {"client_slots",
         Integer(1, 1024),
         "64",
         "NFSv4.1 and later: slots that clients ask for in a session",
         {"Nfs4CompoundClient::Slots"}},
        {"client_retry_delay",
         Duration(1, 3600e9),
         "100ms",
         "NFSv4: time before a call that the server asked to delay is made again; it doubles",
         {"Nfs4CompoundClient::RetryDelay"}},
        {"client_retry_delay_maximum",
         Duration(1, 3600e9),
         "15s",
         "NFSv4: bound of the time before a call is made again",
         {"Nfs4CompoundClient::RetryDelayMaximum"}},
    };
}

} // namespace ns3::nfsrdma
