/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

/// Refuses whatever comes with the error it is set to.
class RefusingConsumer : public RecordingConsumer
{
  public:
    DdpError ddpError{};
    RdmapError rdmapError{};
    std::vector<std::pair<RdmapOpcode, DdpError>> refused;
    bool refuseSends{false};

    tl::expected<void, DdpError> PlaceWrite(Stag, uint64_t, ByteSpan) override
    {
        return tl::make_unexpected(ddpError);
    }

    tl::expected<void, DdpError> PlaceReadResponse(Stag, uint64_t, ByteSpan) override
    {
        return tl::make_unexpected(ddpError);
    }

    tl::expected<void, DdpError> PlaceSend(uint32_t msn, uint32_t offset, ByteSpan octets) override
    {
        if (refuseSends)
        {
            return tl::make_unexpected(ddpError);
        }
        return RecordingConsumer::PlaceSend(msn, offset, octets);
    }

    tl::expected<void, RdmapError> DeliverSend(const SendDelivery&) override
    {
        return tl::make_unexpected(rdmapError);
    }

    tl::expected<PayloadSource, RdmapError> OpenReadSource(Stag, uint64_t, uint32_t) override
    {
        return tl::make_unexpected(rdmapError);
    }

    void SegmentRefused(RdmapOpcode opcode, DdpError error) override
    {
        refused.emplace_back(opcode, error);
    }
};

class TerminateNumbers : public testing::TestWithParam<uint16_t>
{
  protected:
    /// \return the Terminate payload that answers \p ulpdu.
    ByteVector Answer(const std::string& ulpdu)
    {
        m_stream.ReceiveUlpdu(HexBytes(ulpdu));
        EXPECT_TRUE(m_stream.IsFailed());
        return Emit();
    }

    ByteVector Emit()
    {
        m_stream.EmitSegment();
        const ByteVector segment = m_lower.ulpdus.back();
        const ByteVector header = HexBytes(TERMINATE_HEADER);
        EXPECT_TRUE(std::equal(header.begin(), header.end(), segment.begin()));
        return ByteVector(segment.begin() + static_cast<std::ptrdiff_t>(header.size()),
                          segment.end());
    }

    /// \return the payload that begins with layer, type and code, then \p rest; for local errors
    /// without copies.
    static ByteVector Expected(uint8_t layer, const std::string& rest)
    {
        ByteVector octets{static_cast<uint8_t>(layer << 4 | GetParam() >> 8),
                          static_cast<uint8_t>(GetParam())};
        const ByteVector copies = HexBytes(GetParam() >> 8 == 0 ? "0000" : rest);
        octets.insert(octets.end(), copies.begin(), copies.end());
        return octets;
    }

    RecordingUlpduStream m_lower;
    RefusingConsumer m_consumer;
    RdmapStream m_stream{m_lower, m_consumer, {1}};
};

class TaggedNumbers : public TerminateNumbers
{
  protected:
    void SetUp() override
    {
        m_consumer.ddpError = static_cast<DdpError>(GetParam());
    }
};

TEST_P(TaggedNumbers, OfAWrite)
{
    const std::string header = "8140 00000055 0000000000000066";
    EXPECT_EQ(Answer(header + "010203"), Expected(1, "c000 0011" + header));
    ASSERT_EQ(m_consumer.refused.size(), 1U);
    EXPECT_EQ(m_consumer.refused[0].first, RdmapOpcode::WRITE);
    EXPECT_EQ(m_consumer.refused[0].second, m_consumer.ddpError);
}

TEST_P(TaggedNumbers, OfAReadResponse)
{
    m_stream.StartReadRequest({0x55, 0x66, 3, 1, 0});
    m_stream.EmitSegment();
    const std::string header = "c142 00000055 0000000000000066";
    EXPECT_EQ(Answer(header + "010203"), Expected(1, "c000 0011" + header));
    EXPECT_EQ(m_consumer.events, std::vector<std::string>{"failed"});
    ASSERT_EQ(m_consumer.refused.size(), 1U);
    EXPECT_EQ(m_consumer.refused[0].first, RdmapOpcode::READ_RESPONSE);
}

INSTANTIATE_TEST_SUITE_P(Numbers,
                         TaggedNumbers,
                         testing::Values(0x000, 0x100, 0x101, 0x102, 0x103));

class UntaggedNumbers : public TerminateNumbers
{
  protected:
    void SetUp() override
    {
        m_consumer.ddpError = static_cast<DdpError>(GetParam());
        m_consumer.refuseSends = true;
    }
};

TEST_P(UntaggedNumbers, OfASend)
{
    const std::string header = "4145 00000000 00000000 00000001 00000000";
    EXPECT_EQ(Answer(header + "01"), Expected(1, "c000 0013" + header));
    ASSERT_EQ(m_consumer.refused.size(), 1U);
    EXPECT_EQ(m_consumer.refused[0].first, RdmapOpcode::SEND_SE);
}

INSTANTIATE_TEST_SUITE_P(Numbers, UntaggedNumbers, testing::Values(0x000, 0x202, 0x204, 0x205));

class RdmapNumbers : public TerminateNumbers
{
  protected:
    void SetUp() override
    {
        m_consumer.rdmapError = static_cast<RdmapError>(GetParam());
    }
};

TEST_P(RdmapNumbers, OfAReadRequest)
{
    const std::string header = "4141 00000000 00000001 00000001 00000000";
    const std::string request = "00000077 0000000000009000 000007d0 00abcd02 0000000000020000";
    EXPECT_EQ(Answer(header + request), Expected(0, "e000 002e" + header + request));
}

TEST_P(RdmapNumbers, OfASendWithInvalidate)
{
    const std::string header = "4146 00abcd01 00000000 00000001 00000000";
    EXPECT_EQ(Answer(header + "0102"), Expected(0, "c000 0014" + header));
}

INSTANTIATE_TEST_SUITE_P(Numbers,
                         RdmapNumbers,
                         testing::Values(0x000,
                                         0x100,
                                         0x101,
                                         0x102,
                                         0x103,
                                         0x104,
                                         0x109,
                                         0x1ff,
                                         0x207,
                                         0x208,
                                         0x209,
                                         0x2ff));

class LlpNumbers : public TerminateNumbers
{
};

TEST_P(LlpNumbers, HaveNoCopies)
{
    TerminateMessage message;
    message.reason = TerminateReason::From(static_cast<MpaError>(GetParam()));
    m_stream.Fail(message);
    EXPECT_EQ(Emit(), Expected(2, ""));
}

INSTANTIATE_TEST_SUITE_P(Numbers, LlpNumbers, testing::Values(1, 2, 3, 4, 5, 6, 7));

/// Terminates known to dissect well, as whole ULPDUs.
class KnownTerminates : public RdmapStreamFixture
{
};

TEST_F(KnownTerminates, ReadRequestOutOfBounds)
{
    m_consumer.memory[0x00abcd02] = ByteVector(16);
    Receive("4141 00000000 00000001 00000001 00000000"
            "00000001 0000000000000000 00000000 00000001 0000000000000000");
    Receive("4141 00000000 00000001 00000002 00000000"
            "00000077 0000000000009000 000007d0 00abcd02 0000000000020000");
    EXPECT_EQ(Emit(),
              HexBytes("4147 00000000 00000002 00000001 00000000 0101e000 002e"
                       "4141 00000000 00000001 00000002 00000000"
                       "00000077 0000000000009000 000007d0 00abcd02 0000000000020000"));
}

TEST_F(KnownTerminates, WriteToAnUnknownStag)
{
    ByteVector ulpdu = HexBytes("c140 00000055 0000000000000066");
    ulpdu.resize(0x72);
    m_stream.ReceiveUlpdu(ulpdu);
    EXPECT_EQ(Emit(),
              HexBytes("4147 00000000 00000002 00000001 00000000 1100c000 0072"
                       "c140 00000055 0000000000000066"));
}

TEST_F(KnownTerminates, Crc)
{
    TerminateMessage message;
    message.reason = TerminateReason::From(MpaError::CRC_MISMATCH);
    m_stream.Fail(message);
    EXPECT_EQ(Emit(), HexBytes("4147 00000000 00000002 00000001 00000000 20020000"));
}

} // namespace

} // namespace ns3::nfsrdma
