/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/two-node-fixture.h"

#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{
namespace
{

using State = MpaConnection::State;

/// The initiator sends a few ULPDUs, which the responder echoes.
class ConnectionLifeTest : public TwoNodeTest
{
  protected:
    void OnOperational(std::size_t side) override
    {
        if (side == INITIATOR)
        {
            ASSERT_TRUE(TrySend(side, ByteVector(100, 0x5a)));
        }
    }

    void OnUlpdu(std::size_t side, ByteSpan ulpdu) override
    {
        ++received[side];
        if (side == RESPONDER)
        {
            ASSERT_TRUE(TrySend(side, ByteVector(ulpdu.begin(), ulpdu.end())));
        }
    }

    /// No socket is left but the listener, and nothing is left to happen.
    void ExpectNoSocketLeft()
    {
        EXPECT_EQ(CountSockets(INITIATOR), 0U);
        EXPECT_EQ(CountSockets(RESPONDER), 1U);
        transports[RESPONDER]->StopListening(PORT);
        EXPECT_EQ(CountSockets(RESPONDER), 0U);
    }

    void At(Time when, void (MpaConnection::*what)(), std::size_t side)
    {
        Simulator::Schedule(when,
                            [this, what, side]() { (PeekPointer(connections[side])->*what)(); });
    }

    std::array<int, 2> received{};
};

class EagerCloseTest : public ConnectionLifeTest
{
  protected:
    void OnOperational(std::size_t side) override
    {
        if (side == INITIATOR)
        {
            while (TrySend(side, ByteVector(connections[side]->GetMulpdu(), 1)))
            {
                ++sent;
            }
            connections[side]->Close();
        }
    }

    void OnUlpdu(std::size_t side, ByteSpan /* ulpdu */) override
    {
        ++received[side];
    }

    /// Runs; what was sent before the close is there, and the responder is told of the close.
    void ExpectAllArrives()
    {
        Start();
        RunAll();
        EXPECT_GT(sent, 100);
        EXPECT_EQ(received[RESPONDER], sent);
        EXPECT_TRUE(closed[RESPONDER]);
        ExpectNoSocketLeft();
    }

    int sent{0};
};

class EagerCloseUnderLossTest : public EagerCloseTest
{
  protected:
    void SetUp() override
    {
        EagerCloseTest::SetUp();
        SetLossRate(0.05);
    }
};

/// The initiator closes as soon as it has the echo, so that its FIN carries the acknowledgment.
class CloseOnEchoTest : public ConnectionLifeTest
{
  protected:
    void OnUlpdu(std::size_t side, ByteSpan ulpdu) override
    {
        ConnectionLifeTest::OnUlpdu(side, ulpdu);
        if (side == INITIATOR)
        {
            Simulator::ScheduleNow([this] { connections[INITIATOR]->Close(); });
        }
    }

    void OnSegment(std::size_t side, const Segment& segment) override
    {
        sequences[side].push_back(segment.sequence);
    }

    std::array<std::vector<uint32_t>, 2> sequences;
};

class RejectingTest : public ConnectionLifeTest
{
  protected:
    void OnRequest(const MpaStartupParameters& /* peer */) override
    {
        connections[RESPONDER]->Reject(ByteVector{1, 2, 3});
        connections[RESPONDER]->Close();
    }
};

TEST_F(ConnectionLifeTest, InitiatorClosesInOrder)
{
    Start();
    At(MilliSeconds(10), &MpaConnection::Close, INITIATOR);
    RunAll();
    EXPECT_EQ(received, (std::array<int, 2>{1, 1}));
    EXPECT_TRUE(closed[RESPONDER]);
    EXPECT_FALSE(closed[INITIATOR]);
    EXPECT_EQ(connections[INITIATOR]->GetState(), State::CLOSED);
    EXPECT_EQ(connections[RESPONDER]->GetState(), State::CLOSED);
    EXPECT_LT(Simulator::Now(), Seconds(2)); // ARP's last timer
    ExpectNoSocketLeft();
}

TEST_F(CloseOnEchoTest, AcknowledgmentOnFinCounts)
{
    Start();
    RunAll();
    EXPECT_TRUE(closed[RESPONDER]);
    ASSERT_EQ(sequences[RESPONDER].size(), 2U) << "MPA Reply and echo, each sent once";
    EXPECT_LT(sequences[RESPONDER][0], sequences[RESPONDER][1]);
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, ResponderClosesInOrder)
{
    Start();
    At(MilliSeconds(10), &MpaConnection::Close, RESPONDER);
    RunAll();
    EXPECT_TRUE(closed[INITIATOR]);
    EXPECT_FALSE(errors[INITIATOR].has_value());
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, BothCloseAtOnce)
{
    Start();
    At(MilliSeconds(10), &MpaConnection::Close, INITIATOR);
    At(MilliSeconds(10), &MpaConnection::Close, RESPONDER);
    RunAll();
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, AbortResetsThePeer)
{
    Start();
    At(MilliSeconds(10), &MpaConnection::Abort, INITIATOR);
    RunAll();
    EXPECT_EQ(errors[RESPONDER], MpaError::LLP_LOST);
    EXPECT_FALSE(closed[RESPONDER]);
    EXPECT_FALSE(errors[INITIATOR].has_value());
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, ResponderAborts)
{
    Start();
    At(MilliSeconds(10), &MpaConnection::Abort, RESPONDER);
    RunAll();
    EXPECT_EQ(errors[INITIATOR], MpaError::LLP_LOST);
    ExpectNoSocketLeft();
}

TEST_F(EagerCloseTest, WhatWasCommittedIsStillSent)
{
    ExpectAllArrives();
}

TEST_F(EagerCloseUnderLossTest, WhatWasCommittedIsStillSent)
{
    ExpectAllArrives();
}

TEST_F(RejectingTest, RejectionReachesTheInitiator)
{
    Start();
    RunAll();
    EXPECT_EQ(rejection, (ByteVector{1, 2, 3}));
    EXPECT_FALSE(agreed[INITIATOR].has_value());
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, NobodyListens)
{
    Start();
    transports[RESPONDER]->StopListening(PORT);
    Simulator::Schedule(MilliSeconds(1), [this]() {
        EXPECT_EQ(errors[INITIATOR], MpaError::LLP_LOST) << "the SYN was answered by RST";
    });
    RunAll();
    EXPECT_EQ(errors[INITIATOR], MpaError::LLP_LOST);
    EXPECT_EQ(CountSockets(INITIATOR), 0U);
}

TEST_F(ConnectionLifeTest, NobodyAnswers)
{
    SetLossRate(1);
    Start();
    RunAll();
    EXPECT_EQ(errors[INITIATOR], MpaError::LLP_LOST);
    EXPECT_EQ(CountSockets(INITIATOR), 0U);
}

TEST_F(ConnectionLifeTest, NoRoute)
{
    auto stream = transports[INITIATOR]->Connect(InetSocketAddress("192.168.1.1", PORT));
    auto connection = CreateObject<MpaConnection>();
    std::optional<MpaError> error;
    connection->GetCallbacks().error =
        Callback<void, MpaError>([&error](MpaError e) { error = e; });
    connection->StartInitiator(stream, {});
    EXPECT_FALSE(error.has_value());
    RunAll();
    EXPECT_EQ(error, MpaError::LLP_LOST);
    EXPECT_EQ(CountSockets(INITIATOR), 0U);
}

TEST_F(ConnectionLifeTest, PeerVanishes)
{
    Start();
    Simulator::Schedule(MilliSeconds(10), [this]() {
        SetLossRate(1);
        ASSERT_TRUE(TrySend(INITIATOR, ByteVector(100, 1)));
    });
    RunAll();
    EXPECT_EQ(errors[INITIATOR], MpaError::LLP_LOST);
    EXPECT_FALSE(errors[RESPONDER].has_value());
    EXPECT_EQ(CountSockets(INITIATOR), 0U);
    EXPECT_EQ(CountSockets(RESPONDER), 2U);
}

TEST_F(ConnectionLifeTest, CloseToAPeerThatVanishedEnds)
{
    Start();
    Simulator::Schedule(MilliSeconds(10), [this]() {
        SetLossRate(1);
        connections[INITIATOR]->Close();
    });
    RunAll();
    EXPECT_EQ(CountSockets(INITIATOR), 0U);
    EXPECT_LE(Simulator::Now(), Seconds(6));
}

TEST_F(ConnectionLifeTest, CloseWhileConnecting)
{
    Start();
    connections[INITIATOR]->Close();
    RunAll();
    EXPECT_FALSE(agreed[INITIATOR].has_value());
    EXPECT_FALSE(errors[INITIATOR].has_value());
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, AbortWhileConnecting)
{
    Start();
    At(NanoSeconds(150), &MpaConnection::Abort, INITIATOR);
    RunAll();
    EXPECT_FALSE(errors[INITIATOR].has_value());
    ExpectNoSocketLeft();
}

TEST_F(ConnectionLifeTest, PortIsTakenOnce)
{
    const MpaTransport::AcceptCallback ignore =
        Callback<void, Ptr<ByteStream>>([](Ptr<ByteStream>) {});
    EXPECT_TRUE(transports[0]->Listen(PORT, ignore));
    EXPECT_FALSE(transports[0]->Listen(PORT, ignore));
    auto other = CreateObject<MpaTransport>();
    other->SetAttribute("Tcp", EnumValue(MpaTransport::NS3));
    other->SetNode(nodes[0]);
    EXPECT_FALSE(other->Listen(PORT, ignore));
    transports[0]->StopListening(PORT);
    EXPECT_TRUE(other->Listen(PORT, ignore));
    EXPECT_EQ(CountSockets(0), 1U);
}

TEST_F(ConnectionLifeTest, ManyConnectionsOneAfterTheOther)
{
    for (int i = 0; i < 50; ++i)
    {
        Start();
        At(MilliSeconds(1), &MpaConnection::Close, i % 2 == 0 ? INITIATOR : RESPONDER);
        RunAll();
        ASSERT_EQ(received, (std::array<int, 2>{i + 1, i + 1}));
        closed = {false, false};
        ExpectNoSocketLeft();
    }
}

} // namespace
} // namespace ns3::nfsrdma
