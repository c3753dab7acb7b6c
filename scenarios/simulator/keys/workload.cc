/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"
#include "workload/generate/mix.h"
#include "workload/life.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

std::vector<ScenarioKey>
MakeReplayKeys()
{
    return {
        {"trace",
         Text(),
         "traces/linux-6.1-nfs-v3",
         "replay: NAME of NAME.trace.csv and NAME.tree.csv, from the scenario's directory"},
        {"pace",
         Choice({"recorded", "closed"}),
         "recorded",
         "replay: at the recorded times, or as soon as what came before has completed",
         {"ReplayWorkload::Pace"}},
        {"time_scale",
         Real(0, 1e6),
         "1",
         "replay: factor on the recorded times",
         {"ReplayWorkload::TimeScale"}},
    };
}

std::vector<ScenarioKey>
MakeMixKeys()
{
    std::vector<ScenarioKey> keys;
    const auto append = [&keys](const char* names) {
        AppendKeys(keys, MixWorkload::Settings::GetRows(), "MixWorkload", "", names);
    };
    append("operations duration");
    keys.push_back(
        {"operation_mix",
         Text(),
         "lookup:24,read:18,write:10,getattr:26,readlink:1,readdir:1,create:1,remove:1,fsstat:1,"
         "setattr:4,readdirplus:2,access:11",
         "mix: operations and weights, NAME:WEIGHT,...; with NFSv4.2 also read_plus, seek, "
         "allocate, "
         "deallocate, copy, clone",
         {"MixWorkload::OperationMix"}});
    keys.push_back({"io_sizes",
                    Text(),
                    "512:10,1024:15,2048:15,4096:30,8192:20,16384:10",
                    "mix: octets of READs and WRITEs and weights, OCTETS:WEIGHT,...",
                    {"MixWorkload::IoSizes"}});
    append("copy_size io_alignment queue_depth thinktime_distribution stable files file_size");
    keys.back().constraint.minimum = 1;
    append("symlinks setup_io_size directory_count large_directory_entries "
           "large_directory_fraction allow_overlap");
    return keys;
}

/// \return the kinds that there are, those of plugins behind.
std::vector<std::string>
ListKinds()
{
    std::vector<std::string> kinds{"mix", "replay", "fio", "mdtest", "listing", "acl", "lock"};
    for (const auto& added : Workload::GetAddedKinds())
    {
        kinds.push_back(added.kind);
    }
    kinds.emplace_back("none");
    return kinds;
}

} // namespace

ScenarioSection
MakeWorkloadSection()
{
    ScenarioSection section{
        "workload",
        "What each client does with its export; [workload NAME]: further "
        "workloads beside.",
        {
            {"kind",
             Choice(ListKinds()),
             "mix",
             "replay a trace, draw operations from a mix, reads and writes, "
             "trees of files, listings, access lists, records under locks; none: leave it to "
             "[workload NAME]"},
            {"clients",
             Text(),
             "all",
             "which clients: all, numbers and ranges such as 0-3,7, or of those that no section "
             "above has: a share such as 25%, next 4, rest"},
            {"exports",
             Text(),
             "own",
             "each client has an export of its own, all of a server that say so work in one "
             "(shared), or so many (shared by N); lock: files of all clients of a server with "
             "own, too"},
            {"directory",
             Text(),
             "",
             "mix, fio, mdtest, listing, acl: directory of the export that the workload works in; "
             "empty: named as the workload"},
            {"system_calls",
             Boolean(),
             "false",
             "mix, fio, mdtest: operations are system calls, which the client's caches of "
             "attributes and names answer where they can; else each is one of the protocol",
             {"FileWorkload::SystemCalls"}},
            {"start_delay",
             Duration(0, HOUR),
             "0ns",
             "from the barrier (measure.barrier), or the start of a client, to that of the "
             "workload"},
            {"background",
             Boolean(),
             "false",
             "it runs as long as workloads that are not in the background, if it says no end"},
            {"start_spread",
             Duration(0, HOUR),
             "1ms",
             "every client starts at a random time within this"},
        }};
    for (auto&& keys :
         {MakeReplayKeys(), MakeMixKeys(), MakeRequestKeys(), MakeFioKeys(), MakeMetadataKeys()})
    {
        section.keys.insert(section.keys.end(), keys.begin(), keys.end());
    }
    for (const auto& added : Workload::GetAddedKinds())
    {
        for (const auto& row : added.rows)
        {
            section.keys.push_back(MakeKey(row, added.type, ""));
        }
    }
    return section;
}

} // namespace ns3::nfsrdma
