/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

/// What else than NFSv3 with Linux's replies a strategy has to serve.
struct StrategyUse
{
    const char* name;
    const char* setting;
};

constexpr StrategyUse USES[]{
    {"Krb5i", "nfs.client_security=krb5i"},
    {"V41", "nfs.version=4.1"},
    {"ReadChunkReplies", "rpcrdma.profile=read-chunk-replies"},
    {"LostConnection", "faults.lost=at 1ms on client-0: qp-error"},
};

/// Side, strategy, and use.
using StrategyCase = std::tuple<const char*, const char*, StrategyUse>;

class RegistrationStrategyRun : public SimulatorTest,
                                public ::testing::WithParamInterface<StrategyCase>
{
};

TEST_P(RegistrationStrategyRun, ServesEveryTransferAndLeavesNothing)
{
    const auto& [side, strategy, use] = GetParam();
    m_directory.WriteFile("s.ini", SMALL_MIX);
    // The status is 0 only when all was as written, no fault was left, and nothing is left over.
    const auto result =
        Run({"run",
             "s.ini",
             "--out",
             "out",
             "--set",
             use.setting,
             "--set",
             std::string("rpcrdma.") + side + "_registration_strategy=" + strategy});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("out/summary.json");
    EXPECT_EQ(summary["errors"], 0);
    EXPECT_EQ(summary["verification"]["failed_operations"], 0);
    EXPECT_EQ(summary["connections_lost"], use.name == std::string("LostConnection") ? 1 : 0);
    const auto& registration = summary["registration"][std::string(side) + "s"];
    const bool keeps = strategy != std::string("frwr") && strategy != std::string("regular") &&
                       strategy != std::string("memory-window");
    EXPECT_EQ(registration["left_valid"] > 0, keeps) << registration;
}

std::string
NameCase(const ::testing::TestParamInfo<StrategyCase>& info)
{
    const auto& [side, strategy, use] = info.param;
    auto name = std::string(side) + "_" + strategy + "_" + use.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Client,
                         RegistrationStrategyRun,
                         ::testing::Combine(::testing::Values("client"),
                                            ::testing::Values("frwr",
                                                              "memory-window",
                                                              "regular",
                                                              "all-physical",
                                                              "preregistered",
                                                              "cache"),
                                            ::testing::ValuesIn(USES)),
                         NameCase);
INSTANTIATE_TEST_SUITE_P(
    Server,
    RegistrationStrategyRun,
    ::testing::Combine(
        ::testing::Values("server"),
        ::testing::Values("frwr", "regular", "all-physical", "preregistered", "cache"),
        ::testing::ValuesIn(USES)),
    NameCase);

} // namespace

} // namespace ns3::nfsrdma
