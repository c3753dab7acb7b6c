/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/segment-header.h"
#include "fuzz/fuzz-target.h"

namespace ns3::nfsrdma
{

void
FuzzOne(ByteSpan input)
{
    ByteReader reader(input);
    const auto header = DecodeDdpHeader(reader);
    if (!header)
    {
        return;
    }
    ByteVector octets(reader.Position());
    ByteWriter writer(octets);
    std::visit([&writer](const auto& alternative) { alternative.Encode(writer); }, *header);
    FuzzExpect(writer.Ok() && writer.Remaining() == 0);
    FuzzExpect(SameOctets(ByteSpan(octets).subspan(1), input.subspan(1, octets.size() - 1)));
    FuzzExpect(octets[0] == (input[0] & 0xc3));
}

} // namespace ns3::nfsrdma
