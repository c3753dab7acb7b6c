/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/marked-fpdu.h"

#include "wire/crc32c.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cstring>

namespace ns3::nfsrdma
{

void
MarkedFpdu::Seal(MutableByteSpan fpdu,
                 uint32_t ulpduLength,
                 uint64_t position,
                 bool crc,
                 MutableByteSpan out)
{
    Fpdu::Seal(fpdu, ulpduLength, false);
    const uint64_t lengthPosition = Marker::LengthPosition(position);
    std::size_t from = 0;
    std::size_t to = 0;
    while (from < fpdu.size())
    {
        if (Marker::IsAt(position + to))
        {
            const uint64_t at = position + to;
            const uint64_t pointer = at < lengthPosition ? 0 : at - lengthPosition;
            Marker{static_cast<uint16_t>(pointer)}.Encode(out.subspan(to, Marker::SIZE));
            to += Marker::SIZE;
        }
        const std::size_t run =
            std::min<std::size_t>(fpdu.size() - from,
                                  Marker::NextPosition(position + to) - (position + to));
        std::memcpy(out.data() + to, fpdu.data() + from, run);
        from += run;
        to += run;
    }
    if (crc)
    {
        const std::size_t crcStart = out.size() - Fpdu::CRC_SIZE;
        boost::endian::store_little_u32(out.data() + crcStart, Crc32c(out.first(crcStart)));
    }
}

ByteVector
MarkedFpdu::Encode(ByteSpan ulpdu, uint64_t position, bool crc)
{
    const auto length = static_cast<uint32_t>(ulpdu.size());
    ByteVector fpdu(Fpdu::WireSize(length));
    std::copy(ulpdu.begin(), ulpdu.end(), fpdu.begin() + Fpdu::LENGTH_SIZE);
    ByteVector out(WireSize(length, position));
    Seal(fpdu, length, position, crc, out);
    return out;
}

std::optional<uint32_t>
MarkedFpdu::PeekWireSize(ByteSpan octets, uint64_t position)
{
    const std::size_t lengthOffset = Marker::LengthPosition(position) - position;
    if (octets.size() < lengthOffset + Fpdu::LENGTH_SIZE)
    {
        return std::nullopt;
    }
    return WireSize(boost::endian::load_big_u16(octets.data() + lengthOffset), position);
}

Decoded<void>
MarkedFpdu::Check(ByteSpan octets, uint64_t position, bool crc)
{
    const auto size = PeekWireSize(octets, position);
    if (!size || octets.size() < *size)
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    if (octets.size() > *size)
    {
        return tl::make_unexpected(WireError::TRAILING_DATA);
    }
    const std::size_t crcStart = *size - Fpdu::CRC_SIZE;
    if (crc &&
        Crc32c(octets.first(crcStart)) != boost::endian::load_little_u32(octets.data() + crcStart))
    {
        return tl::make_unexpected(WireError::BAD_CHECKSUM);
    }
    const uint64_t lengthPosition = Marker::LengthPosition(position);
    for (uint64_t at = Marker::NextPosition(position); at < position + *size;
         at += Marker::INTERVAL)
    {
        const uint64_t pointer = at < lengthPosition ? 0 : at - lengthPosition;
        if (Marker::Decode(octets.subspan(at - position, Marker::SIZE)).fpduPointer != pointer)
        {
            return tl::make_unexpected(WireError::BAD_VALUE);
        }
    }
    return {};
}

ByteSpan
MarkedFpdu::Strip(MutableByteSpan octets, uint64_t position)
{
    const std::size_t lengthOffset = Marker::LengthPosition(position) - position;
    const uint16_t length = boost::endian::load_big_u16(octets.data() + lengthOffset);
    std::size_t from = Marker::NextPosition(position + lengthOffset) - position;
    std::size_t to = from;
    while (from < octets.size())
    {
        from += Marker::SIZE;
        const std::size_t run =
            std::min<std::size_t>(octets.size() - from, Marker::INTERVAL - Marker::SIZE);
        std::memmove(octets.data() + to, octets.data() + from, run);
        from += run;
        to += run;
    }
    return octets.subspan(lengthOffset + Fpdu::LENGTH_SIZE, length);
}

} // namespace ns3::nfsrdma
