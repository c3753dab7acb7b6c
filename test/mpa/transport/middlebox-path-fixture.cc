/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/transport/middlebox-path-fixture.h"

#include "wire/byte-writer.h"

#include "ns3/queue-size.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

/// So that segments may be merged above the MTU of the hosts, as large receive offload does.
constexpr uint16_t BOX_MTU = 9000;
/// One in so many ULPDUs behind a gap is not taken.
constexpr uint32_t REFUSED_INTERVAL = 5;

} // namespace

void
MiddleboxPathTest::SetUp()
{
    TwoNodeTest::SetUp();
    for (std::size_t side = 0; side < 2; ++side)
    {
        m_random[side].seed(Seed() * 2 + side);
    }
}

void
MiddleboxPathTest::Wire()
{
    boxNode = CreateObject<Node>();
    box = CreateObject<ResegmentingMiddlebox>();
    boxNode->AggregateObject(box);
    for (std::size_t side = 0; side < 2; ++side)
    {
        const auto port = CreateObject<EthernetNetDevice>();
        port->SetDataRate(devices[side]->GetDataRate());
        port->SetMtu(BOX_MTU);
        port->SetQueueSize(QueueSize("2000p"));
        boxNode->AddDevice(port);
        const auto cable = CreateObject<EthernetChannel>();
        devices[side]->Attach(cable);
        port->Attach(cable);
        box->AddPort(port);
        impairments[side] = CreateObject<LinkImpairment>();
        box->SetImpairment(side, impairments[side]);
    }
    box->AssignStreams(static_cast<int64_t>(100 * Seed() + 1));
    ConfigureMiddlebox();
}

uint32_t
MiddleboxPathTest::Count() const
{
    return 250;
}

void
MiddleboxPathTest::ConfigureMiddlebox()
{
}

uint64_t
MiddleboxPathTest::Seed() const
{
    return 1;
}

ByteVector
MiddleboxPathTest::HeaderOf(uint32_t index) const
{
    ByteVector header(sizeof(index));
    ByteWriter(header).WriteU32(index);
    return header;
}

const ByteVector&
MiddleboxPathTest::Sent(std::size_t side, uint32_t index)
{
    auto& sent = m_sent[side];
    auto& random = m_random[side];
    while (sent.size() <= index)
    {
        const auto header = HeaderOf(static_cast<uint32_t>(sent.size()));
        const auto least = static_cast<uint32_t>(header.size());
        const uint32_t mulpdu = connections[side]->GetMulpdu();
        const std::array<uint32_t, 4> limits{least, 64, 512, mulpdu};
        const uint32_t limit = std::min(limits[random() % limits.size()], mulpdu);
        const bool whole = limit == mulpdu && random() % 2 == 0;
        ByteVector ulpdu(whole ? mulpdu : least + random() % (limit - least + 1));
        std::generate(ulpdu.begin(), ulpdu.end(), [&random]() {
            return static_cast<uint8_t>(random());
        });
        std::copy(header.begin(), header.end(), ulpdu.begin());
        sent.push_back(std::move(ulpdu));
    }
    return sent[index];
}

void
MiddleboxPathTest::OnOperational(std::size_t side)
{
    Fill(side);
}

void
MiddleboxPathTest::OnReady(std::size_t side)
{
    Fill(side);
}

void
MiddleboxPathTest::Fill(std::size_t side)
{
    while (m_sent[side].size() < Count() && connections[side]->CanSend())
    {
        const auto index = static_cast<uint32_t>(m_sent[side].size());
        ASSERT_TRUE(TrySend(side, Sent(side, index)));
    }
}

void
MiddleboxPathTest::OnDelivery(std::size_t side, ByteSpan ulpdu, bool placed)
{
    const auto& sent = m_sent[1 - side];
    ASSERT_LT(received[side], sent.size());
    const auto& expected = sent[received[side]];
    ASSERT_TRUE(std::equal(ulpdu.begin(), ulpdu.end(), expected.begin(), expected.end()))
        << "ULPDU " << received[side] << " at side " << side;
    ASSERT_EQ(placed, placedAhead[side].count(received[side]) > 0);
    ++received[side];
    OnUlpdu(side, ulpdu);
    if (received[0] == Count() && received[1] == Count())
    {
        Simulator::ScheduleNow(&MiddleboxPathTest::CloseWhenComplete, this);
    }
}

bool
MiddleboxPathTest::OnPlace(std::size_t side, ByteSpan ulpdu)
{
    const auto& sent = m_sent[1 - side];
    const auto found =
        std::find_if(sent.begin() + received[side], sent.end(), [&](const auto& one) {
            return std::equal(ulpdu.begin(), ulpdu.end(), one.begin(), one.end());
        });
    EXPECT_NE(found, sent.end()) << "placed what was never sent, at side " << side;
    if (found == sent.end())
    {
        return false;
    }
    const auto index = static_cast<uint32_t>(found - sent.begin());
    EXPECT_EQ(placedAhead[side].count(index), 0U) << "ULPDU " << index << " placed twice";
    if (index % REFUSED_INTERVAL == 0)
    {
        return false;
    }
    placedAhead[side].insert(index);
    return true;
}

void
MiddleboxPathTest::CloseWhenComplete()
{
    connections[INITIATOR]->Close();
}

void
MiddleboxPathTest::Exchange()
{
    Start();
    RunAll();
}

void
MiddleboxPathTest::ExpectComplete() const
{
    for (std::size_t side = 0; side < 2; ++side)
    {
        EXPECT_EQ(received[side], Count()) << "side " << side;
        EXPECT_FALSE(errors[side].has_value()) << "side " << side;
        ASSERT_TRUE(connections[side]);
        EXPECT_EQ(connections[side]->GetState(), MpaConnection::State::CLOSED) << "side " << side;
    }
    EXPECT_TRUE(closed[RESPONDER]);
}

} // namespace ns3::nfsrdma
