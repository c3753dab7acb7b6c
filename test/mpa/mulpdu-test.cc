/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/full-operation-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

using DynamicMulpduTest = FullOperationTest;

class RoundedMulpduTest : public FullOperationTest
{
  protected:
    void Configure() override
    {
        connection->GetSettings()->SetAttribute("EmssMultiple", UintegerValue(8));
        stream->emss = 1460;
    }
};

TEST_F(DynamicMulpduTest, FollowsEmss)
{
    EXPECT_EQ(connection->GetMulpdu(), 1442U);
    stream->ChangeEmss(536);
    EXPECT_EQ(connection->GetMulpdu(), 530U);
    stream->ChangeEmss(60);
    EXPECT_EQ(connection->GetMulpdu(), 128U);
    stream->ChangeEmss(8960);
    EXPECT_EQ(connection->GetMulpdu(), 8954U);
    EXPECT_EQ(readyCalls, 3);
}

TEST_F(DynamicMulpduTest, FollowsTheRoomThatIsLeftInASegment)
{
    stream->unitRoom = 500;
    EXPECT_EQ(connection->GetMulpdu(), 494U);
    stream->unitRoom = 136;
    EXPECT_EQ(connection->GetMulpdu(), 130U);
    stream->unitRoom = 135;
    EXPECT_EQ(connection->GetMulpdu(), 1442U);
    stream->unitRoom = 0;
    EXPECT_EQ(connection->GetMulpdu(), 1442U);
    stream->unitRoom = 1448;
    EXPECT_EQ(connection->GetMulpdu(), 1442U);
}

TEST_F(DynamicMulpduTest, CanSendWhatItOffers)
{
    stream->room = 500;
    EXPECT_FALSE(connection->CanSend());
    stream->unitRoom = 500;
    EXPECT_TRUE(connection->CanSend());
    Send(connection->GetMulpdu());
    EXPECT_EQ(stream->sent.back().size(), 500U);
    EXPECT_FALSE(connection->CanSend());
}

TEST_F(RoundedMulpduTest, EmssIsRoundedDownToAMultiple)
{
    EXPECT_EQ(connection->GetMulpdu(), 1450U);
    stream->ChangeEmss(8960);
    EXPECT_EQ(connection->GetMulpdu(), 8954U);
    stream->ChangeEmss(543);
    EXPECT_EQ(connection->GetMulpdu(), 530U);
}

} // namespace

} // namespace ns3::nfsrdma
