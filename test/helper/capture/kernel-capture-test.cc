/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-list.h"
#include "helper/capture/conversation-replay.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

const std::string MPA_PROBES = "linux-6.1-verbs-mpa-probes.pcap.gz";

/// One capture of the Linux kernel.
class KernelCaptureFixture : public testing::Test
{
  protected:
    void Load(const std::string& name)
    {
        m_capture = ReadCapture(name);
        m_conversations.reserve(m_capture.conversations.size());
        for (const TcpConversation& tcp : m_capture.conversations)
        {
            m_conversations.emplace_back(tcp);
        }
    }

    static std::string NameOf(const MpaConversation& conversation, std::size_t side)
    {
        return conversation.GetTcp().GetDirection(side).source.ToString() + " > " +
               conversation.GetTcp().GetDirection(1 - side).source.ToString();
    }

    TcpCapture m_capture;
    std::vector<MpaConversation> m_conversations;
};

class KernelCaptureTest : public KernelCaptureFixture,
                          public testing::WithParamInterface<std::string>
{
};

TEST_P(KernelCaptureTest, EveryOctetComesOutAgain)
{
    Load(GetParam());
    uint64_t fpdus = 0;
    for (const MpaConversation& conversation : m_conversations)
    {
        for (std::size_t side = 0; conversation.IsMpa() && side < TcpConversation::SIDES; ++side)
        {
            SCOPED_TRACE(NameOf(conversation, side));
            const MpaDirection& direction = conversation.GetDirection(side);
            fpdus += direction.fpdus.size();
            EXPECT_EQ(direction.partOctets, 0U);
            if (GetParam() == MPA_PROBES && !direction.faults.empty())
            {
                continue; // What is wrong there is in the test of its outcomes.
            }
            EXPECT_EQ(direction.faults.size(), 0U) << direction.faults.front().text;
            EXPECT_EQ(direction.reencodedOctets, direction.mpaOctets);
            EXPECT_EQ(direction.unreadOctets, 0U);
            EXPECT_EQ(direction.crcsGood, direction.framing.crc ? direction.fpdus.size() : 0U);
        }
    }
    EXPECT_GT(fpdus, 0U);
}

TEST_P(KernelCaptureTest, TheModelDoesAsLinuxDid)
{
    Load(GetParam());
    uint64_t played = 0;
    const NamedStags named(m_conversations);
    for (const MpaConversation& conversation : m_conversations)
    {
        if (!conversation.IsMpa())
        {
            continue;
        }
        ConversationReplay replay(conversation, named);
        replay.Run();
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            SCOPED_TRACE(NameOf(conversation, side));
            const ReplayVerdict& verdict = replay.GetVerdict(side);
            played += verdict.obstacle == nullptr ? 1 : 0;
            EXPECT_TRUE(verdict.obstacle == nullptr || GetParam() == MPA_PROBES)
                << verdict.obstacle;
            for (const std::string& text : verdict.unexplained)
            {
                ADD_FAILURE() << verdict.Describe() << ": " << text;
            }
        }
    }
    EXPECT_GE(played, 2U);
}

INSTANTIATE_TEST_SUITE_P(Linux,
                         KernelCaptureTest,
                         testing::ValuesIn(FindCaptures()),
                         NameCaptureTest);

/// What came of one connection of the probes: at the script that initiates, and at siw.
struct ProbeOutcome
{
    const char* initiator;
    const char* responder;
    const char* differences;
    const char* fault; ///< Of the initiator's octets; empty when there is none.
};

constexpr const char* TERMINATED = "operational, terminated by peer";
constexpr const char* NO_REVISION =
    "not played: its Request has a revision that the model does not send";

constexpr ProbeOutcome PROBE_OUTCOMES[]{
    {"rejected by peer", "startup refused", "", ""}, // Markers asked for.
    {"rejected by peer", "startup refused", "", ""}, // Markers and CRC asked for.
    {NO_REVISION, "startup refused", "", ""},        // Revision 3.
    {NO_REVISION, "startup refused", "revision-0", ""},
    {"operational, closed", "operational, closed by peer", "", ""}, // Revision 1.
    {"operational, closed", "operational, closed by peer", "", ""}, // The same with CRC.
    {"not played: its Request is of revision 2 and says no read depths",
     "operational, closed by peer",
     "",
     ""},
    {"not played: its Request is not a startup frame", "startup refused", "", ""}, // Bad key.
    {"operational, closed", "operational, closed by peer", "", ""},                // Depths 0x3fff.
    {"operational, closed", "operational, closed by peer", "", ""},                // Peer-to-peer.
    {TERMINATED,
     "operational, terminated: 1/1/00 invalid STag",
     "terminate-bit-order terminate-length",
     ""},
    {TERMINATED,
     "operational, terminated: 0/1/00 invalid STag",
     "terminate-bit-order terminate-read-request",
     ""},
    {TERMINATED,
     "operational, terminated: 1/2/03 MSN out of range",
     "terminate-bit-order terminate-length",
     ""},
    {TERMINATED,
     "operational, terminated: 1/2/05 message too long for the buffer",
     "terminate-bit-order terminate-length too-long-as-no-buffer",
     ""},
    {TERMINATED,
     "operational, terminated: 1/2/04 invalid MO",
     "terminate-bit-order terminate-length",
     ""},
    {TERMINATED,
     "operational, terminated: 0/2/06 unexpected opcode",
     "terminate-bit-order",
     "RDMAP control octet: bad value"},
    {TERMINATED,
     "operational, terminated: 1/2/06 invalid DDP version",
     "terminate-bit-order",
     "DDP header: bad version"},
    {TERMINATED,
     "operational, terminated: 0/2/05 invalid RDMAP version",
     "terminate-bit-order",
     "RDMAP control octet: bad version"},
    {TERMINATED,
     "operational, terminated: 1/2/01 invalid QN",
     "terminate-bit-order terminate-length",
     ""},
    {TERMINATED,
     "operational, terminated: 0/1/00 invalid STag",
     "terminate-bit-order terminate-length invalidate-unknown-stag",
     ""},
    {"operational, closed",
     "operational, terminated: 0/2/06 unexpected opcode",
     "unasked-read-response",
     ""},
    {"operational, terminated: 0/0/00 local catastrophic error",
     "operational, terminated by peer",
     "consumer-terminates",
     ""},
    {TERMINATED,
     "operational, terminated: 1/1/00 invalid STag",
     "terminate-bit-order terminate-length",
     ""},
    {TERMINATED,
     "operational, terminated: 2/0/02 CRC mismatch",
     "terminate-bit-order terminate-speaks-first",
     "CRC mismatch"},
};

using MpaProbesTest = KernelCaptureFixture;

TEST_F(MpaProbesTest, EveryProbeEndsAsItShould)
{
    Load(MPA_PROBES);
    ASSERT_EQ(m_conversations.size(), std::size(PROBE_OUTCOMES));
    const NamedStags named(m_conversations);
    for (std::size_t index = 0; index < m_conversations.size(); ++index)
    {
        const MpaConversation& conversation = m_conversations[index];
        const ProbeOutcome& expected = PROBE_OUTCOMES[index];
        SCOPED_TRACE(std::to_string(index) + ": " + NameOf(conversation, 0));
        ConversationReplay replay(conversation, named);
        replay.Run();
        EXPECT_EQ(replay.GetVerdict(0).Describe(), expected.initiator);
        EXPECT_EQ(replay.GetVerdict(1).Describe(), expected.responder);
        std::string differences;
        std::set<SiwDifference> explained = replay.GetVerdict(0).explained;
        explained.insert(replay.GetVerdict(1).explained.begin(),
                         replay.GetVerdict(1).explained.end());
        for (const SiwDifference difference : explained)
        {
            differences += std::string(differences.empty() ? "" : " ") + GetName(difference);
        }
        EXPECT_EQ(differences, expected.differences);
        EXPECT_TRUE(replay.GetVerdict(0).unexplained.empty());
        EXPECT_TRUE(replay.GetVerdict(1).unexplained.empty());
        const auto& faults = conversation.GetDirection(0).faults;
        EXPECT_EQ(faults.empty() ? "" : faults.front().text, expected.fault);
        EXPECT_TRUE(conversation.GetDirection(1).faults.empty());
    }
}

} // namespace

} // namespace ns3::nfsrdma::test
