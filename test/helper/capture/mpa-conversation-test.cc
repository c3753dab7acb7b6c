/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-builder.h"
#include "helper/capture/mpa-conversation.h"
#include "mpa/marked-fpdu.h"
#include "wire/crc32c.h"

#include <gtest/gtest.h>
#include <memory>

namespace ns3::nfsrdma
{

namespace
{

struct Framing
{
    bool crc;
    bool markers;
};

class MpaConversationTest : public testing::Test
{
  protected:
    static ByteVector Startup(MpaStartupFrame::Kind kind, Framing framing)
    {
        MpaStartupFrame frame;
        frame.kind = kind;
        frame.crc = framing.crc;
        frame.markers = framing.markers;
        return frame.Encode();
    }

    /// \return a whole Send of \p payload octets.
    static ByteVector Send(uint32_t msn, std::size_t payload)
    {
        DdpUntaggedHeader header;
        header.last = true;
        header.rsvdUlp = EncodeRdmapControl(RdmapOpcode::SEND);
        header.messageSequenceNumber = msn;
        ByteVector ulpdu(DdpUntaggedHeader::SIZE + payload, 0xab);
        ByteWriter writer(ulpdu);
        header.Encode(writer);
        return ulpdu;
    }

    /// Both startup frames.
    void Start(Framing framing)
    {
        m_framing = framing;
        m_capture.Say(0, Startup(MpaStartupFrame::Kind::REQUEST, framing));
        m_capture.Say(1, Startup(MpaStartupFrame::Kind::REPLY, framing));
    }

    /// \return three Sends of the initiator, framed.
    [[nodiscard]] ByteVector ThreeSends() const
    {
        ByteVector octets;
        for (uint32_t msn = 1; msn <= 3; ++msn)
        {
            const ByteVector ulpdu = Send(msn, 700 * msn + msn);
            const ByteVector fpdu = m_framing.markers
                                        ? MarkedFpdu::Encode(ulpdu, octets.size(), m_framing.crc)
                                        : Fpdu::Encode(ulpdu, m_framing.crc);
            octets.insert(octets.end(), fpdu.begin(), fpdu.end());
        }
        return octets;
    }

    /// The capture is at its end: reads it.
    const MpaConversation& Read()
    {
        m_tcp = TcpCapture::Read(m_capture.Get()).value();
        EXPECT_EQ(m_tcp.conversations.size(), 1U);
        m_conversation = std::make_unique<MpaConversation>(m_tcp.conversations.front());
        return *m_conversation;
    }

    Framing m_framing{};
    ConnectionBuilder m_capture;
    TcpCapture m_tcp;
    std::unique_ptr<MpaConversation> m_conversation;
};

class MpaFramingTest : public MpaConversationTest,
                       public testing::WithParamInterface<std::tuple<bool, bool>>
{
};

TEST_P(MpaFramingTest, EncodesEveryFpduAgainHoweverItWasCut)
{
    const auto [crc, markers] = GetParam();
    Start({crc, markers});
    const ByteVector octets = ThreeSends();
    ByteSpan rest(octets);
    while (!rest.empty())
    {
        const auto cut = std::min<std::size_t>(rest.size(), 333);
        m_capture.Say(0, rest.first(cut));
        rest = rest.subspan(cut);
    }
    const MpaConversation& conversation = Read();
    const MpaDirection& direction = conversation.GetDirection(0);
    EXPECT_TRUE(conversation.IsOperational());
    EXPECT_EQ(conversation.GetInitiator(), 0U);
    EXPECT_TRUE(direction.faults.empty());
    EXPECT_EQ(direction.fpdus.size(), 3U);
    EXPECT_EQ(direction.messages[static_cast<std::size_t>(RdmapOpcode::SEND)], 3U);
    EXPECT_EQ(direction.crcsGood, crc ? 3U : 0U);
    EXPECT_EQ(direction.mpaOctets, octets.size() + MpaStartupFrame::HEADER_SIZE);
    EXPECT_EQ(direction.reencodedOctets, direction.mpaOctets);
    EXPECT_EQ(direction.partOctets, 0U);
}

TEST_P(MpaFramingTest, FindsADamagedOctet)
{
    const auto [crc, markers] = GetParam();
    Start({crc, markers});
    ByteVector octets = ThreeSends();
    octets[markers ? 512 + 2 : 700] ^= 0x40; // A pointer of a marker, or payload.
    m_capture.Say(0, octets);
    const MpaDirection& direction = Read().GetDirection(0);
    const bool found = crc || markers;
    EXPECT_EQ(direction.faults.size(), found ? 1U : 0U);
    EXPECT_EQ(direction.reencodedOctets != direction.mpaOctets, found);
    EXPECT_EQ(direction.unreadOctets != 0, found);
}

INSTANTIATE_TEST_SUITE_P(CrcAndMarkers,
                         MpaFramingTest,
                         testing::Combine(testing::Bool(), testing::Bool()));

TEST_F(MpaConversationTest, KeepsAPadThatIsNotZeroAndCountsItInTheCrc)
{
    Start({true, false});
    ByteVector fpdu = Fpdu::Encode(Send(1, 1), false);
    const std::size_t crcStart = fpdu.size() - Fpdu::CRC_SIZE;
    fpdu[crcStart - 1] = 0x77;
    const uint32_t crc = Crc32c(ByteSpan(fpdu).first(crcStart));
    for (std::size_t octet = 0; octet < Fpdu::CRC_SIZE; ++octet)
    {
        fpdu[crcStart + octet] = static_cast<uint8_t>(crc >> 8 * octet);
    }
    m_capture.Say(0, fpdu);
    const MpaDirection& direction = Read().GetDirection(0);
    EXPECT_EQ(direction.padsNotZero, 1U);
    EXPECT_EQ(direction.crcsGood, 1U);
    EXPECT_TRUE(direction.faults.empty());
    EXPECT_EQ(direction.reencodedOctets, direction.mpaOctets);
}

TEST_F(MpaConversationTest, CountsPadsThatAreNotZeroWithoutCrc)
{
    Start({false, false});
    ByteVector fpdu = Fpdu::Encode(Send(1, 1), false);
    fpdu[fpdu.size() - Fpdu::CRC_SIZE - 1] = 0x77;
    m_capture.Say(0, fpdu);
    const MpaDirection& direction = Read().GetDirection(0);
    EXPECT_EQ(direction.padsNotZero, 1U);
    EXPECT_TRUE(direction.faults.empty());
    EXPECT_EQ(direction.reencodedOctets, direction.mpaOctets);
}

TEST_F(MpaConversationTest, ReportsReservedBitsThatDoNotComeOutAgain)
{
    Start({false, false});
    ByteVector fpdu = Fpdu::Encode(Send(1, 4), false);
    fpdu[Fpdu::LENGTH_SIZE] |= 0x10;
    m_capture.Say(0, fpdu);
    const MpaDirection& direction = Read().GetDirection(0);
    ASSERT_EQ(direction.faults.size(), 1U);
    EXPECT_EQ(direction.faults.front().frame, 5U);
    EXPECT_NE(direction.faults.front().text.find("from octet 2"), std::string::npos);
}

TEST_F(MpaConversationTest, ReportsAGap)
{
    Start({false, false});
    const ByteVector octets = ThreeSends();
    m_capture.Say(0, ByteSpan(octets).first(800));
    m_capture.Lose(0, 100);
    m_capture.Say(0, ByteSpan(octets).subspan(900));
    const MpaDirection& direction = Read().GetDirection(0);
    EXPECT_EQ(direction.fpdus.size(), 1U);
    ASSERT_EQ(direction.faults.size(), 1U);
    EXPECT_NE(direction.faults.front().text.find("gap"), std::string::npos);
}

TEST_F(MpaConversationTest, DoesNotCallTheEndOfTheCaptureAFault)
{
    Start({false, false});
    const ByteVector octets = ThreeSends();
    m_capture.Say(0, ByteSpan(octets).first(octets.size() - 1));
    const MpaDirection& direction = Read().GetDirection(0);
    EXPECT_TRUE(direction.faults.empty());
    EXPECT_EQ(direction.fpdus.size(), 2U);
    EXPECT_GT(direction.partOctets, 0U);
    EXPECT_EQ(direction.reencodedOctets, direction.mpaOctets);
}

TEST_F(MpaConversationTest, DoesNotReadOnAfterARejection)
{
    MpaStartupFrame reply;
    reply.kind = MpaStartupFrame::Kind::REPLY;
    reply.rejected = true;
    m_capture.Say(0, Startup(MpaStartupFrame::Kind::REQUEST, {}));
    m_capture.Say(1, reply.Encode());
    m_capture.Say(1, TextOctets("streaming mode"));
    const MpaConversation& conversation = Read();
    EXPECT_TRUE(conversation.IsMpa());
    EXPECT_FALSE(conversation.IsOperational());
    EXPECT_EQ(conversation.GetDirection(1).unreadOctets, 14U);
    EXPECT_TRUE(conversation.GetDirection(1).faults.empty());
}

TEST_F(MpaConversationTest, NotesAConnectionThatBeganBeforeTheCapture)
{
    m_capture = ConnectionBuilder(false);
    m_capture.Say(0, ThreeSends());
    const MpaConversation& conversation = Read();
    EXPECT_TRUE(conversation.GetTcp().IsBegunBefore());
    EXPECT_FALSE(conversation.IsMpa());
    EXPECT_EQ(conversation.GetDirection(0).fpdus.size(), 0U);
    EXPECT_TRUE(conversation.GetDirection(0).faults.empty());
}

} // namespace

} // namespace ns3::nfsrdma
