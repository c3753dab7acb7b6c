/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/esp-packet.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

void
CopyUnlessThere(ByteSpan from, uint8_t* to)
{
    if (from.data() != to)
    {
        std::copy(from.begin(), from.end(), to);
    }
}

} // namespace

void
EspPacket::Encode(MutableByteSpan octets) const
{
    uint8_t* const at = octets.data();
    boost::endian::store_big_u32(at, spi);
    boost::endian::store_big_u32(at + sizeof(spi), sequence);
    boost::endian::store_big_u64(at + HEADER_SIZE, iv);
    CopyUnlessThere(ciphertext, at + HEADER_SIZE + IV_SIZE);
    CopyUnlessThere(icv, at + HEADER_SIZE + IV_SIZE + ciphertext.size());
}

Decoded<EspPacket>
EspPacket::Decode(ByteSpan octets)
{
    if (octets.size() < FIXED_SIZE + ALIGNMENT)
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    EspPacket packet;
    packet.spi = boost::endian::load_big_u32(octets.data());
    packet.sequence = boost::endian::load_big_u32(octets.data() + sizeof(packet.spi));
    packet.iv = boost::endian::load_big_u64(octets.data() + HEADER_SIZE);
    packet.ciphertext = octets.subspan(HEADER_SIZE + IV_SIZE, octets.size() - FIXED_SIZE);
    packet.icv = octets.last(ICV_SIZE);
    if (packet.spi == 0 || packet.ciphertext.size() % ALIGNMENT != 0)
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    return packet;
}

void
EspPlaintext::Encode(MutableByteSpan octets) const
{
    CopyUnlessThere(payload, octets.data());
    auto* at = octets.data() + payload.size();
    for (uint8_t number = 1; number <= padLength && number != 0; ++number)
    {
        *at++ = number;
    }
    *at++ = padLength;
    *at = nextHeader;
}

Decoded<EspPlaintext>
EspPlaintext::Decode(ByteSpan octets)
{
    if (octets.size() < TRAILER_SIZE)
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    EspPlaintext plaintext;
    plaintext.nextHeader = octets[octets.size() - 1];
    plaintext.padLength = octets[octets.size() - TRAILER_SIZE];
    if (octets.size() < TRAILER_SIZE + plaintext.padLength)
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    plaintext.payload = octets.first(octets.size() - TRAILER_SIZE - plaintext.padLength);
    const auto padding = octets.subspan(plaintext.payload.size(), plaintext.padLength);
    for (std::size_t i = 0; i < padding.size(); ++i)
    {
        if (padding[i] != i + 1)
        {
            return tl::unexpected(WireError::BAD_VALUE);
        }
    }
    return plaintext;
}

} // namespace ns3::nfsrdma
