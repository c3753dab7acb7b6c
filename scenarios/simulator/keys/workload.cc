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
         "replay: NAME of the files NAME.trace.csv and NAME.tree.csv, relative to the scenario's "
         "directory"},
        {"pace",
         Choice({"recorded", "closed"}),
         "recorded",
         "replay: issue each operation at its recorded time, or as soon as those before it have "
         "completed",
         {"ReplayWorkload::Pace"}},
        {"time_scale",
         Real(0, 1e6),
         "1",
         "replay: factor for the recorded times",
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
                    "mix: sizes of READs and WRITEs and their weights, OCTETS:WEIGHT,...",
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
             "what clients do: replay a trace, draw operations from a mix, read and write as fio "
             "does, work on trees of files, list directories, use access lists, or lock records; "
             "none: only sections [workload NAME] say"},
            {"clients",
             Text(),
             "all",
             "clients of the workload: all, or numbers and ranges such as 0-3,7; of those that no "
             "section above has taken: a share such as 25%, next 4, or rest"},
            {"exports",
             Text(),
             "own",
             "exports that clients work in: each its own, all of a server one (shared), or groups "
             "of N one (shared by N); with kind lock files are shared even with own"},
            {"directory",
             Text(),
             "",
             "mix, fio, mdtest, listing, acl: directory of the export that the workload uses; if "
             "empty, it has the workload's name"},
            {"system_calls",
             Boolean(),
             "false",
             "mix, fio, mdtest: operations are system calls, which the client's caches of "
             "attributes and names answer when they can; otherwise each is an operation of the "
             "protocol",
             {"FileWorkload::SystemCalls"}},
            {"start_delay",
             Duration(0, HOUR),
             "0ns",
             "time from the barrier (measure.barrier), or from the start of a client, to the start "
             "of the workload"},
            {"background",
             Boolean(),
             "false",
             "run as long as the workloads that are not in the background, if no other end is set"},
            {"start_spread",
             Duration(0, HOUR),
             "1ms",
             "each client starts at a random time within this time"},
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
