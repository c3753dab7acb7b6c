/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "helper/capture/tcp-conversation.h"

namespace ns3::nfsrdma
{

/// Input: a capture file, of any kind.
void
FuzzOne(ByteSpan input)
{
    auto reader = PcapReader::Create(input);
    if (!reader)
    {
        FuzzExpect(!reader.error().ToString().empty());
        return;
    }
    uint64_t frames = 0;
    uint64_t payload = 0;
    auto frame = reader->Next();
    for (; frame && *frame; frame = reader->Next())
    {
        FuzzExpect((*frame)->number == ++frames);
        if (const auto segment = DecodeTcpSegment((*frame)->linkType, **frame))
        {
            FuzzExpect(segment->payload.size() <= (*frame)->octets.size());
            payload += segment->payload.size();
        }
    }
    const auto capture = TcpCapture::Read(input);
    if (!capture)
    {
        FuzzExpect(!capture.error().ToString().empty());
        FuzzExpect(!frame || capture.error().kind == PcapError::Kind::LINK_TYPE);
        return;
    }
    FuzzExpect(frame.has_value());
    FuzzExpect(capture->frames == frames);
    uint64_t found = 0;
    bool hasForeign = false;
    for (const TcpConversation& conversation : capture->conversations)
    {
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            const auto& direction = conversation.GetDirection(side);
            FuzzExpect(direction.order.GetOffset() == direction.octets.size());
            found += direction.octets.size() + direction.order.GetWaitingOctets() +
                     direction.order.GetRepeatedOctets();
        }
        hasForeign = hasForeign || conversation.IsForeign();
    }
    FuzzExpect(found == payload || (hasForeign && found < payload));
}

} // namespace ns3::nfsrdma
