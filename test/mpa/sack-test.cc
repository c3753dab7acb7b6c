/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/aligned-tcp-socket.h"
#include "mpa/two-node-fixture.h"

#include "ns3/error-model.h"

#include <list>

namespace ns3::nfsrdma
{
namespace
{

/// A message of 46 units from node 0 to node 1, of whose frames some are lost.
class SackTest : public TwoNodeTest
{
  protected:
    static constexpr uint32_t UNIT = 1400;
    static constexpr uint32_t UNITS = 46;

    void Connect()
    {
        m_listener = MpaTcpSocket::Create(nodes[1]);
        ASSERT_EQ(m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT)), 0);
        ASSERT_EQ(m_listener->Listen(), 0);
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&SackTest::OnAccept, this));
        m_sender = MpaTcpSocket::Create(nodes[0]);
        ASSERT_EQ(m_sender->Bind(), 0);
        ASSERT_EQ(m_sender->Connect(InetSocketAddress("10.0.0.2", PORT)), 0);
        RunAll();
    }

    void OnAccept(Ptr<Socket> socket, const Address& /* peer */)
    {
        socket->SetRecvCallback(MakeCallback(&SackTest::OnReceive, this));
    }

    void OnReceive(Ptr<Socket> socket)
    {
        while (const auto octets = socket->Recv(100000, 0))
        {
            m_received += octets->GetSize();
        }
    }

    void OnSegment(std::size_t side, const Segment& /* segment */) override
    {
        m_segments += side == 0 ? 1 : 0;
    }

    /// Sends the message, all but the frames of these numbers, counted from 0 with repetitions.
    /// \return how many segments were sent more often than once
    uint32_t CountRepeated(const std::list<uint32_t>& lost)
    {
        Connect();
        const auto model = CreateObject<ReceiveListErrorModel>();
        model->SetList(lost);
        devices[1]->SetReceiveErrorModel(model);
        const ByteVector unit(UNIT, 1);
        for (uint32_t i = 0; i < UNITS; ++i)
        {
            EXPECT_TRUE(m_sender->SendUnit(Create<Packet>(unit.data(), UNIT)));
        }
        RunAll();
        EXPECT_EQ(m_received, UNIT * UNITS);
        return m_segments - UNITS;
    }

    Ptr<MpaTcpSocket> m_listener;
    Ptr<MpaTcpSocket> m_sender;
    uint32_t m_segments{0};
    uint32_t m_received{0};
};

TEST_F(SackTest, NothingIsRepeatedWithoutLoss)
{
    EXPECT_EQ(CountRepeated({}), 0U);
}

TEST_F(SackTest, WhatIsInFlightIsNotRepeatedWithWhatIsMissing)
{
    EXPECT_EQ(CountRepeated({36}), 1U);
}

TEST_F(SackTest, PartlyAcknowledgedSegmentsAreNotRepeated)
{
    EXPECT_EQ(CountRepeated({10, 13, 16}), 3U);
}

TEST_F(SackTest, ManyLossesAreRepeatedOnce)
{
    EXPECT_EQ(CountRepeated({8, 9, 20, 28, 31}), 5U);
}

TEST_F(SackTest, TheTimerRepeatsTheEnd)
{
    EXPECT_EQ(CountRepeated({UNITS - 1}), 1U);
}

} // namespace
} // namespace ns3::nfsrdma
