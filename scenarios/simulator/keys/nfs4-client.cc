/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/compounds.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeNfs4ClientKeys()
{
    std::vector<ScenarioKey> keys{
        {"version",
         Choice({"2", "3", "4.0", "4.1", "4.2"}),
         "3",
         "version of NFS that clients use; with workload replay that of the trace"},
        {"client_jukebox_delay",
         Duration(0, 3600e9),
         "5s",
         "NFSv3: time after which a call that was answered with JUKEBOX is repeated; 0ns: it is "
         "not",
         {"Nfs3Client::JukeboxDelay"}}};
    const auto append = [&keys](const char* names) {
        AppendKeys(keys,
                   Nfs4CompoundClient::Settings::GetRows(),
                   "Nfs4CompoundClient",
                   "client_",
                   names);
    };
    append("slots");
    keys.push_back({"callback_threads",
                    Integer(1, 1024),
                    "1",
                    "NFSv4: callbacks that a client processes at the same time (Linux "
                    "callback_nr_threads)"});
    keys.push_back({"callback_cost",
                    Duration(),
                    "5us",
                    "NFSv4: processor time of a client for each callback"});
    append("retry_delay retry_delay_maximum");
    keys.push_back(
        {"offload_status_delay",
         Duration(0, 3600e9),
         "7s",
         "NFSv4.2: time without CB_OFFLOAD after which a client asks for the status of its "
         "asynchronous COPY; 0ns: never, as Linux 6.1",
         {"Nfs4FileClient::OffloadStatusDelay"}});
    append("acl_room reply_estimate");
    keys.push_back(
        {"client_data_operations",
         Integer(1, 4),
         "1",
         "NFSv4: READs or WRITEs in one COMPOUND that clients divide a read or write into, each of "
         "whole pages (RFC 8267 section 6.4; Linux: 1); rpcrdma.client_max_write_chunks and "
         "client_max_read_chunks limit how many have their own chunk",
         {"Nfs4FileClient::DataOperations"}});
    return keys;
}

} // namespace ns3::nfsrdma
