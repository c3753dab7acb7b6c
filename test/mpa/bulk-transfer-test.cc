/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/two-node-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <map>

namespace ns3::nfsrdma
{
namespace
{

/// Both sides send numbered ULPDUs of a pattern, of the sizes the case wants.
class BulkTransferTest : public TwoNodeTest
{
  protected:
    void ConfigureConnection(std::size_t /* side */, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Crc", BooleanValue(true));
    }

    virtual uint32_t Total() const
    {
        return 10'000'000;
    }

    virtual uint32_t LengthOf(std::size_t side, uint32_t /* index */) const
    {
        return connections[side]->GetMulpdu();
    }

    virtual bool Sends(std::size_t /* side */) const
    {
        return true;
    }

    void OnOperational(std::size_t side) override
    {
        Fill(side);
    }

    void OnReady(std::size_t side) override
    {
        Fill(side);
    }

    void Fill(std::size_t side)
    {
        while (Sends(side) && sentOctets[side] < Total() && connections[side]->CanSend())
        {
            const uint32_t length = LengthOf(side, sentUlpdus[side]);
            ASSERT_TRUE(TrySend(side, Ulpdu(side, sentUlpdus[side], length)));
            sizes[side].push_back(Fpdu::WireSize(length));
            ++sentUlpdus[side];
            sentOctets[side] += length;
        }
    }

    static ByteVector Ulpdu(std::size_t side, uint32_t index, uint32_t length)
    {
        ByteVector octets(length);
        for (uint32_t i = 0; i < length; ++i)
        {
            octets[i] = static_cast<uint8_t>(i * 7 + index + side);
        }
        return octets;
    }

    void OnUlpdu(std::size_t side, ByteSpan ulpdu) override
    {
        const std::size_t from = 1 - side;
        const auto length = static_cast<uint32_t>(ulpdu.size());
        const ByteVector expected = Ulpdu(from, receivedUlpdus[side], length);
        ASSERT_TRUE(std::equal(ulpdu.begin(), ulpdu.end(), expected.begin(), expected.end()))
            << "ULPDU " << receivedUlpdus[side];
        ++receivedUlpdus[side];
        receivedOctets[side] += length;
    }

    void OnSegment(std::size_t side, const Segment& segment) override
    {
        segments[side].push_back(segment);
    }

    /// Every segment after the startup frame is exactly one FPDU, in order.
    void ExpectOneFpduInEachSegment(std::size_t side)
    {
        ASSERT_EQ(segments[side].size(), sizes[side].size() + 1);
        uint32_t sequence = segments[side][0].sequence + segments[side][0].length;
        for (std::size_t i = 0; i < sizes[side].size(); ++i)
        {
            const Segment& segment = segments[side][i + 1];
            ASSERT_EQ(segment.sequence, sequence);
            ASSERT_EQ(segment.length, sizes[side][i]);
            ASSERT_EQ(Fpdu::WireSize(segment.firstTwoOctets), segment.length);
            sequence += segment.length;
        }
    }

    void ExpectAllReceived()
    {
        for (std::size_t side = 0; side < 2; ++side)
        {
            EXPECT_EQ(receivedUlpdus[side], sentUlpdus[1 - side]);
            EXPECT_EQ(receivedOctets[side], sentOctets[1 - side]);
            EXPECT_FALSE(errors[side].has_value());
            if (Sends(side))
            {
                EXPECT_GE(sentOctets[side], Total());
            }
        }
    }

    std::array<uint32_t, 2> sentUlpdus{};
    std::array<uint32_t, 2> sentOctets{};
    std::array<uint32_t, 2> receivedUlpdus{};
    std::array<uint32_t, 2> receivedOctets{};
    std::array<std::vector<uint32_t>, 2> sizes;
    std::array<std::vector<Segment>, 2> segments;
};

class JumboBulkTransferTest : public BulkTransferTest
{
  protected:
    uint16_t Mtu() const override
    {
        return 9000;
    }
};

class MixedSizesTest : public BulkTransferTest
{
  protected:
    uint32_t Total() const override
    {
        return 3'000'000;
    }

    uint32_t LengthOf(std::size_t side, uint32_t index) const override
    {
        const uint32_t mulpdu = connections[side]->GetMulpdu();
        return 1 + (index * 197 + static_cast<uint32_t>(side) * 31) % mulpdu;
    }
};

class LossyBulkTransferTest : public BulkTransferTest
{
  protected:
    void SetUp() override
    {
        BulkTransferTest::SetUp();
        SetLossRate(0.01);
    }

    void ExpectSegmentsWithinUnits()
    {
        for (std::size_t side = 0; side < 2; ++side)
        {
            ASSERT_FALSE(segments[side].empty());
            std::map<uint32_t, uint32_t> units;
            uint32_t sequence = segments[side][0].sequence + segments[side][0].length;
            for (const uint32_t size : sizes[side])
            {
                units[sequence] = sequence + size;
                sequence += size;
            }
            for (const Segment& segment : segments[side])
            {
                auto unit = units.upper_bound(segment.sequence);
                if (unit == units.begin())
                {
                    continue;
                }
                --unit;
                ASSERT_LE(segment.sequence + segment.length, unit->second);
            }
        }
    }
};

class LossyMixedSizesTest : public LossyBulkTransferTest
{
  protected:
    uint32_t Total() const override
    {
        return 2'000'000;
    }

    uint32_t LengthOf(std::size_t side, uint32_t index) const override
    {
        const uint32_t mulpdu = connections[side]->GetMulpdu();
        return 1 + (index * 197 + static_cast<uint32_t>(side) * 31) % mulpdu;
    }
};

class LossyWithoutSackTest : public LossyBulkTransferTest
{
  protected:
    uint32_t Total() const override
    {
        return 2'000'000;
    }

    void ConfigureTcp(DataCenterTcpPreset& preset) override
    {
        preset.sack = false;
    }
};

class SmallBuffersTest : public LossyBulkTransferTest
{
  protected:
    uint32_t Total() const override
    {
        return 1'000'000;
    }

    void ConfigureTcp(DataCenterTcpPreset& preset) override
    {
        preset.sndBufSize = 6000;
        preset.rcvBufSize = 8000;
        preset.initialCwnd = 1;
    }
};

/// Units twice as long as a segment.
class LongUnitsTest : public BulkTransferTest
{
  protected:
    bool Sends(std::size_t side) const override
    {
        return side == INITIATOR;
    }

    uint32_t Total() const override
    {
        return 1'000'000;
    }

    uint32_t LengthOf(std::size_t /* side */, uint32_t /* index */) const override
    {
        return 2500;
    }
};

TEST_F(BulkTransferTest, EverySegmentIsOneFpdu)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectOneFpduInEachSegment(INITIATOR);
    ExpectOneFpduInEachSegment(RESPONDER);
    EXPECT_EQ(sizes[INITIATOR][0], 1448U);
}

TEST_F(JumboBulkTransferTest, EverySegmentIsOneFpdu)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectOneFpduInEachSegment(INITIATOR);
    ExpectOneFpduInEachSegment(RESPONDER);
    EXPECT_EQ(sizes[INITIATOR][0], 8948U);
}

TEST_F(MixedSizesTest, EverySegmentIsOneFpdu)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectOneFpduInEachSegment(INITIATOR);
    ExpectOneFpduInEachSegment(RESPONDER);
}

TEST_F(LossyBulkTransferTest, NothingIsLostOrMisaligned)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectSegmentsWithinUnits();
    EXPECT_GT(segments[INITIATOR].size(), sizes[INITIATOR].size() + 10);
}

TEST_F(LossyMixedSizesTest, NothingIsLostOrMisaligned)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectSegmentsWithinUnits();
}

TEST_F(LossyWithoutSackTest, NothingIsLostOrMisaligned)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectSegmentsWithinUnits();
}

TEST_F(SmallBuffersTest, NothingIsLostOrStalls)
{
    Start();
    RunAll();
    ExpectAllReceived();
    ExpectSegmentsWithinUnits();
}

TEST_F(LongUnitsTest, AreSplitAtSegmentsOnly)
{
    Start();
    RunAll();
    EXPECT_EQ(receivedUlpdus[RESPONDER], sentUlpdus[INITIATOR]);
    ASSERT_EQ(segments[INITIATOR].size(), 2 * sizes[INITIATOR].size() + 1);
    for (std::size_t i = 1; i < segments[INITIATOR].size(); i += 2)
    {
        ASSERT_EQ(segments[INITIATOR][i].length, 1448U);
        ASSERT_EQ(segments[INITIATOR][i + 1].length, Fpdu::WireSize(2500) - 1448U);
    }
}

} // namespace
} // namespace ns3::nfsrdma
