/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

/// A stream of version 0, on which extensions mean nothing.
class RdmapVersionZeroTest : public RdmapStreamFixture
{
  protected:
    RdmapVersionZeroTest()
        : RdmapStreamFixture({IRD, RDMAP_VERSION_RDMAC, true})
    {
        m_consumer.memory[0xa1] = HexBytes("0001020304");
    }
};

TEST_F(RdmapVersionZeroTest, EveryHeaderSentHasIt)
{
    m_stream.StartSend(RdmapOpcode::SEND_SE, 1, 0, SourceOf(HexBytes("aa")));
    EXPECT_EQ(Emit(), HexBytes("4005 00000000 00000000 00000001 00000000 aa"));
    m_stream.StartWrite(0xab, 0x10000, 1, SourceOf(HexBytes("bb")));
    EXPECT_EQ(Emit(), HexBytes("c000 000000ab 0000000000010000 bb"));
    m_stream.StartReadRequest({1, 0, 0, 1, 0});
    EXPECT_EQ(Emit(),
              HexBytes("4001 00000000 00000001 00000001 00000000"
                       "00000001 0000000000000000 00000000 00000001 0000000000000000"));
    Receive("4001 00000000 00000001 00000001 00000000"
            "00000077 0000000000009000 00000003 000000a1 0000000000000002");
    EXPECT_EQ(Emit(), HexBytes("c002 00000077 0000000000009000 020304"));
    m_stream.Fail(TerminateMessage());
    EXPECT_EQ(Emit(), HexBytes("4007 00000000 00000002 00000001 00000000 00000000"));
}

TEST_F(RdmapVersionZeroTest, HeadersOfItAreTaken)
{
    Receive("4003 00000000 00000000 00000001 00000000 01");
    Receive("c000 000000a1 0000000000000001 ff");
    m_stream.StartReadRequest({0xa1, 0, 1, 1, 0});
    Emit();
    Receive("c002 000000a1 0000000000000000 ee");
    EXPECT_EQ(m_consumer.sends.size(), 1U);
    EXPECT_EQ(m_consumer.memory[0xa1], HexBytes("eeff020304"));
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
    Receive(
        "4007 00000000 00000002 00000001 00000000 1101c000 000f c000 000000ab 0000000000000009");
    ASSERT_TRUE(m_consumer.peerTerminate);
    EXPECT_EQ(std::get<DdpTaggedHeader>(*m_consumer.peerTerminate->ddpHeader).version, 0);
}

TEST_F(RdmapVersionZeroTest, IsPlacedAheadToo)
{
    EXPECT_TRUE(m_stream.PlaceUlpdu(HexBytes("c000 000000a1 0000000000000001 ff")));
    EXPECT_FALSE(m_stream.PlaceUlpdu(HexBytes("c140 000000a1 0000000000000001 ee")));
    EXPECT_FALSE(m_stream.PlaceUlpdu(HexBytes("c040 000000a1 0000000000000001 ee")));
    EXPECT_EQ(m_consumer.memory[0xa1], HexBytes("00ff020304"));
}

struct VersionRule
{
    const char* name;
    uint8_t version;
    const char* ulpdu;
    const char* terminate;
};

const VersionRule VERSION_RULES[] = {
    {"Version1TaggedOnVersion0", 0, "c140 000000a1 0000000000000000", "1104 0000"},
    {"Version1UntaggedOnVersion0", 0, "4143 00000000 00000000 00000001 00000000", "1206 0000"},
    {"OnlyRdmapVersion1OnVersion0", 0, "4043 00000000 00000000 00000001 00000000", "0205 0000"},
    {"OnlyTaggedRdmapVersion1OnVersion0", 0, "c040 000000a1 0000000000000000", "0205 0000"},
    {"Version0TaggedOnVersion1", 1, "c000 000000a1 0000000000000000", "1104 0000"},
    {"Version0UntaggedOnVersion1", 1, "4003 00000000 00000000 00000001 00000000", "1206 0000"},
    {"OnlyRdmapVersion0OnVersion1", 1, "4103 00000000 00000000 00000001 00000000", "0205 0000"},
    {"Version2", 1, "c240 000000a1 0000000000000000", "1104 0000"},
    {"Version3", 1, "4343 00000000 00000000 00000001 00000000", "1206 0000"},
    {"RdmapVersion3", 1, "41c3 00000000 00000000 00000001 00000000", "0205 0000"},
    {"ExtensionOnVersion0",
     0,
     "4008 00000000 00000000 00000001 00000000 0102030405060708",
     "0206 0000"},
    {"CopyIsOfTheVersion",
     0,
     "c000 00000055 0000000000000066 01",
     "1100 c000 000f c000 00000055 0000000000000066"},
};

class RdmapVersionTest : public RdmapStreamFixture, public testing::WithParamInterface<VersionRule>
{
  protected:
    RdmapVersionTest()
        : RdmapStreamFixture({IRD, GetParam().version, true})
    {
    }
};

TEST_P(RdmapVersionTest, EndsTheStreamWithItsTerminate)
{
    Receive(GetParam().ulpdu);
    ASSERT_TRUE(m_stream.IsFailed());
    const char* const header =
        GetParam().version == 0 ? "4007 00000000 00000002 00000001 00000000 " : TERMINATE_HEADER;
    EXPECT_EQ(Emit(), HexBytes(std::string(header) + GetParam().terminate));
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         RdmapVersionTest,
                         testing::ValuesIn(VERSION_RULES),
                         [](const auto& rule) { return std::string(rule.param.name); });

} // namespace

} // namespace ns3::nfsrdma
