/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Gt;
using ::testing::HasSubstr;

/// What TCP, and the network under it, once did to a run.
class TcpFault : public FaultTest
{
  protected:
    /// \return what a lone client's operations took at the median, in us; and checks that no frame
    /// was dropped.
    double RunLone(const std::string& readwrite, uint32_t octets, const std::string& more) const
    {
        const auto run =
            RunText("[cluster]\nclients = 1\nstall_limit = 300s\n[rpcrdma]\nclient_timeout = 600s\n"
                    "[workload]\nkind = fio\ndirect = true\niodepth = 1\nrequests = 8\n"
                    "readwrite = " +
                        readwrite + "\nbs = " + std::to_string(octets) +
                        "\nsize = " + std::to_string(8 * octets) + "\n" + more,
                    {"--pcap", "client-0"});
        EXPECT_EQ(run.status, 0) << run.errors;
        const auto summary = Summary();
        for (const auto& [place, count] : summary["drops"].items())
        {
            EXPECT_EQ(count, 0) << place;
        }
        return GetMedian(readwrite == "write" ? "WRITE" : "READ", summary);
    }

    static double GetMedian(const std::string& operation, const nlohmann::json& summary)
    {
        for (const auto& row : summary["operations"])
        {
            if (row["operation"] == operation)
            {
                return row["latency_us"]["p50"];
            }
        }
        ADD_FAILURE() << "no " << operation;
        return 0;
    }
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
        const double median = std::stod(row.at("latency_p50_us"));
        EXPECT_GT(median, 2 * roundTrip);
        EXPECT_LT(median, 4 * roundTrip + 500);
    }
}

/// A lone client's operations at the median take what they take on the shortest path, and the round
/// trips of their RDMA operations. What does not fit into the smaller buffer of TCP waits for the
/// first acknowledgment.
class LonePath : public TcpFault
{
  protected:
    static constexpr double BUFFER = 256 * 1024;
    static constexpr double SEGMENT = 1448;

    void Expect(const char* operation,
                uint32_t octets,
                double gigabits,
                const std::string& microseconds,
                const std::string& more) const
    {
        SCOPED_TRACE(std::string(operation) + " " + std::to_string(octets) + " " + microseconds +
                     "us " + std::to_string(gigabits) + "Gbps\n" + more);
        const std::string rate =
            "[link]\nrate = " + std::to_string(static_cast<int>(gigabits)) + "Gbps\n";
        const double near = RunLone(operation, octets, rate + "delay = 50ns\n" + more);
        const double far =
            RunLone(operation, octets, rate + "delay = " + microseconds + "us\n" + more);
        const double roundTrip = 4 * std::stod(microseconds);
        const double wire = octets * (1 + 40 / SEGMENT);
        const double window = (BUFFER - SEGMENT) * 8 / gigabits / 1e3;
        const double windows = std::ceil(wire / BUFFER) - 1;
        const double expected = near + roundTrip * (operation == std::string("read") ? 1 : 2) +
                                windows * std::max(0.0, roundTrip - window);
        EXPECT_NEAR(far, expected, 0.15 * expected);
        EXPECT_EQ(CountRepeated(), 0U);
    }

    /// \return segments that the client's capture has twice.
    uint32_t CountRepeated() const
    {
        const auto file = m_directory.GetPath() + "/out/client-0.pcap";
        const auto list = m_directory.GetPath() + "/repeated.txt";
        const auto command = "tshark -r " + file +
                             " -Y tcp.analysis.retransmission -T fields -e frame.number > " + list +
                             " 2> /dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0);
        const auto text = m_directory.ReadFile("repeated.txt");
        return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
    }
};

TEST_F(LonePath, EveryLengthTakesItsRoundTrips)
{
    for (const char* operation : {"read", "write"})
    {
        for (const uint32_t octets : {4096U, 262144U})
        {
            Expect(operation, octets, 100, "20", "");
            Expect(operation, octets, 100, "1000", "");
            Expect(operation, octets, 100, "25000", "");
        }
    }
}

TEST_F(LonePath, EveryRateTakesItsRoundTrips)
{
    for (const double gigabits : {1.0, 10.0, 400.0})
    {
        const std::string port = "[rnic]\nport_rate = 400Gbps\n";
        Expect("write", 262144, gigabits, "250", port);
        Expect("read", 4096, gigabits, "250", port);
    }
}

TEST_F(LonePath, EveryControlAndTransportTakesItsRoundTrips)
{
    for (const char* control : {"TcpLinuxReno", "TcpNewReno", "TcpCubic", "TcpDctcp"})
    {
        Expect("write",
               262144,
               100,
               "1000",
               std::string("[tcp]\ncongestion_control = ") + control + "\n");
    }
    for (const char* transport : {"layered", "aware-sender", "aware"})
    {
        for (const char* sack : {"true", "false"})
        {
            Expect("write",
                   262144,
                   100,
                   "1000",
                   std::string("[rnic]\nmpa_transport = ") + transport + "\n[tcp]\nsack = " + sack +
                       "\n");
        }
    }
}

TEST_F(LonePath, AControlThatDoesNotReachItIsRefused)
{
    const auto run = RunText("[tcp]\ncongestion_control = TcpBbr\n");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors,
                HasSubstr("scenario.ini:2: tcp.congestion_control: got 'TcpBbr', expected "));
    EXPECT_THAT(run.errors, HasSubstr("TcpCubic"));
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

TEST_F(TcpFault, AServerThatCrashedResetsConnectionsThatItHasForgotten)
{
    for (const char* version : {"3", "4.1"})
    {
        SCOPED_TRACE(version);
        const auto run =
            RunText(std::string("[cluster]\nclients = 1\nstall_limit = 200s\n[nfs]\nversion = ") +
                        version + (std::string(version) == "3" ? "" : "\nlease_time = 1s") +
                        "\n[workload]\nkind = mix\noperations = 400\n"
                        "operation_mix = getattr:1,read:1\n[faults]\n"
                        "crash = 100th nfs READ call: crash for 20ms on server-0\n"
                        "seen = every rst from server-0: delay 1ns\n",
                    {"--pcap", "client-0"});
        EXPECT_EQ(run.status, 0) << run.errors;
        EXPECT_THAT(Summary()["faults"]["plan"][1]["occurrences"], Gt(0)) << run.output;
    }
}

} // namespace

} // namespace ns3::nfsrdma
