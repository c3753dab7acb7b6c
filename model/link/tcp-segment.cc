/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/tcp-segment.h"

#include "link/ethernet-numbers.h"
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/internet-checksum.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t FRAGMENT_BITS = 0x3fff; // More fragments, and the offset.
constexpr std::size_t IP_CHECKSUM = TcpSegment::ETHERNET_SIZE + 10;
constexpr std::size_t TCP_CHECKSUM = 16;
constexpr uint16_t FLAG_BITS = 0x0fff;

ByteVector
ToVector(ByteSpan octets)
{
    return {octets.begin(), octets.end()};
}

void
StoreChecksum(ByteVector& frame, std::size_t offset, const InternetChecksum& checksum)
{
    boost::endian::store_big_u16(&frame[offset], checksum.Finish());
}

} // namespace

Decoded<TcpSegment>
TcpSegment::Decode(ByteSpan frame)
{
    ByteReader outer(frame);
    TcpSegment segment;
    const auto ethernet = outer.ReadBytes(ETHERNET_SIZE);
    const auto versionAndLength = outer.ReadU8();
    segment.typeOfService = outer.ReadU8();
    const uint32_t totalLength = outer.ReadU16();
    const uint32_t ipHeader = (versionAndLength & 0x0fU) * 4U;
    if (!outer.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    std::copy(ethernet.begin(), ethernet.end(), segment.ethernet.begin());
    if (ByteReader(ethernet.subspan(ETHERNET_SIZE - 2)).ReadU16() != ETHERTYPE_IPV4 ||
        versionAndLength >> 4 != 4 || ipHeader < MIN_IP_HEADER)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    if (totalLength < ipHeader + MIN_TCP_HEADER || frame.size() < ETHERNET_SIZE + totalLength)
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }

    ByteReader reader(frame.subspan(ETHERNET_SIZE, totalLength));
    reader.Skip(4);
    segment.identification = reader.ReadU16();
    segment.fragmentFlags = reader.ReadU16();
    segment.timeToLive = reader.ReadU8();
    const auto protocol = reader.ReadU8();
    reader.Skip(2);
    segment.source = reader.ReadU32();
    segment.destination = reader.ReadU32();
    segment.ipOptions = ToVector(reader.ReadBytes(ipHeader - MIN_IP_HEADER));
    segment.sourcePort = reader.ReadU16();
    segment.destinationPort = reader.ReadU16();
    segment.sequence = reader.ReadU32();
    segment.acknowledgment = reader.ReadU32();
    const auto offsetAndFlags = reader.ReadU16();
    segment.flags = offsetAndFlags & FLAG_BITS;
    segment.window = reader.ReadU16();
    reader.Skip(2);
    segment.urgentPointer = reader.ReadU16();
    const uint32_t tcpHeader = (offsetAndFlags >> 12) * 4U;
    if (protocol != IP_PROTOCOL_TCP || (segment.fragmentFlags & FRAGMENT_BITS) != 0 ||
        tcpHeader < MIN_TCP_HEADER)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    segment.options = ToVector(reader.ReadBytes(tcpHeader - MIN_TCP_HEADER));
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    segment.payload = ToVector(reader.Rest());
    return segment;
}

ByteVector
TcpSegment::Encode(bool checksums) const
{
    const std::size_t ipHeader = MIN_IP_HEADER + ipOptions.size();
    const std::size_t tcpHeader = MIN_TCP_HEADER + options.size();
    const std::size_t tcp = ETHERNET_SIZE + ipHeader;
    ByteVector frame(tcp + tcpHeader + payload.size());
    ByteWriter writer(frame);
    writer.WriteBytes(ethernet);
    writer.WriteU8(static_cast<uint8_t>(0x40 | ipHeader / 4));
    writer.WriteU8(typeOfService);
    writer.WriteU16(static_cast<uint16_t>(frame.size() - ETHERNET_SIZE));
    writer.WriteU16(identification);
    writer.WriteU16(fragmentFlags);
    writer.WriteU8(timeToLive);
    writer.WriteU8(IP_PROTOCOL_TCP);
    writer.WriteU16(0);
    writer.WriteU32(source);
    writer.WriteU32(destination);
    writer.WriteBytes(ipOptions);
    writer.WriteU16(sourcePort);
    writer.WriteU16(destinationPort);
    writer.WriteU32(sequence);
    writer.WriteU32(acknowledgment);
    writer.WriteU16(static_cast<uint16_t>(tcpHeader / 4 << 12 | flags));
    writer.WriteU16(window);
    writer.WriteU16(0);
    writer.WriteU16(urgentPointer);
    writer.WriteBytes(options);
    writer.WriteBytes(payload);
    if (checksums)
    {
        const ByteSpan octets(frame);
        InternetChecksum ip;
        ip.Add(octets.subspan(ETHERNET_SIZE, ipHeader));
        StoreChecksum(frame, IP_CHECKSUM, ip);
        InternetChecksum pseudo;
        pseudo.Add(octets.subspan(ETHERNET_SIZE + 12, 8));
        pseudo.AddU16(IP_PROTOCOL_TCP);
        pseudo.AddU16(static_cast<uint16_t>(tcpHeader + payload.size()));
        pseudo.Add(octets.subspan(tcp));
        StoreChecksum(frame, tcp + TCP_CHECKSUM, pseudo);
    }
    return frame;
}

uint32_t
TcpSegment::HeaderSize() const
{
    return static_cast<uint32_t>(MIN_IP_HEADER + ipOptions.size() + MIN_TCP_HEADER +
                                 options.size());
}

} // namespace ns3::nfsrdma
