/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/transport/middlebox-path-fixture.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"

namespace ns3::nfsrdma
{
namespace
{

/// One bit of one segment is inverted on the way, and the TCP checksum made right: RFC 5044
/// section 4.4.
class CorruptionTest : public ChecksummedPathTest
{
  protected:
    static constexpr uint64_t BAD_SEGMENT = 20;

    void ConfigureMiddlebox() override
    {
        impairments[INITIATOR]->SetFateCallback([](uint64_t number, const TcpSegment& segment) {
            LinkImpairment::Fate fate;
            if (number == BAD_SEGMENT)
            {
                // The last octet but the CRC's: ULPDU or pad.
                fate.flipBit = static_cast<uint32_t>((segment.payload.size() - 5) * 8);
            }
            return fate;
        });
    }
};

TEST_F(CorruptionTest, CrcFindsWhatTheTcpChecksumDoesNot)
{
    Exchange();
    EXPECT_EQ(impairments[INITIATOR]->GetCounters().corrupted, 1U);
    ASSERT_TRUE(errors[RESPONDER].has_value());
    EXPECT_EQ(*errors[RESPONDER], MpaError::CRC_MISMATCH);
    // What came before has been delivered, and nothing after.
    EXPECT_GT(received[RESPONDER], 0U);
    EXPECT_LT(received[RESPONDER], Count());
}

/// The receiver has TCP drop the segment, so that it is sent again (RFC 5044 section 8).
class DroppedCorruptionTest : public CorruptionTest
{
  protected:
    void ConfigureConnection(std::size_t side, MpaConnection& connection) override
    {
        CorruptionTest::ConfigureConnection(side, connection);
        connection.GetSettings()->SetAttribute("DropBadSegments", BooleanValue(true));
    }

    void ConfigureMiddlebox() override
    {
        CorruptionTest::ConfigureMiddlebox();
        for (const auto& transport : transports)
        {
            transport->SetAttribute("Transport", EnumValue(MpaTransport::AWARE));
        }
    }
};

TEST_F(DroppedCorruptionTest, ABadSegmentIsSentAgain)
{
    Exchange();
    ExpectComplete();
    EXPECT_EQ(impairments[INITIATOR]->GetCounters().corrupted, 1U);
    EXPECT_EQ(connections[RESPONDER]->GetCounters().droppedSegments, 1U);
}

} // namespace
} // namespace ns3::nfsrdma
