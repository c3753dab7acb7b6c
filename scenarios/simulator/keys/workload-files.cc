/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"
#include "workload/generate/fio.h"
#include "workload/generate/listing-storm.h"
#include "workload/generate/lock-counters.h"
#include "workload/generate/mdtest.h"
#include "workload/generate/requests.h"

namespace ns3::nfsrdma
{

namespace
{

std::vector<ScenarioKey>
MakeAclKeys()
{
    return {
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

} // namespace

std::vector<ScenarioKey>
MakeRequestKeys()
{
    std::vector<ScenarioKey> keys;
    const auto append = [&keys](const char* names) {
        AppendKeys(keys, RequestWorkload::Settings::GetRows(), "RequestWorkload", "", names);
    };
    append("iodepth requests runtime ramp_time");
    keys.push_back(
        {"thinktime",
         Duration(0, HOUR),
         "0ns",
         "mix, fio, listing, acl: closed loop: time from the completion of a request to the next",
         {"MixWorkload::ThinkTime", "RequestWorkload::ThinkTime"}});
    const auto first = keys.size();
    append("arrivals arrival_rate arrival_peak_rate arrival_busy_time arrival_calm_time "
           "arrival_ramp burst_size burst_spacing");
    for (auto index = first; index < keys.size(); ++index)
    {
        auto& targets = keys[index].targets;
        const auto& own = targets.front();
        targets.push_back("MixWorkload" + own.substr(own.find("::")));
    }
    keys.push_back({"arrival_trace",
                    Text(),
                    "",
                    "mix, fio, listing, acl, lock: trace: file with one arrival in each line, as "
                    "seconds from the beginning, relative to the scenario's directory"});
    keys.push_back({"arrivals_of",
                    Choice({"job", "population"}),
                    "job",
                    "mix, fio, listing, acl, lock: the rates or the trace apply to each job, or to "
                    "all clients together, which take the arrivals in turn"});
    return keys;
}

std::vector<ScenarioKey>
MakeFioKeys()
{
    std::vector<ScenarioKey> keys;
    const auto append = [&keys](const char* names) {
        AppendKeys(keys, FioWorkload::Settings::GetRows(), "FioWorkload", "", names);
    };
    append("readwrite rwmixread bs");
    keys.push_back({"bssplit",
                    Text(),
                    "",
                    "fio: sizes of requests and their weights instead of bs, OCTETS:WEIGHT,...",
                    {"FioWorkload::BlockSizeSplit"}});
    append("size io_size nrfiles numjobs fsync end_fsync direct reopen rate_iops rate read_ahead "
           "dirty_limit "
           "dirty_background cached_cost copy_rate");
    return keys;
}

std::vector<ScenarioKey>
MakeMetadataKeys()
{
    std::vector<ScenarioKey> keys;
    AppendKeys(keys, MdtestWorkload::Settings::GetRows(), "MdtestWorkload");
    AppendKeys(keys, ListingWorkload::Settings::GetRows(), "ListingWorkload", "list_");
    for (const auto& key : MakeAclKeys())
    {
        keys.push_back(key);
    }
    AppendKeys(keys, LockWorkload::Settings::GetRows(), "LockWorkload", "lock_");
    return keys;
}

} // namespace ns3::nfsrdma
