/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/resegmenting-middlebox.h"

#include "link/path-mtu.h"
#include "wire/ns3-version.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ResegmentingMiddlebox);

namespace
{

/// Half of what a sequence number can count before it looks like one from before.
constexpr uint32_t FAR_BEHIND_START = 1U << 30;

Ptr<Packet>
MakePacket(const ByteVector& octets)
{
    return Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
}

ByteVector
GetOctets(const Packet& packet)
{
    ByteVector octets(packet.GetSize());
    packet.CopyData(octets.data(), packet.GetSize());
    return octets;
}

} // namespace

TypeId
ResegmentingMiddlebox::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ResegmentingMiddlebox")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ResegmentingMiddlebox>()
            .AddAttribute(
                "Mode",
                "What is done to TCP segments. Default: nothing.",
                EnumValue(NONE),
                MakeEnumFieldAccessor(&ResegmentingMiddlebox::m_mode),
                MakeEnumChecker(NONE, "none", SPLIT, "split", MERGE, "merge", RECUT, "recut"))
            .AddAttribute("Latency",
                          "Time from the last octet in to the first octet out of an idle port (s). "
                          "Default: as EthernetSwitch.",
                          TimeValue(NanoSeconds(450)),
                          MakeTimeAccessor(&ResegmentingMiddlebox::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "SplitSize",
                "Mode Split: largest payload of a segment (octets); 0 draws each from "
                "CutSize. Default: the segment of a host that knows no better (RFC 9293).",
                UintegerValue(536),
                MakeUintegerAccessor(&ResegmentingMiddlebox::m_splitSize),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("MergeSize",
                          "Mode Merge: largest payload of a segment (octets); 0 takes what the MTU "
                          "lets through. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ResegmentingMiddlebox::m_mergeSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HoldTime",
                          "Modes Merge and Recut: longest time an octet waits for others (s). "
                          "Default: far below a retransmission timer.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&ResegmentingMiddlebox::m_holdTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CutSize",
                          "Modes Recut, and Split with SplitSize 0: payload of each segment "
                          "(octets), brought between 1 and what the MTU lets through. Default: "
                          "anything a segment of 1500 octets can hold.",
                          StringValue("ns3::UniformRandomVariable[Min=1|Max=1460]"),
                          MakePointerAccessor(&ResegmentingMiddlebox::m_cutSize),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("SpareFirstOctets",
                          "Segments that begin within the first so many octets of a direction of a "
                          "connection are left as they are (octets). Default: none are.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ResegmentingMiddlebox::m_spareFirstOctets),
                          MakeUintegerChecker<uint32_t>(0, FAR_BEHIND_START))
            .AddAttribute("Mtu",
                          "Largest IP packet let through (octets), at least 68; 0 is no limit. "
                          "May be changed at any time. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ResegmentingMiddlebox::m_mtu),
                          MakeUintegerChecker<uint32_t>(0, 65535))
            .AddAttribute("BlackHole",
                          "Whether packets above Mtu with DF set vanish without an ICMP message. "
                          "Default: RFC 1191.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ResegmentingMiddlebox::m_blackHole),
                          MakeBooleanChecker());
    return tid;
}

void
ResegmentingMiddlebox::AddPort(Ptr<EthernetNetDevice> device)
{
    NS_ABORT_MSG_IF(m_ports == PORTS, "a middlebox has two ports");
    device->SetFrameCallback(MakeCallback(&ResegmentingMiddlebox::Receive, this, m_ports));
    m_directions[m_ports++].port = device;
}

int64_t
ResegmentingMiddlebox::AssignStreams(int64_t stream)
{
    m_cutSize->SetStream(stream);
    int64_t used = 1;
    for (const auto& direction : m_directions)
    {
        if (direction.impairment)
        {
            used += direction.impairment->AssignStreams(stream + used);
        }
    }
    return used;
}

void
ResegmentingMiddlebox::DoDispose()
{
    for (auto& direction : m_directions)
    {
        for (auto& [flow, stream] : direction.streams)
        {
            stream.flush.Cancel();
        }
        if (direction.port)
        {
            direction.port->SetFrameCallback(EthernetNetDevice::FrameCallback());
        }
        direction = Direction();
    }
    Object::DoDispose();
}

void
ResegmentingMiddlebox::Receive(std::size_t from, Ptr<Packet> frame)
{
    ++m_counters.frames;
    if (m_mtu != 0 && frame->GetSize() > TcpSegment::ETHERNET_SIZE + m_mtu && Narrow(from, frame))
    {
        return;
    }
    if (m_mode == NONE && !m_directions[from].impairment)
    {
        SendLater(1 - from, frame, Time(0));
        return;
    }
    const auto segment = TcpSegment::Decode(GetOctets(*frame));
    if (!segment)
    {
        SendLater(1 - from, frame, Time(0));
        return;
    }
    if (m_mode == NONE)
    {
        Emit(from, *segment, frame);
        return;
    }
    auto& stream = FindStream(from, *segment);
    if (!segment->IsPlainData() || IsSpared(stream, *segment))
    {
        Flush(from, stream);
        Emit(from, *segment, frame);
        return;
    }
    ++m_counters.segmentsIn;
    switch (m_mode)
    {
    case SPLIT:
        Flush(from, stream); // Of another mode, before Mode was changed.
        Split(from, *segment);
        break;
    case MERGE:
        Merge(from, stream, *segment);
        break;
    case RECUT:
        Recut(from, stream, *segment);
        break;
    case NONE:
        break;
    }
}

bool
ResegmentingMiddlebox::Narrow(std::size_t from, const Ptr<Packet>& frame)
{
    const auto octets = GetOctets(*frame);
    const uint32_t mtu = std::max(m_mtu, PathMtu::MIN_MTU);
    const auto verdict = PathMtu::Judge(octets, mtu);
    if (verdict == PathMtu::Verdict::FITS)
    {
        return false;
    }
    ++m_counters.tooLarge;
    if (verdict == PathMtu::Verdict::FRAGMENT)
    {
        ++m_counters.fragmented;
        for (const auto& fragment : PathMtu::Fragment(octets, mtu, Node::ChecksumEnabled()))
        {
            SendLater(1 - from, MakePacket(fragment), Time(0));
        }
    }
    else if (verdict == PathMtu::Verdict::REFUSE && !m_blackHole)
    {
        ++m_counters.refused;
        SendLater(
            from,
            MakePacket(
                PathMtu::TellTooLarge(octets, static_cast<uint16_t>(mtu), Node::ChecksumEnabled())),
            Time(0));
    }
    return true;
}

ResegmentingMiddlebox::Stream&
ResegmentingMiddlebox::FindStream(std::size_t from, const TcpSegment& segment)
{
    auto [entry, isNew] = m_directions[from].streams.try_emplace(segment.GetFlow());
    auto& stream = entry->second;
    const bool syn = (segment.flags & TcpSegment::SYN) != 0;
    if (isNew || syn)
    {
        Flush(from, stream);
        stream.firstSequence = segment.sequence + (syn ? 1 : 0);
        stream.started = false;
    }
    return stream;
}

bool
ResegmentingMiddlebox::IsSpared(Stream& stream, const TcpSegment& segment) const
{
    const uint32_t offset = segment.sequence - stream.firstSequence;
    stream.started =
        stream.started || (offset >= FAR_BEHIND_START && offset < 2 * FAR_BEHIND_START);
    return !stream.started && offset < m_spareFirstOctets;
}

void
ResegmentingMiddlebox::Split(std::size_t from, const TcpSegment& segment)
{
    const uint32_t room = GetRoom(from, segment);
    const auto next = [this, room]() {
        return std::min(m_splitSize > 0 ? m_splitSize : m_cutSize->GetInteger(), room);
    };
    for (auto& piece : SegmentRun::Split(segment, next))
    {
        ++m_counters.segmentsOut;
        Emit(from, std::move(piece));
    }
}

void
ResegmentingMiddlebox::Merge(std::size_t from, Stream& stream, const TcpSegment& segment)
{
    const uint32_t room = GetRoom(from, segment);
    const uint32_t limit = m_mergeSize > 0 ? std::min(m_mergeSize, room) : room;
    const auto size = static_cast<uint32_t>(segment.payload.size());
    if (!stream.run.Accepts(segment) || stream.run.GetSize() + size > limit)
    {
        Flush(from, stream);
    }
    stream.run.Append(segment);
    if (stream.run.GetSize() >= limit)
    {
        Flush(from, stream);
    }
    else
    {
        Hold(from, stream, segment);
    }
}

void
ResegmentingMiddlebox::Recut(std::size_t from, Stream& stream, const TcpSegment& segment)
{
    if (!stream.run.Accepts(segment))
    {
        Flush(from, stream);
    }
    stream.run.Append(segment);
    while (stream.run.GetSize() > 0)
    {
        if (stream.nextCut == 0)
        {
            stream.nextCut = std::clamp(m_cutSize->GetInteger(), 1U, GetRoom(from, segment));
        }
        if (stream.run.GetSize() < stream.nextCut)
        {
            Hold(from, stream, segment);
            return;
        }
        ++m_counters.segmentsOut;
        Emit(from, stream.run.Take(stream.nextCut));
        stream.nextCut = 0;
        stream.flush.Cancel();
    }
}

uint32_t
ResegmentingMiddlebox::GetRoom(std::size_t from, const TcpSegment& segment) const
{
    uint32_t mtu = m_directions[1 - from].port->GetMtu();
    if (m_mtu != 0)
    {
        mtu = std::min(mtu, std::max(m_mtu, PathMtu::MIN_MTU));
    }
    const uint32_t headers = segment.HeaderSize();
    return mtu > headers ? mtu - headers : 1;
}

void
ResegmentingMiddlebox::Hold(std::size_t from, Stream& stream, const TcpSegment& segment)
{
    if (!IsPending(stream.flush))
    {
        stream.flush = Simulator::Schedule(m_holdTime,
                                           &ResegmentingMiddlebox::HoldExpired,
                                           this,
                                           from,
                                           segment.GetFlow());
    }
}

void
ResegmentingMiddlebox::HoldExpired(std::size_t from, TcpSegment::Flow flow)
{
    ++m_counters.holdExpired;
    Flush(from, m_directions[from].streams.at(flow));
}

void
ResegmentingMiddlebox::Flush(std::size_t from, Stream& stream)
{
    stream.flush.Cancel();
    stream.nextCut = 0;
    if (stream.run.GetSize() > 0)
    {
        ++m_counters.segmentsOut;
        Emit(from, stream.run.Take(stream.run.GetSize()));
    }
}

void
ResegmentingMiddlebox::Emit(std::size_t from, TcpSegment segment, Ptr<Packet> frame)
{
    LinkImpairment::Fate fate;
    if (m_directions[from].impairment)
    {
        fate = m_directions[from].impairment->Decide(segment);
    }
    if (fate.drop)
    {
        return;
    }
    if (fate.flipBit)
    {
        LinkImpairment::FlipBit(segment, *fate.flipBit);
    }
    if (!frame || fate.flipBit)
    {
        frame = MakePacket(segment.Encode(Node::ChecksumEnabled()));
    }
    SendLater(1 - from, frame, fate.delay);
    if (fate.duplicate)
    {
        SendLater(1 - from, frame->Copy(), fate.delay);
    }
}

void
ResegmentingMiddlebox::SendLater(std::size_t to, Ptr<Packet> frame, Time delay)
{
    Simulator::Schedule(m_latency + delay, &ResegmentingMiddlebox::Send, this, to, frame);
}

void
ResegmentingMiddlebox::Send(std::size_t to, Ptr<Packet> frame)
{
    if (m_directions[to].port && !m_directions[to].port->SendFrame(frame))
    {
        ++m_counters.unsent;
    }
}

} // namespace ns3::nfsrdma
