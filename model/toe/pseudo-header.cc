/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/pseudo-header.h"

#include "wire/internet-checksum.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t PROTOCOL_OF_TCP = 6;
constexpr std::size_t CHECKSUM_OFFSET = 16;
constexpr uint32_t HALF_WORD = 16;

} // namespace

TcpPseudoHeader
TcpPseudoHeader::OfIpv4(uint32_t source, uint32_t destination)
{
    TcpPseudoHeader header;
    boost::endian::store_big_u32(header.m_addresses.data(), source);
    boost::endian::store_big_u32(header.m_addresses.data() + sizeof(source), destination);
    return header;
}

TcpPseudoHeader
TcpPseudoHeader::OfIpv6(const Ipv6Octets& source, const Ipv6Octets& destination)
{
    TcpPseudoHeader header;
    std::copy(source.begin(), source.end(), header.m_addresses.begin());
    std::copy(destination.begin(),
              destination.end(),
              header.m_addresses.begin() + static_cast<std::ptrdiff_t>(source.size()));
    return header;
}

uint16_t
TcpPseudoHeader::Checksum(ByteSpan front, ByteSpan rest) const
{
    const auto length = static_cast<uint32_t>(front.size() + rest.size());
    InternetChecksum checksum;
    checksum.Add(m_addresses);
    checksum.AddU16(static_cast<uint16_t>(length >> HALF_WORD));
    checksum.AddU16(static_cast<uint16_t>(length));
    checksum.AddU16(PROTOCOL_OF_TCP);
    checksum.Add(front);
    checksum.Add(rest);
    return checksum.Finish();
}

void
TcpPseudoHeader::Seal(MutableByteSpan header, ByteSpan payload) const
{
    boost::endian::store_big_u16(&header[CHECKSUM_OFFSET], 0);
    boost::endian::store_big_u16(&header[CHECKSUM_OFFSET], Checksum(header, payload));
}

} // namespace ns3::nfsrdma
