/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-file.h"
#include "helper/capture/captured-message.h"
#include "perftest/message-timing.h"
#include "perftest/program-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

using Connections = std::vector<std::vector<CapturedMessage>>;

/// What the kernel's soft-iWARP said to itself, and the model with its profile.
class GoldenSequenceTest : public ProgramTest
{
  protected:
    static Connections Load(const std::string& path)
    {
        const auto file = ReadCaptureFile(path);
        EXPECT_TRUE(file) << file.error();
        const auto connections = ReadMessages(*file);
        EXPECT_TRUE(connections) << connections.error();
        return *connections;
    }

    static std::vector<std::string> ToStrings(const std::vector<CapturedMessage>& messages)
    {
        std::vector<std::string> strings;
        for (const auto& message : messages)
        {
            strings.push_back(message.ToString());
        }
        return strings;
    }

    /// Runs \p program and compares what it says on each connection with the capture \p name.
    void Compare(const std::string& program, Words arguments, const std::string& name)
    {
        const Words common{"--profile", "software-iwarp", "--pcap", "run"};
        arguments.insert(arguments.end(), common.begin(), common.end());
        const auto result = Run(program, arguments);
        ASSERT_EQ(result.status, 0) << result.errors;
        m_captured = Load(NFSRDMA_SOURCE_DIR "/test/data/linux-6.1-verbs-" + name + ".pcap.gz");
        for (const char* side : {"client", "server"})
        {
            SCOPED_TRACE(side);
            m_modelled = Load(m_directory.GetPath() + "/run-" + side + ".pcap");
            ASSERT_EQ(m_modelled.size(), m_captured.size());
            for (std::size_t i = 0; i < m_captured.size(); i++)
            {
                EXPECT_EQ(ToStrings(m_modelled[i]), ToStrings(m_captured[i])) << "connection " << i;
            }
        }
    }

    Connections m_captured;
    Connections m_modelled;
};

TEST_F(GoldenSequenceTest, Rping)
{
    Compare("rping", {"-C", "4", "-S", "200", "-p", "9999", "-e"}, "rping");
    ASSERT_EQ(m_captured.size(), 1U);
    EXPECT_EQ(m_captured[0].size(), 4U * 7U);
}

TEST_F(GoldenSequenceTest, SendLatency)
{
    Compare("send-lat", {"-s", "64", "-n", "10"}, "ib_send_lat");
    ASSERT_EQ(m_captured.size(), 2U);
    EXPECT_EQ(m_captured[0].size(), 22U);
    EXPECT_EQ(m_captured[1].size(), 20U);
}

TEST_F(GoldenSequenceTest, ReadLatency)
{
    Compare("read-lat", {"-s", "4096", "-n", "8"}, "ib_read_lat");
    ASSERT_EQ(m_captured.size(), 2U);
    EXPECT_EQ(m_captured[1].size(), 16U);
}

TEST_F(GoldenSequenceTest, EveryStepOfTheCaptureIsTimedInTheModel)
{
    Compare("rping", {"-C", "4", "-S", "200", "-e"}, "rping");
    const auto captured = TimeMessages(m_captured);
    const auto modelled = TimeMessages(m_modelled);
    ASSERT_EQ(captured.size(), 6U);
    for (const auto& [step, times] : captured)
    {
        SCOPED_TRACE(step.ToString());
        ASSERT_EQ(modelled.count(step), 1U);
        EXPECT_EQ(modelled.at(step).size(), times.size());
        EXPECT_LT(modelled.at(step).back(), times.front()) << "an emulated host is slower";
    }
}

TEST_F(GoldenSequenceTest, TheComparisonIsPrinted)
{
    ASSERT_EQ(Run("rping", {"-C", "4", "-S", "200", "-e", "--pcap", "run"}).status, 0);
    const auto result =
        Run("verbs-timing",
            {NFSRDMA_SOURCE_DIR "/test/data/linux-6.1-verbs-rping.pcap.gz", "run-client.pcap"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output,
                ::testing::HasSubstr("\nclient RDMA Read Response -> server Send 16"));
    EXPECT_THAT(result.output, ::testing::Not(::testing::HasSubstr("  -  ")));
    EXPECT_EQ(Run("verbs-timing", {"run-client.pcap"}).status, 2);
    EXPECT_EQ(Run("verbs-timing", {"run-client.pcap", "none.pcap"}).CountErrorLines(), 1U);
}

CapturedMessage
Message(bool fromInitiator, RdmapOpcode opcode, uint64_t length, int64_t time)
{
    return {fromInitiator, opcode, length, time};
}

TEST(MessageTimingTest, TimesAreSortedByStep)
{
    const auto timing = TimeMessages({{Message(true, RdmapOpcode::SEND, 2, 1000),
                                       Message(false, RdmapOpcode::SEND, 3, 6000),
                                       Message(true, RdmapOpcode::SEND, 2, 7000),
                                       Message(false, RdmapOpcode::SEND, 3, 9000)}});
    ASSERT_EQ(timing.size(), 2U);
    const MessageStep answer{true, RdmapOpcode::SEND, false, RdmapOpcode::SEND, 3};
    EXPECT_EQ(timing.at(answer), (std::vector<double>{2, 5}));
    EXPECT_EQ(answer.ToString(), "client Send -> server Send 3");
}

} // namespace

} // namespace ns3::nfsrdma
