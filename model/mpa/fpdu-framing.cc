/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-framing.h"

namespace ns3::nfsrdma
{

namespace
{

MpaError
ToMpaError(WireError error)
{
    return error == WireError::BAD_VALUE ? MpaError::MARKER_MISMATCH : MpaError::CRC_MISMATCH;
}

} // namespace

tl::expected<void, MpaError>
FpduFraming::Check(ByteSpan octets, uint64_t position) const
{
    const Decoded<void> checked = markers ? MarkedFpdu::Check(octets, position, crc)
                                          : Fpdu::Decode(octets, crc).map([](ByteSpan) {});
    return checked.map_error(ToMpaError);
}

tl::expected<ByteSpan, MpaError>
FpduFraming::Open(MutableByteSpan octets, uint64_t position) const
{
    if (!markers)
    {
        return Fpdu::Decode(octets, crc).map_error(ToMpaError);
    }
    if (const auto checked = MarkedFpdu::Check(octets, position, crc); !checked)
    {
        return tl::make_unexpected(ToMpaError(checked.error()));
    }
    return MarkedFpdu::Strip(octets, position);
}

uint32_t
FpduFraming::UlpduFitting(uint32_t room) const
{
    const uint32_t overhead = markers ? Fpdu::OverheadWithMarkers(room) : Fpdu::Overhead(room);
    return room > overhead ? room - overhead : 0;
}

} // namespace ns3::nfsrdma
