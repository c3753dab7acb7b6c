/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr TestProgram SEND_LAT{"send-lat", TestVerb::SEND, TestMetric::LATENCY};
constexpr TestProgram SEND_BW{"send-bw", TestVerb::SEND, TestMetric::BANDWIDTH};
constexpr TestProgram WRITE_BW{"write-bw", TestVerb::WRITE, TestMetric::BANDWIDTH};
constexpr TestProgram READ_LAT{"read-lat", TestVerb::READ, TestMetric::LATENCY};

TestOptions
Parse(const TestProgram& program, const std::vector<std::string>& arguments)
{
    std::ostringstream out;
    return TestOptions::Parse(program, arguments, out).value();
}

std::string
Refusal(const TestProgram& program, const std::vector<std::string>& arguments)
{
    try
    {
        (void)Parse(program, arguments);
    }
    catch (const UsageError& error)
    {
        return error.what();
    }
    return {};
}

TEST(TestOptionsTest, DefaultsAreThoseOfPerftest)
{
    const auto latency = Parse(SEND_LAT, {});
    EXPECT_EQ(latency.GetSizes(), std::vector<uint32_t>{2});
    EXPECT_EQ(latency.GetIterations(SEND_LAT, 2), 1000U);
    EXPECT_EQ(latency.txDepth, 1U);
    const auto send = Parse(SEND_BW, {});
    EXPECT_EQ(send.GetSizes(), std::vector<uint32_t>{65536});
    EXPECT_EQ(send.GetIterations(SEND_BW, 65536), 1000U);
    EXPECT_EQ(send.txDepth, 128U);
    EXPECT_EQ(send.rxDepth, 512U);
    const auto write = Parse(WRITE_BW, {});
    EXPECT_EQ(write.GetIterations(WRITE_BW, 65536), 5000U);
    EXPECT_EQ(write.GetSignalEvery(2), 100U);
    EXPECT_EQ(write.GetSignalEvery(65536), 1U);
}

TEST(TestOptionsTest, AllRunsFrom2OctetsTo8Mebioctets)
{
    const auto options = Parse(WRITE_BW, {"-a"});
    const auto sizes = options.GetSizes();
    ASSERT_EQ(sizes.size(), 23U);
    EXPECT_EQ(sizes.front(), 2U);
    EXPECT_EQ(sizes.back(), 8388608U);
    EXPECT_EQ(options.GetIterations(WRITE_BW, 2), 5000U);
    EXPECT_EQ(options.GetIterations(WRITE_BW, 1 << 20), 64U);
    EXPECT_EQ(options.GetIterations(WRITE_BW, 8 << 20), 16U);
}

TEST(TestOptionsTest, IterationsGivenHoldForEverySize)
{
    const auto options = Parse(READ_LAT, {"-a", "-n", "7"});
    EXPECT_EQ(options.GetIterations(READ_LAT, 2), 7U);
    EXPECT_EQ(options.GetIterations(READ_LAT, 8 << 20), 7U);
}

TEST(TestOptionsTest, ShortAndLongNamesAreTheSame)
{
    const std::vector<std::string> brief{"-s", "10",   "-n", "20", "-t", "30", "-q",
                                         "4",  "-I",   "5",  "-Q", "6",  "-l", "7",
                                         "-m", "9000", "-r", "8",  "-b", "-e"};
    const std::vector<std::string> plain{"--size=10",
                                         "--iters=20",
                                         "--tx-depth=30",
                                         "--qp=4",
                                         "--inline_size=5",
                                         "--cq-mod=6",
                                         "--post_list=7",
                                         "--mtu=9000",
                                         "--rx-depth=8",
                                         "--bidirectional",
                                         "--events"};
    for (const auto& arguments : {brief, plain})
    {
        const auto options = Parse(SEND_BW, arguments);
        EXPECT_EQ(options.size, 10U);
        EXPECT_EQ(options.iterations, 20U);
        EXPECT_EQ(options.txDepth, 30U);
        EXPECT_EQ(options.queuePairs, 4U);
        EXPECT_EQ(options.inlineSize, 5U);
        EXPECT_EQ(options.signalEvery, 6U);
        EXPECT_EQ(options.postList, 7U);
        EXPECT_EQ(options.testbed.mtu, "9000");
        EXPECT_EQ(options.rxDepth, 8U);
        EXPECT_TRUE(options.bidirectional);
        EXPECT_TRUE(options.testbed.events);
    }
}

TEST(TestOptionsTest, HelpIsWrittenAndNothingIsRun)
{
    std::ostringstream out;
    EXPECT_FALSE(TestOptions::Parse(SEND_LAT, {"--help"}, out));
    EXPECT_THAT(out.str(), ::testing::HasSubstr("--profile NAME|FILE"));
}

TEST(TestOptionsTest, WrongOptionsAreRefusedInOneLine)
{
    EXPECT_EQ(Refusal(SEND_LAT, {"--sizes", "3"}), "unknown option '--sizes'; nearest: --size");
    EXPECT_EQ(Refusal(SEND_LAT, {"-q", "3"}), "unknown option '-q'; see --help");
    EXPECT_EQ(Refusal(READ_LAT, {"-s", "0"}),
              "--size: got '0', expected a whole number from 1 to 8388608");
    EXPECT_EQ(Refusal(SEND_BW, {"-n", "4"}),
              "--iters: got '4', expected a whole number from 5 to 100000000");
    EXPECT_EQ(Refusal(SEND_BW, {"-a", "-s", "4"}), "--all and --size: give one of them");
    EXPECT_EQ(Refusal(SEND_BW, {"--post_list", "8", "-t", "4"}),
              "--post_list: got '8', expected at most tx-depth, which is 4");
    EXPECT_EQ(Refusal(SEND_BW, {"-Q", "129"}),
              "--cq-mod: got '129', expected at most 128, or the send queue fills up unsignaled");
    EXPECT_EQ(Refusal(SEND_BW, {"10.77.0.1"}),
              "options only: both ends are in the simulation, so no host is named");
}

} // namespace

} // namespace ns3::nfsrdma
