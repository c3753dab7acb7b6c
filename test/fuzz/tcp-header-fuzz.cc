/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "toe/pseudo-header.h"
#include "toe/wire-header.h"

namespace ns3::nfsrdma
{

/// Input: a TCP segment, as IP carries it.
void
FuzzOne(ByteSpan input)
{
    const auto received = ReceivedTcpSegment::Decode(input);
    if (!received)
    {
        return;
    }
    FuzzExpect(received->headerSize + received->payload.size() == input.size());
    if (received->header.options.GetSize() > TcpOptions::MOST_OCTETS)
    {
        return; // Packed more closely than they are written.
    }
    ByteVector octets(received->header.GetSize() + received->payload.size());
    FuzzExpect(received->header.Encode(octets));
    std::copy(received->payload.begin(),
              received->payload.end(),
              octets.begin() + received->header.GetSize());
    const auto pseudo = TcpPseudoHeader::OfIpv4(1, 2);
    pseudo.Seal(octets);
    FuzzExpect(pseudo.Checksum(octets) == 0);
    const auto again = ReceivedTcpSegment::Decode(octets);
    FuzzExpect(again && SameOctets(again->payload, received->payload));
    ByteVector repeated(octets.size());
    FuzzExpect(again->header.Encode(repeated));
    FuzzExpect(SameOctets(ByteSpan(repeated).subspan(0, 16), ByteSpan(octets).subspan(0, 16)));
}

} // namespace ns3::nfsrdma
