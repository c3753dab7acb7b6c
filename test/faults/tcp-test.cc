/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Gt;
using ::testing::HasSubstr;

/// What TCP, and the network under it, once did to a run.
class TcpFault : public FaultTest
{
};

TEST_F(TcpFault, ALongPathCostsItsRoundTripsAlone)
{
    ASSERT_EQ(RunFault("long-path-write").status, 0);
    const auto rows = Table("sweep.csv");
    ASSERT_EQ(rows.size(), 10U);
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.at("link.delay"));
        // Call, Read Request, Read Response, reply; and the windows of slow start.
        const double roundTrip = 4e6 * std::stod(row.at("link.delay"));
        const double mean = std::stod(row.at("latency_mean_us"));
        EXPECT_GT(mean, 2 * roundTrip);
        EXPECT_LT(mean, 4 * roundTrip + 500);
    }
}

TEST_F(TcpFault, ATimerThatIsShorterThanThePathIsNamed)
{
    const std::string text =
        "[cluster]\nclients = 1\n[link]\ndelay = 25ms\n[workload]\nkind = mix\n"
        "operations = 2\noperation_mix = getattr:1\nfiles = 1\n";
    const auto run = RunText(text);
    ASSERT_EQ(run.status, 0);
    EXPECT_THAT(
        run.output,
        HasSubstr("path            round trip of 100ms; short for it: tcp.connect_timeout = "
                  "20ms (400ms is used), tcp.initial_rtt = 1ms (100ms is used)"));
    EXPECT_EQ(Summary()["path"]["round_trip_us"], 100000);
    EXPECT_THAT(RunText(text, {"--set", "tcp.connect_timeout=20ms"}).output,
                HasSubstr("tcp.connect_timeout = 20ms, "));
    EXPECT_THAT(RunText(text, {"--set", "link.delay=1us"}).output,
                Not(HasSubstr("path            round")));
}

TEST_F(TcpFault, NoConnectionWaitsForAnArpQueue)
{
    ASSERT_EQ(RunFault("nconnect-start").status, 0);
    const auto rows = Table("sweep.csv");
    ASSERT_EQ(rows.size(), 6U);
    for (const auto& row : rows)
    {
        EXPECT_NEAR(std::stod(row.at("simulated_s")), std::stod(rows[0].at("simulated_s")), 1e-3)
            << row.at("nfs.nconnect");
    }
}

TEST_F(TcpFault, WhatIsDroppedIsCountedByPlace)
{
    const std::string mix = "[workload]\nkind = mix\noperations = 50\n";
    const auto run =
        RunText("[cluster]\nclients = 1\n[nfs]\nnconnect = 16\n[topology]\narp_queue = 3\n" + mix);
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(Summary()["drops"]["arp-queue"], Gt(0));
    EXPECT_THAT(run.output, HasSubstr("dropped         arp-queue "));
    EXPECT_EQ(
        RunText("[cluster]\nclients = 1\n[middlebox]\nat = servers\ndrop = 0.02\n" + mix).status,
        0);
    EXPECT_THAT(Summary()["drops"]["middlebox"], Gt(0));
}

TEST_F(TcpFault, OneFloorHoldsForEveryMtu)
{
    const std::string mix = "[workload]\nkind = mix\noperations = 40\n";
    for (const char* key : {"[link]\nmtu = ", "[middlebox]\nat = servers\nmtu = "})
    {
        for (const char* low : {"68", "70", "80", "575"})
        {
            const auto run = RunText(std::string(key) + low + "\n" + mix);
            EXPECT_EQ(run.status, 2) << key << low;
            EXPECT_THAT(run.errors, HasSubstr("576B"));
        }
        EXPECT_EQ(RunText(std::string(key) + "576\n[rnic]\nmpa_markers = true\n" + mix).status, 0)
            << key;
    }
    EXPECT_EQ(RunFault("mtu-floor").status, 2);
    const auto low = RunText(mix + "[faults]\nnarrow = at 1ms on client-0: mtu 575 for 1ms\n");
    EXPECT_EQ(low.status, 2);
    EXPECT_THAT(low.errors, HasSubstr("an MTU, 576 to 65535"));
    EXPECT_EQ(RunText(mix + "[faults]\nnarrow = at 1ms on client-0: mtu 576 for 1ms\n").status, 0);
}

/// What a host does that forgets its connections, and which host.
struct ForgottenCase
{
    const char* deed;
    const char* host;
    const char* peer;
};

class ForgottenConnection
    : public TcpFault,
      public ::testing::WithParamInterface<std::tuple<ForgottenCase, const char*>>
{
};

TEST_P(ForgottenConnection, IsAnsweredByRst)
{
    const auto [forgotten, version] = GetParam();
    const auto& [deed, host, peer] = forgotten;
    const bool hasState = std::string(version) >= "4";
    const auto run = RunText(std::string("[cluster]\nclients = 1\nstall_limit = 200s\n[nfs]\n") +
                             "version = " + version + (hasState ? "\nlease_time = 1s" : "") +
                             "\n[workload]\nkind = mix\noperations = 400\n"
                             "operation_mix = getattr:1,read:1\n[faults]\n"
                             "gone = 100th nfs READ call: " +
                             deed + " for 20ms on " + host + "\nseen = every rst from " + host +
                             ": delay 1ns\n");
    EXPECT_EQ(run.status, 0) << run.errors;
    const auto summary = Summary();
    EXPECT_EQ(summary["faults"]["plan"][0]["firings"], 1);
    EXPECT_THAT(summary["faults"]["plan"][1]["occurrences"], Gt(0)) << run.output;
    // Its peer has one connection fewer, and knows it.
    for (const auto& end : summary["ends"])
    {
        if (end["host"] == peer)
        {
            EXPECT_EQ(end["connections"], (nlohmann::json{{"reset by the other host (RST)", 1}}));
        }
    }
}

std::string
NameForgotten(const ::testing::TestParamInfo<ForgottenConnection::ParamType>& info)
{
    const auto& forgotten = std::get<0>(info.param);
    std::string name =
        std::string(forgotten.deed) + "_" + forgotten.host + "_" + std::get<1>(info.param);
    std::replace(name.begin(), name.end(), '-', '_');
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(
    Quick,
    ForgottenConnection,
    ::testing::Combine(::testing::Values(ForgottenCase{"crash", "server-0", "client-0"},
                                         ForgottenCase{"rnic-reset", "server-0", "client-0"},
                                         ForgottenCase{"rnic-reset", "client-0", "server-0"}),
                       ::testing::Values("2", "3", "4.0", "4.1")),
    NameForgotten);

} // namespace

} // namespace ns3::nfsrdma
