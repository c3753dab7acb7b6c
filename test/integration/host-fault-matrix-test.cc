/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-faults.h"
#include "host-fault-fixture.h"

#include <map>

namespace ns3::nfsrdma
{

namespace
{

using Kind = HostFaultKind;

/// Reads and writes with O_DIRECT in blocks that go inline and by chunk, on two clients.
constexpr const char* DIRECT = "[cluster]\nclients = 2\n"
                               "[rpcrdma]\nclient_timeout = 100ms\n"
                               "[workload]\nkind = fio\nreadwrite = randrw\ndirect = true\n"
                               "bssplit = 2048:1,16384:2,131072:1\nsize = 1MiB\niodepth = 8\n"
                               "requests = 80\nend_fsync = true\n";

/// Writes through the client's cache, UNSTABLE and committed, to a server with a page cache.
constexpr const char* CACHED = "[cluster]\nclients = 2\n"
                               "[rpcrdma]\nclient_timeout = 100ms\n"
                               "[storage]\nprofile = nvme\ncache = 64MiB\n"
                               "[workload]\nkind = fio\nreadwrite = randwrite\nbs = 16384\n"
                               "size = 2MiB\niodepth = 8\nrequests = 90\nfsync = 24\n"
                               "end_fsync = true\n";

struct HostFaultCase
{
    std::string name;
    std::string host;
    HostFault fault;
    Time after{MicroSeconds(150)};
};

std::vector<HostFaultCase>
MakeHostFaultCases()
{
    std::vector<HostFaultCase> cases;
    const Time some = MicroSeconds(500);
    for (const std::string side : {"client", "server"})
    {
        const std::string host = side + "-0";
        const std::string peer = side == "client" ? "server-0" : "client-1";
        const auto add = [&](const std::string& name, const HostFault& fault) {
            cases.push_back({name + (side == "client" ? "OfClient" : "OfServer"), host, fault});
        };
        add("RnicReset", MakeFault(Kind::RNIC_RESET, MilliSeconds(2)));
        add("RnicResetAtOnce", MakeFault(Kind::RNIC_RESET));
        add("RnicRemove", MakeFault(Kind::RNIC_REMOVE, MilliSeconds(2)));
        add("QpError", MakeFault(Kind::QP_ERROR));
        add("QpErrorOfOnePeer", MakeFault(Kind::QP_ERROR, Time(0), 0, Time(0), peer));
        add("FailedRegistrations", MakeFault(Kind::REGISTRATION_FAILURE, Time(0), 3));
        add("FailedRegistrationsForAWhile", MakeFault(Kind::REGISTRATION_FAILURE, some));
        add("RegionShortage", MakeFault(Kind::REGION_SHORTAGE, some));
        cases.back().after = Time(0); // Later there are regions enough.
        add("CqOverflow", MakeFault(Kind::CQ_OVERFLOW));
        add("SlowReceiver", MakeFault(Kind::SLOW_RECEIVER, MilliSeconds(2), 0, MicroSeconds(40)));
        add("MemoryPressure", MakeFault(Kind::MEMORY_PRESSURE, some, 2));
    }
    const auto add = [&cases](const std::string& name, const HostFault& fault) {
        cases.push_back({name, "server-0", fault});
    };
    add("Crash", MakeFault(Kind::CRASH, MilliSeconds(50)));
    add("Restart", MakeFault(Kind::RESTART, MilliSeconds(10)));
    add("RestartAtOnce", MakeFault(Kind::RESTART));
    add("PortDown", MakeFault(Kind::PORT_DOWN, MilliSeconds(3)));
    add("PortDeaf", MakeFault(Kind::PORT_DEAF, MilliSeconds(3)));
    add("PortMute", MakeFault(Kind::PORT_MUTE, MilliSeconds(3)));
    add("ThreadStall", MakeFault(Kind::THREAD_STALL, some));
    add("StallOfThreeThreads", MakeFault(Kind::THREAD_STALL, some, 3));
    add("StorageStall", MakeFault(Kind::STORAGE_STALL, some));
    cases.back().after = MicroSeconds(400); // Then caches are being written back.
    return cases;
}

struct MatrixSetting
{
    const char* name;
    const char* scenario;
    const char* version;
};

/// Whatever happens inside a host: every RPC ends, the files hold what completed operations imply,
/// nothing is left over, and it all happens again the same way.
class HostFaultMatrix
    : public HostFaultTest,
      public ::testing::WithParamInterface<std::tuple<MatrixSetting, HostFaultCase>>
{
};

TEST_P(HostFaultMatrix, EndsWell)
{
    const auto& [setting, one] = GetParam();
    const std::string scenario =
        std::string(setting.scenario) + "[nfs]\nversion = " + setting.version + "\n";
    const std::vector<TimedFault> faults{{one.host, one.after, one.fault}};
    const auto run = Run(scenario, faults);
    ExpectSound(run);
    EXPECT_EQ(run.report.verification.failedOperations, 0U);
    EXPECT_EQ(Run(scenario, faults).report.digest, run.report.digest);
    static std::map<std::string, std::string> faultless;
    auto& digest = faultless[scenario];
    digest = digest.empty() ? Run(scenario, {}).report.digest : digest;
    EXPECT_NE(digest, run.report.digest) << "the fault changed nothing";
}

/// A client that crashes, early and late, and boots: it loses what its programs had under way, and
/// goes on; all else is as with the other faults. A lock manager's client does not crash.
class ClientCrashMatrix
    : public HostFaultTest,
      public ::testing::WithParamInterface<std::tuple<MatrixSetting, uint32_t, uint32_t>>
{
  protected:
    /// Operations that a program has under way at most.
    static constexpr uint64_t UNDER_WAY = 8;
};

TEST_P(ClientCrashMatrix, LosesWhatIsUnderWayAndEndsWell)
{
    const auto& [setting, after, duration] = GetParam();
    std::string scenario =
        std::string(setting.scenario) + "[nfs]\nversion = " + setting.version + "\n";
    scenario += setting.version[0] == '3' ? "local_lock = all\n" : "";
    const std::vector<TimedFault> faults{
        {"client-0", MicroSeconds(after), MakeFault(Kind::CRASH, MilliSeconds(duration))}};
    const auto run = Run(scenario, faults);
    ExpectSound(run);
    EXPECT_GE(run.report.verification.failedOperations, 1U);
    EXPECT_LE(run.report.verification.failedOperations, UNDER_WAY);
    EXPECT_GT(run.connects, 2U);
    EXPECT_EQ(Run(scenario, faults).report.digest, run.report.digest);
    EXPECT_NE(Run(scenario, {}).report.digest, run.report.digest);
}

INSTANTIATE_TEST_SUITE_P(
    Every,
    ClientCrashMatrix,
    ::testing::Combine(::testing::Values(MatrixSetting{"DirectV3", DIRECT, "3"},
                                         MatrixSetting{"DirectV40", DIRECT, "4.0"},
                                         MatrixSetting{"DirectV41", DIRECT, "4.1"},
                                         MatrixSetting{"DirectV42", DIRECT, "4.2"}),
                       ::testing::Values(50U, 150U, 400U),
                       ::testing::Values(3U, 50U)),
    [](const auto& one) {
        return std::string(std::get<0>(one.param).name) + "After" +
               std::to_string(std::get<1>(one.param)) + "usFor" +
               std::to_string(std::get<2>(one.param)) + "ms";
    });

INSTANTIATE_TEST_SUITE_P(
    Every,
    HostFaultMatrix,
    ::testing::Combine(::testing::Values(MatrixSetting{"DirectV3", DIRECT, "3"},
                                         MatrixSetting{"DirectV40", DIRECT, "4.0"},
                                         MatrixSetting{"DirectV41", DIRECT, "4.1"},
                                         MatrixSetting{"CachedV3", CACHED, "3"},
                                         MatrixSetting{"CachedV41", CACHED, "4.1"}),
                       ::testing::ValuesIn(MakeHostFaultCases())),
    [](const auto& one) { return std::get<1>(one.param).name + std::get<0>(one.param).name; });

} // namespace

} // namespace ns3::nfsrdma
