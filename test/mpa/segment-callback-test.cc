/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/stream-pair-fixture.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{
namespace
{

/// Segments of node 0 are shown to node 1.
class SegmentCallbackTest : public StreamPairTest
{
  protected:
    struct Shown
    {
        uint64_t offset;
        uint32_t size;
        uint64_t receivedThen;

        bool operator==(const Shown& other) const
        {
            return offset == other.offset && size == other.size &&
                   receivedThen == other.receivedThen;
        }

        friend std::ostream& operator<<(std::ostream& out, const Shown& shown)
        {
            return out << shown.offset << '+' << shown.size << " after " << shown.receivedThen;
        }
    };

    using List = std::vector<Shown>;

    void SetUp() override
    {
        StreamPairTest::SetUp();
        SetTransport(1, MpaTransport::AWARE, false, false);
    }

    /// The fates of the next frames with payload for node 1, then all arrive.
    std::optional<Time> Fate(std::size_t receiver,
                             const Ipv4Header& /* ip */,
                             const TcpHeader& /* tcp */,
                             uint32_t payload) override
    {
        if (receiver == 0 || payload == 0 || nextFate == fates.size())
        {
            return Time(0);
        }
        return fates[nextFate++];
    }

    bool OnShown(std::size_t side, uint64_t offset, uint32_t size) override
    {
        EXPECT_EQ(side, 1U);
        list.push_back({offset, size, received[1]});
        return refusals.erase(list.size() - 1) == 0;
    }

    void SendAndRun(uint32_t units)
    {
        for (uint32_t i = 0; i < units; ++i)
        {
            ASSERT_TRUE(SendUnit(0, 1000));
        }
        RunAll();
        ExpectAllReceived();
    }

    static constexpr std::nullopt_t LOST{std::nullopt};
    std::vector<std::optional<Time>> fates;
    std::size_t nextFate{0};
    std::set<std::size_t> refusals; ///< Indices into list.
    List list;
};

TEST_F(SegmentCallbackTest, TellsOfSegmentsInOrderBeforeTheyAreReceived)
{
    Open();
    SendAndRun(3);
    EXPECT_EQ(list, (List{{0, 1000, 0}, {1000, 1000, 1000}, {2000, 1000, 2000}}));
}

TEST_F(SegmentCallbackTest, TellsOfSegmentsBehindAGap)
{
    fates = {LOST};
    Open();
    uint32_t held = 0;
    Simulator::Schedule(MicroSeconds(500),
                        [this, &held] { held = streams[1]->GetOutOfOrderOctets(); });
    SendAndRun(3);
    EXPECT_EQ(list, (List{{1000, 1000, 0}, {2000, 1000, 0}, {0, 1000, 0}}));
    EXPECT_EQ(held, 2000U);
    EXPECT_EQ(streams[1]->GetOutOfOrderOctets(), 0U);
}

TEST_F(SegmentCallbackTest, TellsOfALateSegment)
{
    fates = {MicroSeconds(3), Time(0), Time(0)};
    Open();
    SendAndRun(3);
    EXPECT_EQ(list, (List{{1000, 1000, 0}, {2000, 1000, 0}, {0, 1000, 0}}));
}

TEST_F(SegmentCallbackTest, RefusedSegmentIsSentAgain)
{
    refusals = {1};
    Open();
    SendAndRun(3);
    EXPECT_EQ(list,
              (List{{0, 1000, 0}, {1000, 1000, 1000}, {2000, 1000, 1000}, {1000, 1000, 1000}}));
    EXPECT_EQ(
        std::count_if(cuts[0].begin(), cuts[0].end(), [](const Cut& cut) { return cut.repeated; }),
        1);
}

TEST_F(SegmentCallbackTest, RefusedLastSegmentWithFinIsSentAgain)
{
    refusals = {0, 1};
    Open();
    ASSERT_TRUE(SendUnit(0, 1000));
    streams[0]->Close();
    RunAll();
    EXPECT_EQ(received[1], 1000U);
    EXPECT_EQ(list, (List{{0, 1000, 0}, {0, 1000, 0}, {0, 1000, 0}}));
    EXPECT_EQ(ends[1], StreamEnd::GRACEFUL);
}

TEST_F(SegmentCallbackTest, OffsetsCountOnThroughTheSequenceWrap)
{
    initialSequence = 0xffffffff - 1500;
    fates = {Time(0), LOST};
    Open();
    SendAndRun(5);
    EXPECT_EQ(list,
              (List{{0, 1000, 0},
                    {2000, 1000, 1000},
                    {3000, 1000, 1000},
                    {4000, 1000, 1000},
                    {1000, 1000, 1000}}));
}

/// The acknowledgment of the SYN is lost: the first segment with octets completes the handshake.
class LostHandshakeAckTest : public SegmentCallbackTest
{
  protected:
    std::optional<Time> Fate(std::size_t receiver,
                             const Ipv4Header& /* ip */,
                             const TcpHeader& tcp,
                             uint32_t payload) override
    {
        const bool bare = receiver == 1 && payload == 0 && tcp.GetFlags() == TcpHeader::ACK;
        return bare && received[1] == 0 ? std::nullopt : std::optional(Time(0));
    }

    void OnEstablished() override
    {
        ASSERT_TRUE(SendUnit(0, 1000));
    }
};

TEST_F(LostHandshakeAckTest, TellsOfTheSegmentThatCompletesTheHandshake)
{
    Open();
    ExpectAllReceived();
    EXPECT_EQ(list, (List{{0, 1000, 0}}));
}

TEST_F(LostHandshakeAckTest, RefusesTheSegmentThatCompletesTheHandshake)
{
    refusals = {0};
    Open();
    ExpectAllReceived();
    EXPECT_EQ(list, (List{{0, 1000, 0}, {0, 1000, 0}}));
}

TEST_F(SegmentCallbackTest, OctetsWithAnOldAcknowledgmentAreTaken)
{
    fates = {MicroSeconds(50)};
    Open();
    ASSERT_TRUE(SendUnit(0, 1000));
    Simulator::Schedule(MicroSeconds(5), [this] {
        ASSERT_TRUE(SendUnit(1, 1000));
        ASSERT_TRUE(SendUnit(1, 1000));
    });
    RunAll();
    ExpectAllReceived();
    EXPECT_EQ(list, (List{{0, 1000, 0}}));
    EXPECT_EQ(cuts[0].size(), 1U);
}

TEST_F(SegmentCallbackTest, OctetsWithFinAreTakenWhileTheOwnSideIsClosed)
{
    Open();
    ASSERT_TRUE(SendUnit(0, 1000));
    streams[0]->Close();
    streams[1]->Close();
    RunAll();
    EXPECT_EQ(CountSockets(0), 0U);
    EXPECT_EQ(CountSockets(1), 1U);
    EXPECT_LT(Simulator::Now(), Seconds(2));
}

} // namespace
} // namespace ns3::nfsrdma
