/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "mpa/fpdu.h"

namespace ns3::nfsrdma
{

void
FuzzOne(ByteSpan input)
{
    const auto size = Fpdu::PeekWireSize(input);
    FuzzExpect(size.has_value() == (input.size() >= Fpdu::LENGTH_SIZE));
    for (const bool crc : {false, true})
    {
        if (const auto ulpdu = Fpdu::Decode(input, crc))
        {
            FuzzExpect(*size == input.size());
            const ByteVector octets = Fpdu::Encode(*ulpdu, crc);
            const auto again = Fpdu::Decode(octets, crc);
            FuzzExpect(again && SameOctets(*again, *ulpdu));
        }
    }
    if (!input.empty() && input.size() <= UINT16_MAX)
    {
        const ByteVector octets = Fpdu::Encode(input, true);
        const auto ulpdu = Fpdu::Decode(octets, true);
        FuzzExpect(ulpdu && SameOctets(*ulpdu, input));
    }
}

} // namespace ns3::nfsrdma
