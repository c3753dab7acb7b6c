/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/full-operation-fixture.h"

#include <algorithm>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// An owner that has room for so many octets of FPDUs.
class RoomTest : public FullOperationTest
{
  protected:
    void Configure() override
    {
        connection->GetSettings()->SetAttribute("OutOfOrderPlacement", BooleanValue(true));
        connection->GetSettings()->SetAttribute("PlaceByAlignment", BooleanValue(true));
    }

    void SetUp() override
    {
        FullOperationTest::SetUp();
        connection->GetCallbacks().room = Callback<uint32_t, uint32_t>([this](uint32_t needed) {
            asked.push_back(needed);
            return room;
        });
        connection->GetCallbacks().closed = Callback<void>([this] { closed = true; });
    }

    uint32_t GetSize(std::size_t fpdu) const
    {
        return static_cast<uint32_t>(made.EndOf(fpdu) - made.starts[fpdu]);
    }

    uint64_t GetTaken() const
    {
        return stream->GetReceivedOctets() - first;
    }

    uint32_t room{0};
    std::vector<uint32_t> asked;
    bool closed{false};
};

TEST_F(RoomTest, WithoutRoomEverythingStaysInTheStream)
{
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_EQ(GetTaken(), 0U);
    EXPECT_EQ(asked.size(), 1U) << "it waits to be told";
    EXPECT_TRUE(delivered.empty());
    room = 1000;
    connection->Resume();
    EXPECT_EQ(delivered, Deliveries({0, 1}, {}));
    EXPECT_EQ(GetTaken(), made.EndOf(1));
}

TEST_F(RoomTest, AnFpduComesWhenThereIsRoomForTheWhole)
{
    room = GetSize(0) - 1;
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(delivered.empty());
    EXPECT_LE(GetTaken(), room);
    EXPECT_EQ(asked.back(), GetSize(0)) << "the length has come";
    room = GetSize(0);
    connection->Resume();
    EXPECT_EQ(delivered, Deliveries({0}, {}));
}

TEST_F(RoomTest, NoMoreIsTakenThanThereIsRoomFor)
{
    room = GetSize(0) + 10;
    EXPECT_TRUE(Arrive(0, made.octets.size()));
    EXPECT_EQ(delivered, Deliveries({0}, {}));
    EXPECT_LE(GetTaken(), room + GetSize(0));
}

TEST_F(RoomTest, TheEndComesBehindWhatWaits)
{
    EXPECT_TRUE(ArriveFpdu(0));
    stream->End(StreamEnd::GRACEFUL);
    EXPECT_FALSE(closed);
    EXPECT_EQ(connection->GetState(), MpaConnection::State::OPERATIONAL);
    room = 1000;
    connection->Resume();
    EXPECT_EQ(delivered, Deliveries({0}, {}));
    EXPECT_TRUE(closed);
    EXPECT_EQ(connection->GetState(), MpaConnection::State::CLOSED);
}

TEST_F(RoomTest, AResetDoesNotWait)
{
    EXPECT_TRUE(ArriveFpdu(0));
    stream->End(StreamEnd::RESET);
    EXPECT_EQ(errors, std::vector<MpaError>{MpaError::LLP_LOST});
    room = 1000;
    connection->Resume();
    EXPECT_TRUE(delivered.empty());
}

TEST_F(RoomTest, WhatIsPlacedAheadNeedsNoRoomInItsTurn)
{
    room = 1000;
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_EQ(placed.size(), 1U);
    asked.clear();
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_EQ(delivered, Deliveries({0, 1}, {1}));
    EXPECT_EQ(std::count(asked.begin(), asked.end(), GetSize(1)), 0);
}

} // namespace

} // namespace ns3::nfsrdma
