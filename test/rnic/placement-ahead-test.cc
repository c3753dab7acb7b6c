/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

/// The server's stream is handed ULPDUs by the test, ahead of their turn and in it. Message 1 of
/// queue 0 has come.
class PlacementAhead : public RnicTest
{
  protected:
    static constexpr uint32_t SIZE = 100;

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
        m_memory = m_server.Room(SIZE);
        m_region = RegisterNow(m_server, m_memory, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    }

    /// \return a ULPDU that writes \p octets at \p offset of the region.
    ByteVector WriteUlpdu(uint64_t offset, const ByteVector& octets) const
    {
        return Ulpdu(DdpTaggedHeader{true,
                                     EncodeRdmapControl(RdmapOpcode::WRITE),
                                     m_region->GetStag(),
                                     m_memory.GetAddress() + offset},
                     octets);
    }

    static ByteVector SendUlpdu(uint32_t msn, const ByteVector& octets)
    {
        return Ulpdu(DdpUntaggedHeader{true, EncodeRdmapControl(RdmapOpcode::SEND), 0, 0, msn, 0},
                     octets);
    }

    template <typename Header>
    static ByteVector Ulpdu(const Header& header, const ByteVector& octets)
    {
        ByteVector ulpdu(Header::SIZE + octets.size());
        ByteWriter writer(ulpdu);
        header.Encode(writer);
        writer.WriteBytes(octets);
        return ulpdu;
    }

    bool Place(const ByteVector& ulpdu)
    {
        return m_server.pair->GetStream()->PlaceUlpdu(ulpdu);
    }

    void Receive(const ByteVector& ulpdu, bool placed)
    {
        m_server.pair->GetStream()->ReceiveUlpdu(ulpdu, placed);
    }

    const RnicCounters& Counters() const
    {
        return m_server.device->GetCounters();
    }

    HostBuffer m_memory;
    Ptr<MemoryRegion> m_region;
};

TEST_F(PlacementAhead, OctetsCountOnce)
{
    const uint64_t before = Counters().payloadReceived;
    const ByteVector ulpdu = WriteUlpdu(10, Pattern(50));
    EXPECT_TRUE(Place(ulpdu));
    EXPECT_EQ(Counters().payloadReceived, before + 50);
    Receive(ulpdu, true);
    EXPECT_EQ(Counters().payloadReceived, before + 50);
    EXPECT_EQ(m_server.Octets(m_memory), ByteVector(SIZE)) << "not yet";
    Run();
    const ByteVector octets = m_server.Octets(m_memory);
    EXPECT_EQ(ByteVector(octets.begin() + 10, octets.begin() + 60), Pattern(50));
}

TEST_F(PlacementAhead, WhatIsNotPlacedCostsAndCountsNothing)
{
    const RnicCounters before = Counters();
    const Time done = m_server.pair->GetReceiver().GetProgress().done;
    EXPECT_FALSE(Place(WriteUlpdu(90, Pattern(50))));
    EXPECT_FALSE(Place(SendUlpdu(2, Pattern(50))));
    PostReceive(m_server, 1, Keep(m_server.Room(10)));
    EXPECT_FALSE(Place(SendUlpdu(2, Pattern(50))));
    EXPECT_EQ(m_server.pair->GetReceiver().GetProgress().done, done);
    EXPECT_EQ(Counters().payloadReceived, before.payloadReceived);
    EXPECT_EQ(Counters().placementFaults, 0U);
    EXPECT_EQ(Counters().receiveFaults, 0U);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
}

TEST_F(PlacementAhead, ASendGoesIntoTheBufferOfItsNumber)
{
    std::vector<const HostBuffer*> rooms;
    for (uint64_t id = 1; id <= 3; id++)
    {
        rooms.push_back(&Keep(m_server.Room(20)));
        PostReceive(m_server, id, *rooms.back());
    }
    EXPECT_TRUE(Place(SendUlpdu(4, Pattern(20, 4))));
    EXPECT_TRUE(Place(SendUlpdu(3, Pattern(20, 3))));
    EXPECT_FALSE(Place(SendUlpdu(5, Pattern(20)))) << "not posted";
    EXPECT_FALSE(Place(SendUlpdu(1, Pattern(20)))) << "consumed";
    Run();
    EXPECT_THAT(m_server.received, IsEmpty());
    Receive(SendUlpdu(2, Pattern(20, 2)), false);
    Receive(SendUlpdu(3, Pattern(20, 3)), true);
    Receive(SendUlpdu(4, Pattern(20, 4)), true);
    Run();
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(1, 2, 3));
    EXPECT_THAT(m_server.ReceivedStatuses(), Each(Status::SUCCESS));
    for (uint8_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(m_server.Octets(*rooms[i]), Pattern(20, i + 2));
        EXPECT_EQ(m_server.received[i].length, 20U);
    }
}

TEST_F(PlacementAhead, AFailureAheadLeavesNoMarkOnALaterOne)
{
    PostReceive(m_server, 1, Keep(m_server.Room(10)));
    EXPECT_FALSE(Place(SendUlpdu(2, Pattern(50)))) << "too long";
    Receive(WriteUlpdu(90, Pattern(50)), false);
    Run();
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith("1/1/01")));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_EQ(Counters().receiveFaults, 0U);
    EXPECT_EQ(Counters().placementFaults, 1U);
}

TEST_F(PlacementAhead, TheStagMayBecomeInvalidBeforeTheTurn)
{
    const ByteVector ulpdu = WriteUlpdu(0, Pattern(SIZE));
    EXPECT_TRUE(Place(ulpdu));
    PostSend(m_server, Invalidate(1, m_region->GetStag()));
    Run();
    Receive(ulpdu, true);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(m_server.Octets(m_memory), Pattern(SIZE));
    EXPECT_FALSE(Place(ulpdu));
}

TEST_F(PlacementAhead, AReceiveFlushedBeforeTheTurnIsNotDelivered)
{
    PostReceive(m_server, 1, Keep(m_server.Room(20)));
    const ByteVector ulpdu = SendUlpdu(2, Pattern(20));
    EXPECT_TRUE(Place(ulpdu));
    m_server.pair->MoveToError();
    EXPECT_FALSE(Place(ulpdu)) << "no buffer is posted any more";
    Run();
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(1));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_EQ(m_server.received[0].length, 0U);
}

} // namespace ns3::nfsrdma
