/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/stream-pair-fixture.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-header.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

/// Asks the case what becomes of each TCP segment.
class StreamPairTest::FrameFilter : public ErrorModel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::nfsrdma::StreamPairTest::FrameFilter").SetParent<ErrorModel>();
        return tid;
    }

    StreamPairTest* test{nullptr};
    std::size_t receiver{0};

  private:
    bool DoCorrupt(Ptr<Packet> frame) override
    {
        auto rest = frame->Copy();
        EthernetHeader ethernet(false);
        rest->RemoveHeader(ethernet);
        if (m_late || ethernet.GetLengthType() != 0x0800)
        {
            return false;
        }
        Ipv4Header ip;
        TcpHeader tcp;
        rest->RemoveHeader(ip);
        rest->RemoveHeader(tcp);
        const auto fate = test->Fate(receiver, ip, tcp, rest->GetSize());
        if (fate && fate->IsStrictlyPositive())
        {
            Simulator::Schedule(*fate, &FrameFilter::Deliver, this, frame->Copy());
        }
        return !fate || fate->IsStrictlyPositive();
    }

    void DoReset() override
    {
    }

    void Deliver(Ptr<Packet> frame)
    {
        m_late = true;
        test->devices[receiver]->Receive(frame);
        m_late = false;
    }

    bool m_late{false};
};

void
StreamPairTest::SetUp()
{
    TwoNodeTest::SetUp();
    for (std::size_t side = 0; side < 2; ++side)
    {
        auto filter = CreateObject<FrameFilter>();
        filter->test = this;
        filter->receiver = side;
        devices[side]->SetReceiveErrorModel(filter);
    }
}

void
StreamPairTest::TearDown()
{
    streams = {};
    TwoNodeTest::TearDown();
    Config::SetDefault("ns3::nfsrdma::StreamTcpSocket::InitialSequence", UintegerValue(0));
}

std::optional<Time>
StreamPairTest::Fate(std::size_t /* receiver */,
                     const Ipv4Header& /* ip */,
                     const TcpHeader& /* tcp */,
                     uint32_t /* payload */)
{
    return Time(0);
}

bool
StreamPairTest::OnShown(std::size_t /* side */, uint64_t /* offset */, uint32_t /* size */)
{
    return true;
}

void
StreamPairTest::OnEstablished()
{
}

void
StreamPairTest::OnEmss(std::size_t /* side */)
{
}

void
StreamPairTest::OnRoom(std::size_t /* side */)
{
}

void
StreamPairTest::SetTransport(std::size_t side, MpaTransport::Kind kind, bool packing, bool nagle)
{
    transports[side]->SetAttribute("Transport", EnumValue(kind));
    transports[side]->SetAttribute("Packing", BooleanValue(packing));
    transports[side]->SetAttribute("Nagle", BooleanValue(nagle));
}

void
StreamPairTest::Open()
{
    Config::SetDefault("ns3::nfsrdma::StreamTcpSocket::InitialSequence",
                       UintegerValue(initialSequence));
    ASSERT_TRUE(
        transports[1]->Listen(PORT, MakeCallback(&StreamPairTest::HandleAcceptedStream, this)));
    auto stream = transports[0]->Connect(InetSocketAddress("10.0.0.2", PORT));
    stream->GetCallbacks().established = MakeCallback(&StreamPairTest::HandleOpened, this);
    Use(0, stream);
    RunAll();
}

void
StreamPairTest::HandleAcceptedStream(Ptr<ByteStream> stream)
{
    Use(1, stream);
    Simulator::ScheduleNow(&StreamPairTest::OnRoom, this, std::size_t{1});
}

void
StreamPairTest::HandleOpened()
{
    OnEstablished();
    OnRoom(0);
}

void
StreamPairTest::Use(std::size_t side, Ptr<ByteStream> stream)
{
    stream->GetCallbacks().receive = MakeCallback(&StreamPairTest::HandleOctets, this, side);
    stream->GetCallbacks().space = MakeCallback(&StreamPairTest::HandleRoom, this, side);
    stream->GetCallbacks().emss = MakeCallback(&StreamPairTest::HandleEmssChange, this, side);
    stream->GetCallbacks().ended = MakeCallback(&StreamPairTest::HandleEnd, this, side);
    streams[side] = DynamicCast<TcpByteStream>(stream);
    if (transports[side]->GetKind() == MpaTransport::AWARE)
    {
        ShowSegments(side);
    }
}

void
StreamPairTest::ShowSegments(std::size_t side)
{
    streams[side]->SetSegmentCallback(MakeCallback(&StreamPairTest::HandleShown, this, side));
}

void
StreamPairTest::HandleRoom(std::size_t side)
{
    OnRoom(side);
}

void
StreamPairTest::HandleEmssChange(std::size_t side)
{
    OnEmss(side);
}

void
StreamPairTest::HandleEnd(std::size_t side, StreamEnd end)
{
    ends[side] = end;
}

uint8_t
StreamPairTest::OctetAt(uint64_t offset)
{
    return static_cast<uint8_t>((offset * 0x9e3779b97f4a7c15U) >> 56);
}

void
StreamPairTest::Check(uint64_t offset, Ptr<const Packet> octets)
{
    ByteVector copy(octets->GetSize());
    octets->CopyData(copy.data(), octets->GetSize());
    ByteVector expected(copy.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        expected[i] = OctetAt(offset + i);
    }
    ASSERT_TRUE(copy == expected) << copy.size() << " octets from " << offset;
}

bool
StreamPairTest::SendUnit(std::size_t side, uint32_t size)
{
    ByteVector octets(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        octets[i] = OctetAt(sent[side] + i);
    }
    if (!streams[side]->SendUnit(Create<Packet>(octets.data(), size)))
    {
        return false;
    }
    sent[side] += size;
    boundaries[side].insert(sent[side]);
    return true;
}

Ptr<StreamTcpSocket>
StreamPairTest::Socket(std::size_t side) const
{
    return streams[side]->GetSocket();
}

void
StreamPairTest::HandleOctets(std::size_t side)
{
    while (auto octets = streams[side]->Receive())
    {
        Check(received[side], octets);
        received[side] += octets->GetSize();
        EXPECT_EQ(streams[side]->GetReceivedOctets(), received[side]);
    }
}

bool
StreamPairTest::HandleShown(std::size_t side, uint64_t offset, Ptr<const Packet> octets)
{
    Check(offset, octets);
    EXPECT_GT(octets->GetSize(), 0U);
    EXPECT_GE(offset + octets->GetSize(), received[side]);
    ++shown[side];
    return OnShown(side, offset, octets->GetSize());
}

void
StreamPairTest::OnSegment(std::size_t side, const Segment& segment)
{
    const SequenceNumber32 end(segment.sequence + segment.length);
    const SequenceNumber32 known(initialSequence + 1 + static_cast<uint32_t>(m_sentEnd[side]));
    const auto endOffset =
        static_cast<uint64_t>(static_cast<int64_t>(m_sentEnd[side]) + (end - known));
    const uint64_t begin = endOffset - segment.length;
    cuts[side].push_back({begin, endOffset, begin < m_sentEnd[side], Simulator::Now()});
    m_sentEnd[side] = std::max(m_sentEnd[side], endOffset);
}

bool
StreamPairTest::IsUnitBoundary(std::size_t side, uint64_t offset) const
{
    return boundaries[side].count(offset) > 0;
}

void
StreamPairTest::ExpectAllReceived() const
{
    EXPECT_EQ(received[1], sent[0]);
    EXPECT_EQ(received[0], sent[1]);
}

void
StreamPairTest::ExpectRepeatedAsFirst(std::size_t side) const
{
    std::set<std::pair<uint64_t, uint64_t>> first;
    for (const Cut& cut : cuts[side])
    {
        if (cut.repeated)
        {
            ASSERT_EQ(first.count({cut.begin, cut.end}), 1U) << cut.begin << " to " << cut.end;
        }
        first.insert({cut.begin, cut.end});
    }
}

} // namespace ns3::nfsrdma
