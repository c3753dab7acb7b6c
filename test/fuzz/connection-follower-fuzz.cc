/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/connection-follower.h"
#include "fault/segment-change.h"
#include "fuzz/fuzz-target.h"
#include "wire/byte-reader.h"

namespace ns3::nfsrdma
{

/// The input is a list of segments: side and flags, sequence number, size, octets. Whatever they
/// are, events are about FPDUs that are there, and what is changed stays in the segment.
void
FuzzOne(ByteSpan input)
{
    ByteReader steps(input);
    ConnectionFollower follower(true);
    FaultWhat what;
    while (steps.Ok() && steps.Remaining() != 0)
    {
        const auto head = steps.ReadU8();
        TcpSegment segment;
        segment.flags = head & (TcpSegment::SYN | TcpSegment::FIN | TcpSegment::RST);
        segment.sequence = steps.ReadU16();
        const std::size_t size = std::min<std::size_t>(steps.ReadU16() % 2048, steps.Remaining());
        const auto octets = steps.ReadBytes(size);
        segment.payload.assign(octets.begin(), octets.end());
        const auto frame = follower.Take(head >> 7U, segment);
        FuzzExpect(!frame.events.empty());
        what.beforeCrc = (head & 0x40U) != 0;
        what.count = 1 + (head >> 3U & 7U);
        for (const auto& event : frame.events)
        {
            FuzzExpect(!event.fpdu || *event.fpdu < frame.fpdus.size());
            const auto* const fpdu = event.fpdu ? &frame.fpdus[*event.fpdu] : nullptr;
            auto changed = segment;
            const auto bits =
                CorruptSegment(changed, what, fpdu, [](uint64_t bound) { return bound / 2; });
            FuzzExpect(bits <= what.count && changed.payload.size() == segment.payload.size());
            FuzzExpect(bits > 0 || changed.payload == segment.payload);
        }
    }
}

} // namespace ns3::nfsrdma
