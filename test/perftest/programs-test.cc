/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/program-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr const char* LATENCY_HEAD =
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\n";
constexpr const char* BANDWIDTH_HEAD =
    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n";

class LatencyProgramTest : public ProgramTest, public ::testing::WithParamInterface<const char*>
{
};

TEST_P(LatencyProgramTest, PrintsPerftestsTable)
{
    const auto result = Run(GetParam(), {"-s", "64", "-n", "20"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.errors, "");
    EXPECT_THAT(result.output, HasSubstr(" Latency Test\n"));
    EXPECT_THAT(result.output, HasSubstr(" Number of qps   : 1\t\tTransport type : IW\n"));
    EXPECT_THAT(result.output, HasSubstr(" local address: LID 0000 QPN 0x0002 "));
    EXPECT_THAT(result.output, HasSubstr(LATENCY_HEAD));
    const auto rows = FindRows(result.output);
    ASSERT_EQ(rows.size(), 1U);
    ASSERT_EQ(rows[0].size(), 9U);
    EXPECT_EQ(rows[0][0], "64");
    EXPECT_EQ(rows[0][1], "20");
    const double typical = std::stod(rows[0][4]);
    EXPECT_GT(typical, 0.5);
    EXPECT_LT(typical, 5);
    EXPECT_LE(std::stod(rows[0][2]), typical);
    EXPECT_GE(std::stod(rows[0][3]), typical);
}

TEST_P(LatencyProgramTest, EventsCostMoreThanPolling)
{
    const auto polled = FindRows(Run(GetParam(), {"-n", "10"}).output);
    const auto slept = FindRows(Run(GetParam(), {"-n", "10", "-e"}).output);
    ASSERT_EQ(polled.size(), 1U);
    ASSERT_EQ(slept.size(), 1U);
    EXPECT_GT(std::stod(slept[0][4]), std::stod(polled[0][4]));
}

TEST_P(LatencyProgramTest, AllRunsEverySize)
{
    const auto rows = FindRows(Run(GetParam(), {"-a", "-m", "9000", "-n", "5"}).output);
    ASSERT_EQ(rows.size(), 23U);
    double previous = 0;
    for (std::size_t i = 0; i < rows.size(); i++)
    {
        EXPECT_EQ(rows[i][0], std::to_string(2U << i));
        const double typical = std::stod(rows[i][4]);
        EXPECT_GE(typical, previous) << rows[i][0];
        previous = typical;
    }
}

INSTANTIATE_TEST_SUITE_P(Verbs,
                         LatencyProgramTest,
                         ::testing::Values("send-lat", "write-lat", "read-lat"));

class BandwidthProgramTest : public ProgramTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    /// \return the average of the only row, bits per second.
    double RunForBits(Words arguments)
    {
        arguments.emplace_back("--report_gbits");
        const auto rows = FindRows(Run(GetParam(), arguments).output);
        EXPECT_EQ(rows.size(), 1U);
        return rows.empty() ? 0 : std::stod(rows[0][3]) * 1e9;
    }
};

TEST_P(BandwidthProgramTest, PrintsPerftestsTable)
{
    const auto result = Run(GetParam(), {"-s", "4096", "-n", "200"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.errors, "");
    EXPECT_THAT(result.output, HasSubstr(" BW Test\n"));
    EXPECT_THAT(result.output, HasSubstr(" CQ Moderation   : 100, 1 above 8192 octets\n"));
    EXPECT_THAT(result.output, HasSubstr(BANDWIDTH_HEAD));
    const auto rows = FindRows(result.output);
    ASSERT_EQ(rows.size(), 1U);
    ASSERT_EQ(rows[0].size(), 5U);
    EXPECT_EQ(rows[0][0], "4096");
    EXPECT_EQ(rows[0][1], "200");
    const double average = std::stod(rows[0][3]);
    EXPECT_GE(std::stod(rows[0][2]), average);
    EXPECT_NEAR(std::stod(rows[0][4]) * 1e6 * 4096 / (1 << 20), average, average * 1e-4);
}

TEST_P(BandwidthProgramTest, ReachesTheGoodputOfTheLinkAt100GigabitsAndMtu9000)
{
    // 8948 octets of TCP payload a segment, of which FPDU and DDP headers take 20 (Sends 24); the
    // frame has 52 of IP and TCP, 38 of Ethernet.
    const bool untagged = std::string(GetParam()) == "send-bw";
    const double payload = untagged ? 8924 : 8928;
    const double goodput = 1e11 * payload / (8948 + 52 + 38);
    EXPECT_NEAR(RunForBits({"-s", "1048576", "-n", "50", "-m", "9000"}), goodput, goodput * 0.01);
}

TEST_P(BandwidthProgramTest, ASlowLinkIsFullToo)
{
    const double bits = RunForBits({"-s", "65536", "-n", "50", "--link-rate", "1Gbps"});
    EXPECT_GT(bits, 0.91e9);
    EXPECT_LT(bits, 0.95e9);
}

TEST_P(BandwidthProgramTest, QueuePairsShareTheLink)
{
    const double one = RunForBits({"-n", "500", "-m", "9000"});
    const double four = RunForBits({"-n", "500", "-m", "9000", "-q", "4"});
    EXPECT_NEAR(four, one, one * 0.01);
}

TEST_P(BandwidthProgramTest, BothDirectionsCarryTogetherNearlyTwice)
{
    const double one = RunForBits({"-n", "100"});
    const double both = RunForBits({"-n", "100", "-b"});
    EXPECT_GT(both, one * 1.9);
    EXPECT_LT(both, one * 2.0);
}

TEST_P(BandwidthProgramTest, AnyShapeOfTheQueuesMovesEverything)
{
    for (const Words& shape : {Words{"-t", "1"},
                               Words{"-t", "7", "-Q", "3"},
                               Words{"--post_list", "16", "-Q", "16"},
                               Words{"--post_list", "5", "-t", "9", "-q", "3"},
                               Words{"-b", "-t", "2", "-q", "2", "-e"}})
    {
        Words arguments{"-s", "100", "-n", "50"};
        arguments.insert(arguments.end(), shape.begin(), shape.end());
        const auto result = Run(GetParam(), arguments);
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_EQ(FindRows(result.output).size(), 1U);
    }
}

INSTANTIATE_TEST_SUITE_P(Verbs,
                         BandwidthProgramTest,
                         ::testing::Values("send-bw", "write-bw", "read-bw"));

class PerftestTest : public ProgramTest
{
};

TEST_F(PerftestTest, FewReceivesNeverEndAConnection)
{
    for (const char* depth : {"1", "2", "5"})
    {
        const auto result = Run("send-bw", {"-r", depth, "-n", "100", "-s", "1000", "-b"});
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_EQ(FindRows(result.output).size(), 1U);
    }
}

TEST_F(PerftestTest, TheTableGoesToAFileToo)
{
    EXPECT_EQ(Run("write-lat", {"-n", "10", "--csv", "lat.csv"}).status, 0);
    EXPECT_THAT(m_directory.ReadFile("lat.csv"),
                ::testing::StartsWith("program,profile,link_bps,mtu,queue_pairs,bytes,iterations,"
                                      "t_min_us,t_max_us,t_typical_us,t_avg_us,t_stdev_us,"
                                      "t_p99_us,t_p999_us\n"
                                      "write-lat,generic-100g,100000000000,1500,1,2,10,"));
    EXPECT_EQ(Run("read-bw", {"-n", "10", "--csv", "bw.csv"}).status, 0);
    EXPECT_THAT(m_directory.ReadFile("bw.csv"),
                HasSubstr("peak_bps,average_bps,messages_per_second\n"
                          "read-bw,generic-100g,100000000000,1500,1,65536,10,"));
}

TEST_F(PerftestTest, StagesAddUpToTheTimeOfEachWorkRequest)
{
    ASSERT_EQ(Run("read-lat", {"-n", "5", "--stages", "stages.csv"}).status, 0);
    std::istringstream lines(m_directory.ReadFile("stages.csv"));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line,
              "side,queue_pair,id,kind,status,posted_ns,post,doorbell,fetch,queue,context,engine,"
              "gather,transmit,response,receive,placement,order,cqe,notify,total");
    uint32_t reads = 0;
    while (std::getline(lines, line))
    {
        std::istringstream row(line);
        Words cells;
        for (std::string cell; std::getline(row, cell, ',');)
        {
            cells.push_back(cell);
        }
        ASSERT_EQ(cells.size(), 21U) << line;
        int64_t sum = 0;
        for (std::size_t i = 6; i < 20; i++)
        {
            sum += std::stoll(cells[i]);
        }
        EXPECT_EQ(sum, std::stoll(cells[20])) << line;
        EXPECT_GT(sum, 0) << line;
        reads += cells[0] == "client" && cells[3] == "RDMA_READ" && cells[4] == "SUCCESS" ? 1 : 0;
    }
    EXPECT_EQ(reads, 5U);
}

TEST_F(PerftestTest, TheSameCommandWritesTheSameFiles)
{
    const Words arguments{"-n", "10", "-s", "3000", "--pcap", "a", "--csv", "a.csv"};
    const auto first = Run("send-lat", arguments);
    const auto files = m_directory.ReadAll(".");
    EXPECT_EQ(files.size(), 3U);
    const auto second = Run("send-lat", arguments);
    EXPECT_EQ(first.output, second.output);
    EXPECT_EQ(files, m_directory.ReadAll("."));
}

TEST_F(PerftestTest, AProfileMayBeAFile)
{
    m_directory.WriteFile("slow.ini", "[rnic]\ntx_per_wqe = 100us\n");
    const auto rows = FindRows(Run("write-lat", {"-n", "10", "--profile", "slow.ini"}).output);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_GT(std::stod(rows[0][4]), 100);
}

/// Of one queue pair whose messages are too small to fill the link.
class MessageRateTest : public ProgramTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    /// \return messages per second with \p profile.
    double RunProfile(const std::string& profile)
    {
        m_directory.WriteFile("profile.ini", profile);
        const auto rows = FindRows(
            Run(GetParam(), {"-s", "8", "-n", "40000", "--profile", "profile.ini"}).output);
        EXPECT_EQ(rows.size(), 1U);
        return rows.empty() ? 0 : std::stod(rows[0][4]) * 1e6;
    }
};

TEST_P(MessageRateTest, IsThatOfTheEngineWhenItIsTighter)
{
    const double rate = 1 / (100e-9 + 25e-9);
    EXPECT_NEAR(RunProfile("[rnic]\ntx_per_wqe = 100ns\ntx_per_fpdu = 25ns\n"), rate, rate * 0.01);
}

TEST_P(MessageRateTest, IsThatOfTheHostWhenItIsTighter)
{
    // The receiver of Sends posts a receive and polls a completion for each message; the sender of
    // Writes has to poll every hundredth.
    const bool receives = std::string(GetParam()) == "send-bw";
    const double rate = 1 / (200e-9 + 50e-9 + (receives ? 100e-9 : 1e-9));
    EXPECT_NEAR(
        RunProfile("[host]\npost_cost = 200ns\npost_per_request = 50ns\npoll_cost = 100ns\n"),
        rate,
        rate * 0.01);
}

INSTANTIATE_TEST_SUITE_P(Verbs, MessageRateTest, ::testing::Values("send-bw", "write-bw"));

TEST_F(PerftestTest, WhatCannotBeDoneIsSaidInOneLineAndNothingIsWritten)
{
    m_directory.WriteFile("wrong.ini", "[link]\nrate = 1Gbps\n");
    for (const Words& wrong : {Words{"-x"},
                               Words{"--profile", "nothing"},
                               Words{"--profile", "./nothing.ini"},
                               Words{"--profile", "wrong.ini"},
                               Words{"--link-rate", "fast"},
                               Words{"-m", "20"},
                               Words{"-I", "912"},
                               Words{"-q", "16384", "-t", "16384"},
                               Words{"--csv", "nowhere/a.csv"},
                               Words{"--stages", "nowhere/a.csv"},
                               Words{"--pcap", "nowhere/a"}})
    {
        Words arguments{"--pcap", "written", "--csv", "written.csv"};
        if (wrong[0] == "--csv" || wrong[0] == "--pcap")
        {
            arguments.clear();
        }
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const auto result = Run("write-bw", arguments);
        EXPECT_EQ(result.status, 2) << wrong[0];
        EXPECT_EQ(result.CountErrorLines(), 1U) << result.errors;
        EXPECT_THAT(result.errors, ::testing::StartsWith("write-bw: "));
        EXPECT_EQ(result.output, "");
        EXPECT_EQ(m_directory.ReadAll(".").size(), 1U) << wrong[0];
    }
}

TEST_F(PerftestTest, RpingPrintsWhatCameBack)
{
    const auto result = Run("rping", {"-v", "-V", "-C", "2", "-S", "40"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.errors, "");
    EXPECT_EQ(result.output,
              "server ping data: rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
              "ping data: rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
              "server ping data: rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\n"
              "ping data: rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\n");
}

TEST_F(PerftestTest, RpingMovesUpTo64KibioctetsInSilence)
{
    const auto result = Run("rping", {"-V", "-C", "3", "-S", "65535"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(Run("rping", {"-S", "24"}).status, 2);
    EXPECT_EQ(Run("rping", {"-C", "0"}).status, 2);
}

TEST_F(PerftestTest, TwoRnicsSayHello)
{
    const auto result = Run("two-rnics", {});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.output, EndsWith("us SUCCESS: Hello, iWARP\n"));
}

TEST_F(PerftestTest, TwoRnicsSayWhatTheirCommandLineHas)
{
    const std::string text(3000, 'x');
    const auto result = Run("two-rnics", {"--rate=10Gbps", "--delay=1ms", "--text=" + text});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.output, EndsWith("us SUCCESS: " + text + "\n"));
    EXPECT_GT(std::stod(result.output), 2000); // The startup takes more than one way, too.
    for (const auto* word : {"--rate=0bps", "--delay=-1us"})
    {
        const auto refused = Run("two-rnics", {word});
        EXPECT_EQ(refused.status, 2);
        EXPECT_EQ(refused.CountErrorLines(), 1) << refused.errors;
    }
}

} // namespace

} // namespace ns3::nfsrdma
