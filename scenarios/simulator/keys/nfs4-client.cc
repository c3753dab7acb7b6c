/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeNfs4ClientKeys()
{
    return {
        {"version",
         Choice({"2", "3", "4.0", "4.1", "4.2"}),
         "3",
         "version that clients speak; workload replay: that of its trace"},
        {"client_jukebox_delay",
         Duration(0, 3600e9),
         "5s",
         "NFSv3: time before a call that was answered JUKEBOX is made again; 0ns: it is not",
         {"Nfs3Client::JukeboxDelay"}},
        {"client_slots",
         Integer(1, 1024),
         "64",
         "NFSv4.1 and later: slots that clients ask for in a session",
         {"Nfs4CompoundClient::Slots"}},
        {"callback_threads",
         Integer(1, 1024),
         "1",
         "NFSv4: callbacks that a client carries out at the same time; Linux's "
         "callback_nr_threads"},
        {"callback_cost", Duration(), "5us", "NFSv4: processor time of a client for each callback"},
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
        {"offload_status_delay",
         Duration(0, 3600e9),
         "7s",
         "NFSv4.2: time without CB_OFFLOAD after which a client asks how its asynchronous COPY is; "
         "0ns: never, as Linux 6.1",
         {"Nfs4FileClient::OffloadStatusDelay"}},
        {"client_acl_room",
         Size(1, 1048576),
         "266240B",
         "NFSv4: room of clients for an access list that they ask for",
         {"Nfs4CompoundClient::AclRoom"}},
    };
}

} // namespace ns3::nfsrdma
