/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/aligned-tcp-socket.h"
#include "mpa/two-node-fixture.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// Units of 1000 octets from node 0 to node 1 on bare sockets.
class MpaTcpSocketTest : public TwoNodeTest
{
  protected:
    static constexpr uint32_t UNIT = 1000;
    static constexpr uint32_t UNITS = 2000;

    void Connect(uint32_t initialSequence = 0)
    {
        listener = MpaTcpSocket::Create(nodes[1]);
        listener->SetAttribute("InitialSequence", UintegerValue(initialSequence));
        ASSERT_EQ(listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT)), 0);
        ASSERT_EQ(listener->Listen(), 0);
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeCallback(&MpaTcpSocketTest::OnAccept, this));
        sender = MpaTcpSocket::Create(nodes[0]);
        sender->SetAttribute("InitialSequence", UintegerValue(initialSequence));
        ASSERT_EQ(sender->Bind(), 0);
        ASSERT_EQ(sender->Connect(InetSocketAddress("10.0.0.2", PORT)), 0);
        RunAll();
        ASSERT_TRUE(receiver);
    }

    void OnAccept(Ptr<Socket> socket, const Address& /* peer */)
    {
        receiver = DynamicCast<MpaTcpSocket>(socket);
        receiver->SetRecvCallback(MakeCallback(&MpaTcpSocketTest::OnReceive, this));
    }

    void OnReceive(Ptr<Socket> socket)
    {
        while (auto octets = socket->Recv(100000, 0))
        {
            ByteVector copy(octets->GetSize());
            octets->CopyData(copy.data(), octets->GetSize());
            for (const uint8_t octet : copy)
            {
                ASSERT_EQ(octet, static_cast<uint8_t>(received / UNIT));
                ++received;
            }
        }
    }

    void OnSegment(std::size_t side, const Segment& segment) override
    {
        if (side == 0)
        {
            segments.push_back(segment);
        }
    }

    void SendAll()
    {
        sender->SetSendCallback(MakeCallback(&MpaTcpSocketTest::OnRoom, this));
        OnRoom(sender, 0);
        RunAll();
    }

    void OnRoom(Ptr<Socket> /* socket */, uint32_t /* available */)
    {
        while (sent < UNITS)
        {
            const ByteVector unit(UNIT, static_cast<uint8_t>(sent));
            if (!sender->SendUnit(Create<Packet>(unit.data(), UNIT)))
            {
                return;
            }
            ++sent;
        }
    }

    Ptr<MpaTcpSocket> listener;
    Ptr<MpaTcpSocket> sender;
    Ptr<MpaTcpSocket> receiver;
    std::vector<Segment> segments;
    uint32_t sent{0};
    uint32_t received{0};
};

TEST_F(MpaTcpSocketTest, AcceptedSocketIsOfTheSameKind)
{
    Connect();
    EXPECT_EQ(receiver->GetInstanceTypeId(), MpaTcpSocket::GetTypeId());
    EXPECT_EQ(receiver->GetEmss(), 1448U);
}

TEST_F(MpaTcpSocketTest, UnitsSurviveTheSequenceWrap)
{
    Connect(0xffffffffU - 500'123);
    SendAll();
    EXPECT_EQ(received, UNIT * UNITS);
    ASSERT_EQ(segments.size(), UNITS);
    for (const auto& segment : segments)
    {
        ASSERT_EQ(segment.length, UNIT);
    }
}

TEST_F(MpaTcpSocketTest, UnitsSurviveTheSequenceWrapUnderLoss)
{
    Connect(0xffffffffU - 1'000'123);
    SetLossRate(0.02);
    SendAll();
    EXPECT_EQ(received, UNIT * UNITS);
    EXPECT_GT(segments.size(), UNITS);
    for (const auto& segment : segments)
    {
        ASSERT_LE(segment.length, UNIT);
    }
}

TEST_F(MpaTcpSocketTest, RoundTripIsMeasuredBelowAMillisecond)
{
    Connect();
    Time rtt;
    sender->TraceConnectWithoutContext(
        "RTT",
        Callback<void, Time, Time>([&rtt](Time /* before */, Time now) { rtt = now; }));
    SendAll();
    EXPECT_GT(rtt, NanoSeconds(500));
    EXPECT_LT(rtt, MilliSeconds(2));
}

TEST_F(MpaTcpSocketTest, PeerThatDoesNotCloseIsResetAtLast)
{
    Connect();
    const Time start = Simulator::Now();
    sender->CloseInOrder();
    RunAll();
    EXPECT_EQ(sender->GetState(), TcpSocket::CLOSED);
    EXPECT_EQ(receiver->GetState(), TcpSocket::CLOSED);
    EXPECT_EQ(CountSockets(0), 0U);
    EXPECT_GE(Simulator::Now() - start, Seconds(5));
}

TEST_F(MpaTcpSocketTest, NoUnitIsTakenBeforeOrAfterTheConnection)
{
    sender = MpaTcpSocket::Create(nodes[0]);
    EXPECT_FALSE(sender->SendUnit(Create<Packet>(10)));
    sender->Reset();
    EXPECT_EQ(CountSockets(0), 0U);
    Connect();
    sender->CloseInOrder();
    EXPECT_FALSE(sender->SendUnit(Create<Packet>(10)));
    Simulator::Stop(MilliSeconds(10));
    RunAll();
    EXPECT_EQ(receiver->GetState(), TcpSocket::CLOSE_WAIT);
    receiver->CloseInOrder();
    RunAll();
    EXPECT_EQ(CountSockets(0), 0U);
    EXPECT_EQ(sender->GetState(), TcpSocket::CLOSED);
    EXPECT_EQ(receiver->GetState(), TcpSocket::CLOSED);
}

} // namespace
} // namespace ns3::nfsrdma
