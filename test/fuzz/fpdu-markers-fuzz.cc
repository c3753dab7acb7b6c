/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "mpa/fpdu-framing.h"
#include "wire/byte-reader.h"

namespace ns3::nfsrdma
{

namespace
{

void
CheckRoundTrip(ByteSpan ulpdu, uint64_t position, bool crc)
{
    ByteVector octets = MarkedFpdu::Encode(ulpdu, position, crc);
    FuzzExpect(MarkedFpdu::PeekWireSize(octets, position) == octets.size());
    FuzzExpect(MarkedFpdu::Check(octets, position, crc).has_value());
    for (uint64_t at = Marker::NextPosition(position); at < position + octets.size();
         at += Marker::INTERVAL)
    {
        const ByteSpan marker = ByteSpan(octets).subspan(at - position, Marker::SIZE);
        FuzzExpect(Marker::Decode(marker).FindFpdu(at) == position);
    }
    const auto opened = FpduFraming{crc, true}.Open(octets, position);
    FuzzExpect(opened && SameOctets(*opened, ulpdu));
}

} // namespace

/// Input: four octets that choose a position, then octets taken as an FPDU and as a ULPDU.
void
FuzzOne(ByteSpan input)
{
    ByteReader reader(input);
    const uint64_t chosen = uint64_t{reader.ReadU32()} * 4;
    const bool behindMarker = chosen % Marker::INTERVAL == Marker::SIZE;
    const uint64_t position = behindMarker ? chosen - Marker::SIZE : chosen;
    const ByteSpan octets = reader.ReadBytes(reader.Remaining());
    const auto size = MarkedFpdu::PeekWireSize(octets, position);
    for (const bool crc : {false, true})
    {
        const auto checked = MarkedFpdu::Check(octets, position, crc);
        ByteVector copy(octets.begin(), octets.end());
        const auto ulpdu = FpduFraming{crc, true}.Open(copy, position);
        FuzzExpect(checked.has_value() == ulpdu.has_value());
        if (ulpdu)
        {
            FuzzExpect(*size == octets.size());
            if (!ulpdu->empty())
            {
                CheckRoundTrip(*ulpdu, position, crc);
            }
        }
    }
    if (!octets.empty() && octets.size() <= Fpdu::MAX_MULPDU)
    {
        CheckRoundTrip(octets, position, true);
        CheckRoundTrip(octets, position, false);
    }
}

} // namespace ns3::nfsrdma
