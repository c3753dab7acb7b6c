/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

/// A scenario in which the laws of queueing must hold.
struct LawCase
{
    const char* name;
    const char* scenario;
};

/// Server threads, storage and credits: how many are in use (L), how often they are taken (lambda),
/// and how long (W) are measured by different trace sources; see ResourceMeter.
class QueueingLawsTest : public SimulatorTest, public ::testing::WithParamInterface<LawCase>
{
  protected:
    static void ExpectLaws(const nlohmann::json& resource)
    {
        const double number = resource["number"];
        const double rate = resource["arrivals_per_second"];
        const double throughput = resource["throughput_per_second"];
        const double stay = resource["stay_us"].get<double>() / 1e6;
        const double places = resource["places"];
        const uint64_t arrivals = resource["arrivals"];
        const uint64_t departures = resource["departures"];
        // Nobody is left in a resource when the work is done, but read-ahead and write-back.
        const bool isStorage = resource["resource"] == "storage";
        const double tolerance = arrivals == departures ? 1e-9 : 0.05;
        ASSERT_GE(arrivals, departures);
        EXPECT_LE(arrivals - departures, isStorage ? 32U : 0U);
        EXPECT_LE(std::fabs(number - rate * stay), tolerance * std::max(number, 1e-6));
        if (places > 0)
        {
            EXPECT_LE(std::fabs(resource["utilisation"].get<double>() - throughput * stay / places),
                      tolerance * std::max(number, 1e-6) / places);
            EXPECT_LE(resource["peak"], resource["places"]);
        }
    }
};

TEST_P(QueueingLawsTest, HoldForThreadsStorageAndCredits)
{
    m_directory.WriteFile("laws.ini", GetParam().scenario);
    const auto result = Run({"run", "laws.ini", "--set", "output.resources=true", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("out/summary.json");
    std::map<std::string, uint64_t> arrivals;
    for (const auto& resource : summary["resources"])
    {
        SCOPED_TRACE(resource.dump());
        ExpectLaws(resource);
        arrivals[resource["resource"]] += resource["arrivals"].get<uint64_t>();
    }
    for (const char* name : {"threads", "thread-queue", "storage", "credits"})
    {
        EXPECT_GT(arrivals[name], 20U) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Workloads,
    QueueingLawsTest,
    ::testing::Values(
        LawCase{"Mix", "[cluster]\nclients = 3\n[workload]\noperations = 600\nfiles = 10\n"},
        LawCase{"MixWithThinkTime",
                "[cluster]\nclients = 3\nservers = 2\n[nfs]\nthreads = 2\n[workload]\n"
                "operations = 300\nthinktime = 20us\nthinktime_distribution = exponential\n"},
        LawCase{"FewCredits",
                "[cluster]\nclients = 4\n[rpcrdma]\nserver_credits = 3\n[workload]\n"
                "operations = 300\nqueue_depth = 32\n"},
        LawCase{"Flash",
                "[cluster]\nclients = 3\n[storage]\nprofile = nvme\ncache = 0\n[nfs]\n"
                "threads = 64\n[workload]\noperations = 500\nqueue_depth = 32\n"},
        LawCase{"PageCache",
                "[cluster]\nclients = 3\n[storage]\nprofile = nvme\ncache = 524288\n"
                "[workload]\noperations = 500\nqueue_depth = 16\nfiles = 20\n"
                "operation_mix = read:5,write:3,commit:1,getattr:1,remove:1,setattr:1\n"},
        LawCase{"Disk",
                "[storage]\nprofile = disk\ncache = 1048576\n[workload]\noperations = 100\n"
                "files = 20\n"},
        LawCase{"Fio",
                "[cluster]\nclients = 3\n[storage]\nprofile = nvme\ncache = 0\n[workload]\n"
                "kind = fio\nreadwrite = randrw\nrequests = 400\niodepth = 16\n"},
        LawCase{"FioPoisson",
                "[cluster]\nclients = 3\n[storage]\nprofile = nvme\n[workload]\n"
                "kind = fio\nreadwrite = randrw\nrequests = 400\narrivals = poisson\n"
                "arrival_rate = 20000\n"},
        LawCase{"Mdtest", "[cluster]\nclients = 3\n[workload]\nkind = mdtest\n"},
        LawCase{"Replay", "[workload]\nkind = replay\npace = closed\n"},
        LawCase{"RecordedReplay", "[cluster]\nclients = 4\n[workload]\nkind = replay\n"}),
    [](const auto& one) { return std::string(one.param.name); });

} // namespace

} // namespace ns3::nfsrdma
