/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu.h"

#include "wire/crc32c.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

void
Fpdu::Seal(MutableByteSpan fpdu, uint32_t ulpduLength, bool crc)
{
    const std::size_t padStart = LENGTH_SIZE + ulpduLength;
    const std::size_t crcStart = fpdu.size() - CRC_SIZE;
    boost::endian::store_big_u16(fpdu.data(), static_cast<uint16_t>(ulpduLength));
    const MutableByteSpan pad = fpdu.subspan(padStart, crcStart - padStart);
    std::fill(pad.begin(), pad.end(), uint8_t{0});
    boost::endian::store_little_u32(fpdu.data() + crcStart, crc ? Crc32c(fpdu.first(crcStart)) : 0);
}

ByteVector
Fpdu::Encode(ByteSpan ulpdu, bool crc)
{
    const auto length = static_cast<uint32_t>(ulpdu.size());
    ByteVector fpdu(WireSize(length));
    std::copy(ulpdu.begin(), ulpdu.end(), fpdu.begin() + LENGTH_SIZE);
    Seal(fpdu, length, crc);
    return fpdu;
}

std::optional<uint32_t>
Fpdu::PeekWireSize(ByteSpan octets)
{
    if (octets.size() < LENGTH_SIZE)
    {
        return std::nullopt;
    }
    return WireSize(boost::endian::load_big_u16(octets.data()));
}

Decoded<ByteSpan>
Fpdu::Decode(ByteSpan octets, bool crc)
{
    const auto size = PeekWireSize(octets);
    if (!size || octets.size() < *size)
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    if (octets.size() > *size)
    {
        return tl::make_unexpected(WireError::TRAILING_DATA);
    }
    const std::size_t crcStart = *size - CRC_SIZE;
    if (crc &&
        Crc32c(octets.first(crcStart)) != boost::endian::load_little_u32(octets.data() + crcStart))
    {
        return tl::make_unexpected(WireError::BAD_CHECKSUM);
    }
    return octets.subspan(LENGTH_SIZE, boost::endian::load_big_u16(octets.data()));
}

} // namespace ns3::nfsrdma
