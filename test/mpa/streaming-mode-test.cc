/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-startup-fixture.h"
#include "mpa/two-node-fixture.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"

namespace ns3::nfsrdma
{
namespace
{

/// MPA is started on a stream that has carried something else (RFC 5044 section 7.1.3).
class DelayedStartupTest : public MpaStartupTest
{
  protected:
    void SetUp() override
    {
        MpaStartupTest::SetUp();
        stream->connected = true;
        stream->Arrive(ByteVector(100, 0x20));
        EXPECT_EQ(stream->Receive()->GetSize(), 100U);
    }
};

TEST_F(DelayedStartupTest, ResponderGetsTheBeginningOfTheRequestFromTheStreamsUser)
{
    const ByteVector frame = FromHex(REQUEST_KEY + "00010000");
    connection->StartResponder(stream, ByteSpan(frame).first(7));
    stream->Arrive(ByteSpan(frame).subspan(7));
    EXPECT_EQ(connection->GetState(), MpaConnection::State::OPERATIONAL);
    stream->Arrive(Fpdu::Encode(FromHex("01020304"), false));
    EXPECT_EQ(ulpdus.size(), 1U);
}

TEST_F(DelayedStartupTest, ResponderGetsTheWholeRequestFromTheStreamsUser)
{
    connection->StartResponder(stream, FromHex(REQUEST_KEY + "00010000"));
    EXPECT_TRUE(stream->sent.empty()) << "callbacks come from events";
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(stream->sent.size(), 1U);
    EXPECT_EQ(connection->GetState(), MpaConnection::State::OPERATIONAL);
}

TEST_F(DelayedStartupTest, InitiatorOnAnOpenStreamSendsAtOnce)
{
    connection->StartInitiator(stream, local);
    EXPECT_EQ(stream->sent.size(), 1U);
    stream->Arrive(FromHex(REPLY_KEY + "00010000"));
    EXPECT_EQ(connection->GetState(), MpaConnection::State::OPERATIONAL);
}

TEST_F(DelayedStartupTest, OctetsLeftForAnInitiatorAreNoReply)
{
    connection->StartInitiator(stream, local, FromHex("0a"));
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(DelayedStartupTest, RequestWaitsForRoomInAFullStream)
{
    stream->room = 0;
    connection->StartInitiator(stream, local);
    EXPECT_TRUE(stream->sent.empty());
    stream->MakeRoom(10);
    EXPECT_TRUE(stream->sent.empty()) << "a startup frame is one unit";
    stream->MakeRoom(1000);
    ASSERT_EQ(stream->sent.size(), 1U);
    stream->Arrive(FromHex(REPLY_KEY + "00010000"));
    EXPECT_TRUE(connection->CanSend() || stream->room < 1500);
    EXPECT_TRUE(operational.has_value());
}

TEST_F(DelayedStartupTest, ReplyWaitsForRoomInAFullStream)
{
    stream->room = 0;
    connection->StartResponder(stream);
    stream->Arrive(FromHex(REQUEST_KEY + "00010000"));
    EXPECT_TRUE(stream->sent.empty());
    stream->MakeRoom(100000);
    EXPECT_EQ(stream->sent.size(), 1U);
    stream->Arrive(Fpdu::Encode(FromHex("01020304"), false));
    EXPECT_TRUE(connection->CanSend());
}

/// Two nodes that greet each other on TCP, try MPA, are refused, talk on, and then do start MPA.
class DualStackTest : public TwoNodeTest
{
  protected:
    void ConfigureConnection(std::size_t /* side */, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Markers", BooleanValue(true));
        connection.GetSettings()->SetAttribute("Crc", BooleanValue(true));
        connection.GetSettings()->SetAttribute("OutOfOrderPlacement", BooleanValue(true));
        connection.GetSettings()->SetAttribute("DropBadSegments", BooleanValue(true));
    }

    /// Opens the stream, and lets both sides read into `heard`.
    void Open()
    {
        ASSERT_TRUE(transports[RESPONDER]->Listen(
            PORT,
            Callback<void, Ptr<ByteStream>>([this](Ptr<ByteStream> stream) {
                streams[RESPONDER] = stream;
                Read(RESPONDER);
            })));
        const auto address = nodes[RESPONDER]->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        streams[INITIATOR] = transports[INITIATOR]->Connect(InetSocketAddress(address, PORT));
        Read(INITIATOR);
        Run();
        ASSERT_TRUE(streams[RESPONDER]);
    }

    void Read(std::size_t side)
    {
        streams[side]->GetCallbacks().receive = Callback<void>([this, side]() {
            if (const auto packet = streams[side]->Receive())
            {
                ByteVector octets(packet->GetSize());
                packet->CopyData(octets.data(), octets.size());
                heard[side].insert(heard[side].end(), octets.begin(), octets.end());
            }
        });
    }

    void Say(std::size_t side, const ByteVector& octets)
    {
        ASSERT_TRUE(streams[side]->SendUnit(
            Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()))));
        Run();
    }

    void Run() const
    {
        Simulator::Stop(patience);
        Simulator::Run();
    }

    /// Makes connections of both streams; the responder's consumer rejects or accepts.
    void StartMpa(bool accepts)
    {
        for (const std::size_t side : {INITIATOR, RESPONDER})
        {
            auto connection = CreateObject<MpaConnection>();
            ConfigureConnection(side, *connection);
            connection->GetCallbacks().ulpdu =
                Callback<void, ByteSpan, bool>([this, side](ByteSpan ulpdu, bool) {
                    ulpdus[side].emplace_back(ulpdu.begin(), ulpdu.end());
                });
            connections[side] = connection;
        }
        connections[RESPONDER]->GetCallbacks().request =
            Callback<void, const MpaStartupParameters&>([this, accepts](auto&) {
                if (accepts)
                {
                    connections[RESPONDER]->Accept({});
                }
                else
                {
                    connections[RESPONDER]->Reject({});
                }
            });
        connections[RESPONDER]->StartResponder(streams[RESPONDER]);
        connections[INITIATOR]->StartInitiator(streams[INITIATOR], {});
        Run();
    }

    std::array<Ptr<ByteStream>, 2> streams;
    std::array<ByteVector, 2> heard;
    std::array<std::vector<ByteVector>, 2> ulpdus;
    Time patience{Seconds(1)};
};

TEST_F(DualStackTest, StreamSurvivesARejectionAndStartsLater)
{
    Open();
    Say(INITIATOR, ByteVector(101, 1));
    Say(RESPONDER, ByteVector(77, 2));
    StartMpa(false);
    for (const std::size_t side : {INITIATOR, RESPONDER})
    {
        ASSERT_EQ(connections[side]->GetState(), MpaConnection::State::REJECTED);
        const auto released = connections[side]->ReleaseStream();
        EXPECT_EQ(released.stream, streams[side]);
        Read(side);
    }
    Say(INITIATOR, ByteVector(13, 3));
    Say(RESPONDER, ByteVector(14, 4));
    EXPECT_EQ(heard[RESPONDER].size(), 114U);
    EXPECT_EQ(heard[INITIATOR].size(), 91U);

    StartMpa(true);
    for (const std::size_t side : {INITIATOR, RESPONDER})
    {
        ASSERT_EQ(connections[side]->GetState(), MpaConnection::State::OPERATIONAL);
    }
    for (int i = 0; i < 20; ++i)
    {
        ASSERT_TRUE(TrySend(INITIATOR, ByteVector(1000, static_cast<uint8_t>(i))));
        Run();
        ASSERT_TRUE(TrySend(RESPONDER, ByteVector(700, static_cast<uint8_t>(i))));
        Run();
    }
    ASSERT_EQ(ulpdus[RESPONDER].size(), 20U);
    ASSERT_EQ(ulpdus[INITIATOR].size(), 20U);
    EXPECT_EQ(ulpdus[RESPONDER][19], ByteVector(1000, 19));
    EXPECT_EQ(connections[RESPONDER]->GetCounters().markerErrors, 0U);
    connections[INITIATOR]->Close();
    Run();
    EXPECT_EQ(connections[RESPONDER]->GetState(), MpaConnection::State::CLOSED);
}

/// RFC 5044 section 7.1.5: TCP sends again what is lost, whoever has the stream.
TEST_F(DualStackTest, WhatIsLostWhileStacksAreSwitchedComesAgain)
{
    Open();
    patience = Seconds(20);
    SetLossRate(0.2);
    uint32_t drops = 0;
    for (const Ptr<EthernetNetDevice>& device : devices)
    {
        device->TraceConnectWithoutContext(
            "PhyRxDrop",
            Callback<void, Ptr<const Packet>>([&drops](Ptr<const Packet>) { ++drops; }));
    }
    Say(INITIATOR, ByteVector(101, 1));
    Say(RESPONDER, ByteVector(77, 2));
    EXPECT_EQ(heard[RESPONDER], ByteVector(101, 1));
    EXPECT_EQ(heard[INITIATOR], ByteVector(77, 2));
    StartMpa(true);
    for (const std::size_t side : {INITIATOR, RESPONDER})
    {
        ASSERT_EQ(connections[side]->GetState(), MpaConnection::State::OPERATIONAL);
    }
    for (uint8_t i = 0; i < 20; ++i)
    {
        for (const std::size_t side : {INITIATOR, RESPONDER})
        {
            ASSERT_TRUE(TrySend(side, ByteVector(1000, i)));
            Run();
        }
    }
    for (const std::size_t side : {INITIATOR, RESPONDER})
    {
        ASSERT_EQ(ulpdus[side].size(), 20U);
        for (uint8_t i = 0; i < 20; ++i)
        {
            EXPECT_EQ(ulpdus[side][i], ByteVector(1000, i));
        }
    }
    EXPECT_GT(drops, 10U);
}

} // namespace
} // namespace ns3::nfsrdma
