/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/marker.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t POINTER_OFFSET = 2;
constexpr uint16_t POINTER_MASK = 0xfffc;

} // namespace

void
Marker::Encode(MutableByteSpan out) const
{
    boost::endian::store_big_u16(out.data(), 0);
    boost::endian::store_big_u16(out.data() + POINTER_OFFSET, fpduPointer);
}

Marker
Marker::Decode(ByteSpan octets)
{
    const uint16_t pointer = boost::endian::load_big_u16(octets.data() + POINTER_OFFSET);
    return {static_cast<uint16_t>(pointer & POINTER_MASK)};
}

std::optional<uint64_t>
Marker::FindFpdu(uint64_t position) const
{
    if (fpduPointer == 0)
    {
        return position;
    }
    if (fpduPointer > position)
    {
        return std::nullopt;
    }
    const uint64_t length = position - fpduPointer;
    if (length >= SIZE && IsAt(length - SIZE))
    {
        return length - SIZE;
    }
    return IsAt(length) ? std::nullopt : std::optional<uint64_t>(length);
}

} // namespace ns3::nfsrdma
