/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeDefenceKeys()
{
    return {
        {"stag_keys",
         Choice({"counter", "random", "fixed"}),
         "counter",
         "key of an STag at each registration of its region: one more, any other, the same",
         {"RnicDevice::StagKeys"}},
        {"stag_indices",
         Choice({"sequential", "scattered"}),
         "sequential",
         "order in which STag indices are handed out: one after the other, or at random",
         {"RnicDevice::StagIndices"}},
        {"protection_domains",
         Choice({"connection", "device"}),
         "connection",
         "what shares a protection domain: each connection has its own, or all have one",
         {"RnicDevice::ProtectionDomains"}},
        {"startups_per_peer",
         Integer(0),
         "0",
         "connections of one peer in MPA startup; one more is reset; 0: any number",
         {"RnicDevice::StartupsPerPeer"}},
        {"connections_per_peer",
         Integer(0),
         "0",
         "connections of one peer to a listener; one more is reset; 0: any number",
         {"RnicDevice::ConnectionsPerPeer"}},
        {"connection_rate",
         Integer(0),
         "0",
         "new connections of one peer to a listener each second; what is more is reset; 0: any "
         "number",
         {"RnicDevice::ConnectionRate"}},
        {"connection_burst",
         Integer(1),
         "8",
         "new connections of one peer at once, with connection_rate",
         {"RnicDevice::ConnectionBurst"}},
        {"mpa_first_fpdu_timeout",
         Duration(),
         "0s",
         "wait of a responder for the first FPDU, from its MPA Reply; 0s: for ever, as Linux",
         {"RnicDevice::FirstFpduTimeout"}},
        {"fault_limit",
         Integer(0),
         "0",
         "failed startups and silence of, and Terminates to, a peer that is then ignored; 0: never",
         {"RnicDevice::FaultLimit"}},
        {"ignore_time",
         Duration(),
         "1s",
         "how long a peer with too many faults is ignored",
         {"RnicDevice::IgnoreTime"}},
    };
}

} // namespace ns3::nfsrdma
