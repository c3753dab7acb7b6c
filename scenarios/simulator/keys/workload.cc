/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr double MAX_IO = 1024 * 1024;
constexpr double MAX_COPY = 1024.0 * 1024 * 1024;

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
    return {
        {"operations",
         Integer(0),
         "1000",
         "mix: operations of each client; 0: as many as the duration allows",
         {"MixWorkload::Operations"}},
        {"duration",
         Duration(),
         "0ns",
         "mix: no operation starts later than that; 0ns: no limit",
         {"MixWorkload::Duration"}},
        {"operation_mix",
         Text(),
         "lookup:24,read:18,write:10,getattr:26,readlink:1,readdir:1,create:1,remove:1,fsstat:1,"
         "setattr:4,readdirplus:2,access:11",
         "mix: operations and weights, NAME:WEIGHT,...; with NFSv4.2 also read_plus, seek, "
         "allocate, "
         "deallocate, copy, clone",
         {"MixWorkload::OperationMix"}},
        {"io_sizes",
         Text(),
         "512:10,1024:15,2048:15,4096:30,8192:20,16384:10",
         "mix: octets of READs and WRITEs and weights, OCTETS:WEIGHT,...",
         {"MixWorkload::IoSizes"}},
        {"copy_size",
         Size(0, MAX_COPY),
         "0B",
         "mix: octets of a copy or clone; 0B: as io_sizes",
         {"MixWorkload::CopySize"}},
        {"io_alignment",
         Size(1, MAX_IO),
         "512",
         "mix: offsets are multiples of it",
         {"MixWorkload::IoAlignment"}},
        {"queue_depth",
         Integer(1, 65536),
         "8",
         "mix: operations a client has outstanding",
         {"MixWorkload::QueueDepth"}},
        {"thinktime_distribution",
         Choice({"constant", "exponential"}),
         "constant",
         "mix: how think times are distributed",
         {"MixWorkload::ThinkTimeDistribution"}},
        {"stable",
         Choice({"unstable", "data-sync", "file-sync"}),
         "unstable",
         "mix: how stable a WRITE is asked to be",
         {"MixWorkload::Stable"}},
        {"files", Integer(1, 1e6), "100", "mix: files of each client", {"MixWorkload::Files"}},
        {"file_size",
         Size(1, MAX_FILE_OCTETS),
         "65536",
         "mix: size of each file",
         {"MixWorkload::FileSize"}},
        {"symlinks",
         Integer(0, 1e6),
         "10",
         "mix: symbolic links of each client",
         {"MixWorkload::Symlinks"}},
        {"setup_io_size",
         Size(1, MAX_IO),
         "65536",
         "mix: WRITEs that make the files",
         {"MixWorkload::SetupIoSize"}},
        {"directory_count",
         Size(512, MAX_IO),
         "4096",
         "mix: count of READDIR, dircount and maxcount of READDIRPLUS",
         {"MixWorkload::DirectoryCount"}},
        {"large_directory_entries",
         Integer(0, 1e6),
         "0",
         "mix: empty files in a second directory of each client; 0: no such directory",
         {"MixWorkload::LargeDirectoryEntries"}},
        {"large_directory_fraction",
         Real(0, 1),
         "0",
         "mix: probability that a readdir or readdirplus is of the second directory",
         {"MixWorkload::LargeDirectoryFraction"}},
        {"allow_overlap",
         Boolean(),
         "false",
         "mix: let READs and WRITEs overlap outstanding WRITEs; not verified there",
         {"MixWorkload::AllowOverlap"}},
    };
}

} // namespace

ScenarioSection
MakeWorkloadSection()
{
    ScenarioSection section{
        "workload",
        "What each client does with its own export; [workload NAME]: further "
        "workloads beside.",
        {
            {"kind",
             Choice({"mix", "replay", "fio", "mdtest", "listing", "acl", "lock", "none"}),
             "mix",
             "replay a trace, draw operations from a mix, reads and writes, "
             "trees of files, listings, access lists, records under locks; none: leave it to "
             "[workload NAME]"},
            {"clients",
             Text(),
             "all",
             "which clients: all, numbers and ranges such as 0-3,7, or of those that no section "
             "above has: a share such as 25%, next 4, rest"},
            {"start_delay",
             Duration(0, HOUR),
             "0ns",
             "from the start of a client to that of the workload"},
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
    return section;
}

} // namespace ns3::nfsrdma
