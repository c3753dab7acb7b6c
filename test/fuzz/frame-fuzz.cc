/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "link/frame-head.h"
#include "link/ipv4-frame-head.h"
#include "link/ipv6-frame-head.h"
#include "link/tcp-segment.h"

#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

/// What a switch reads of a frame, and changes.
void
CheckHead(ByteSpan frame)
{
    ByteVector head(frame.begin(),
                    frame.begin() + std::min<std::size_t>(frame.size(), FrameHead::SIZE));
    std::ignore = FrameHead::GetDestination(head);
    std::ignore = FrameHead::GetSource(head);
    std::ignore = FrameHead::GetArpTarget(head);
    const auto flow = FrameHead::HashFlow(head, 1);
    const auto ecn = FrameHead::GetEcn(head);
    FuzzExpect(FrameHead::MarkCongestion(head) == ecn.has_value());
    FuzzExpect(!ecn || FrameHead::GetEcn(head) == EcnCodepoint::CE);
    FuzzExpect(FrameHead::HashFlow(head, 1) == flow);
}

/// What an adapter reads before TCP.
void
CheckIpv4Head(ByteSpan frame)
{
    const auto head = Ipv4FrameHead::Decode(frame);
    if (!head)
    {
        return;
    }
    ByteVector encoded(Ipv4FrameHead::SIZE);
    head->Encode(encoded);
    constexpr std::size_t CHECKSUM = 24;
    FuzzExpect(SameOctets(ByteSpan(encoded).subspan(0, CHECKSUM), frame.subspan(0, CHECKSUM)));
    FuzzExpect(SameOctets(ByteSpan(encoded).subspan(CHECKSUM + 2),
                          frame.subspan(CHECKSUM + 2, encoded.size() - CHECKSUM - 2)));
}

void
CheckIpv6Head(ByteSpan frame)
{
    const auto head = Ipv6FrameHead::Decode(frame);
    if (!head)
    {
        return;
    }
    ByteVector encoded(Ipv6FrameHead::SIZE);
    head->Encode(encoded);
    FuzzExpect(SameOctets(encoded, frame.subspan(0, encoded.size())));
}

/// What a middlebox or a fault takes apart and puts together again.
void
CheckSegment(ByteSpan frame)
{
    const auto segment = TcpSegment::Decode(frame);
    if (!segment)
    {
        return;
    }
    FuzzExpect(segment->payload.size() + segment->HeaderSize() + TcpSegment::ETHERNET_SIZE <=
               frame.size());
    const auto encoded = segment->Encode(true);
    const auto again = TcpSegment::Decode(encoded);
    FuzzExpect(again && SameOctets(again->Encode(true), encoded));
    FuzzExpect(again->GetFlow() == segment->GetFlow());
    FuzzExpect(again->EndSequence() == segment->EndSequence());
    FuzzExpect(SameOctets(again->payload, segment->payload));
}

} // namespace

/// Input: an Ethernet frame.
void
FuzzOne(ByteSpan input)
{
    CheckHead(input);
    CheckIpv4Head(input);
    CheckIpv6Head(input);
    CheckSegment(input);
}

} // namespace ns3::nfsrdma
