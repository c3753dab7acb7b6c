/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "key-makers.h"
#include "scenario-keys.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr double MAX_BLOCK = 64 * 1024 * 1024;
constexpr double MAX_FILE = 1e15;
constexpr double HOUR = 3.6e12;

} // namespace

std::vector<ScenarioKey>
MakeRequestKeys()
{
    return {
        {"iodepth",
         Integer(1, 65536),
         "1",
         "fio, listing, acl: requests that a job has outstanding at most",
         {"RequestWorkload::IoDepth"}},
        {"requests",
         Integer(0),
         "0",
         "fio, listing, acl: requests of a job in all; 0: no such limit",
         {"RequestWorkload::Requests"}},
        {"runtime",
         Duration(),
         "0ns",
         "fio, listing, acl: no request starts later than that; 0ns: no such limit",
         {"RequestWorkload::Runtime"}},
        {"ramp_time",
         Duration(0, HOUR),
         "0ns",
         "fio, listing, acl: requests that arrive so early are not measured",
         {"RequestWorkload::RampTime"}},
        {"thinktime",
         Duration(0, HOUR),
         "0ns",
         "fio, listing, acl: closed loop, from a completion to the next request of its place",
         {"RequestWorkload::ThinkTime"}},
        {"arrivals",
         Choice({"closed", "constant", "poisson", "bursts"}),
         "closed",
         "fio, listing, acl: requests follow a completion, or arrive by themselves (open loop)",
         {"RequestWorkload::Arrivals"}},
        {"arrival_rate",
         Real(0, 1e9),
         "0",
         "fio, listing, acl: open loop, mean arrivals of a job in a second",
         {"RequestWorkload::ArrivalRate"}},
        {"burst_size",
         Integer(1, 1e6),
         "16",
         "fio, listing, acl: requests of a burst",
         {"RequestWorkload::BurstSize"}},
        {"burst_spacing",
         Duration(0, HOUR),
         "0ns",
         "fio, listing, acl: time between the requests of a burst",
         {"RequestWorkload::BurstSpacing"}},
    };
}

std::vector<ScenarioKey>
MakeFioKeys()
{
    return {
        {"readwrite",
         Choice({"read", "write", "randread", "randwrite", "rw", "randrw"}),
         "read",
         "fio: direction and order of requests",
         {"FioWorkload::ReadWrite"}},
        {"rwmixread",
         Integer(0, 100),
         "50",
         "fio: percentage of reads of rw and randrw",
         {"FioWorkload::RwMixRead"}},
        {"bs", Size(1, MAX_BLOCK), "4096", "fio: size of a request", {"FioWorkload::BlockSize"}},
        {"bssplit",
         Text(),
         "",
         "fio: sizes of requests and weights in place of bs, OCTETS:WEIGHT,...",
         {"FioWorkload::BlockSizeSplit"}},
        {"size", Size(1, MAX_FILE), "1MiB", "fio: size of each file", {"FioWorkload::Size"}},
        {"io_size",
         Size(0, MAX_FILE),
         "0B",
         "fio: octets that a job moves; 0B: all its files once, unless requests or runtime end it",
         {"FioWorkload::IoSize"}},
        {"nrfiles",
         Integer(1, 1e6),
         "1",
         "fio: files of each job, used in turn",
         {"FioWorkload::NrFiles"}},
        {"numjobs", Integer(1, 10000), "1", "fio: jobs of each client", {"FioWorkload::NumJobs"}},
        {"fsync",
         Integer(0, 4e9),
         "0",
         "fio: an fsync after so many writes to a file; 0: none",
         {"FioWorkload::Fsync"}},
        {"end_fsync",
         Boolean(),
         "false",
         "fio: an fsync of each file at the end",
         {"FioWorkload::EndFsync"}},
        {"direct",
         Boolean(),
         "false",
         "fio: O_DIRECT, or through the client's cache",
         {"FioWorkload::Direct"}},
        {"rate_iops",
         Real(0, 1e9),
         "0",
         "fio: most requests of a job in a second; 0: no limit",
         {"FioWorkload::RateIops"}},
        {"rate",
         Real(0, 1e15),
         "0",
         "fio: most octets of a job in a second; 0: no limit",
         {"FioWorkload::Rate"}},
    };
}

std::vector<ScenarioKey>
MakeMetadataKeys()
{
    return {
        {"depth",
         Integer(0, 64),
         "1",
         "mdtest: levels of directories below a tree's root",
         {"MdtestWorkload::Depth"}},
        {"branch",
         Integer(1, 1e6),
         "2",
         "mdtest: directories in each directory above the lowest level",
         {"MdtestWorkload::Branch"}},
        {"items",
         Integer(1, 1e6),
         "10",
         "mdtest: files of each task in each directory",
         {"MdtestWorkload::Items"}},
        {"tasks",
         Integer(1, 10000),
         "1",
         "mdtest: tasks of each client, with one operation outstanding",
         {"MdtestWorkload::Tasks"}},
        {"write_bytes",
         Size(0, MAX_BLOCK),
         "0B",
         "mdtest: octets written to each file and read from it",
         {"MdtestWorkload::WriteBytes"}},
        {"unique_directories",
         Boolean(),
         "false",
         "mdtest: each task has a tree of its own",
         {"MdtestWorkload::UniqueDirectories"}},
        {"list_directories",
         Integer(1, 100000),
         "1",
         "listing: directories to list",
         {"ListingWorkload::Directories"}},
        {"list_entries",
         Integer(0, 1e6),
         "1000",
         "listing: files in each directory",
         {"ListingWorkload::Entries"}},
        {"list_plus",
         Boolean(),
         "true",
         "listing: ask for handles and attributes (READDIRPLUS)",
         {"ListingWorkload::Plus"}},
        {"list_count",
         Size(512, 1048576),
         "4096",
         "listing: octets that each call may give",
         {"ListingWorkload::Count"}},
        {"acl_files",
         Integer(1, 1e6),
         "100",
         "acl: files that have the lists",
         {"AclWorkload::Files"}},
        {"acl_entries",
         Text(),
         "5:50,8:30,50:15,300:5",
         "acl: numbers of entries of the lists set and weights, COUNT:WEIGHT,...",
         {"AclWorkload::AclEntries"}},
        {"acl_set_fraction",
         Real(0, 1),
         "0.2",
         "acl: probability that a request sets a list",
         {"AclWorkload::SetFraction"}},
    };
}

} // namespace ns3::nfsrdma
