/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_TCP_SEGMENT_H
#define NFSRDMA_LINK_TCP_SEGMENT_H

#include "wire/bytes.h"
#include "wire/decode-error.h"
#include "wire/ip-address.h"

#include <array>
#include <tuple>

namespace ns3::nfsrdma
{

/**
 * \brief A TCP segment in an IP packet in an Ethernet frame, all headers decoded.
 *
 *     Ethernet 14 | IPv4 20 and options (RFC 791) or | TCP 20 and options | payload
 *                 | IPv6 40 (RFC 8200)               | (RFC 9293)         |
 *
 * The source address tells which IP it is. Lengths and checksums are not kept: Encode() computes
 * them. Octets behind the IP packet (Ethernet padding) are not kept either.
 */
struct TcpSegment
{
    static constexpr uint32_t ETHERNET_SIZE = 14;
    static constexpr uint32_t MIN_IP_HEADER = 20;
    static constexpr uint32_t IPV6_HEADER = 40;
    static constexpr uint32_t MIN_TCP_HEADER = 20;
    static constexpr uint16_t FIN = 0x01;
    static constexpr uint16_t SYN = 0x02;
    static constexpr uint16_t RST = 0x04;
    static constexpr uint16_t PSH = 0x08;
    static constexpr uint16_t ACK = 0x10;
    static constexpr uint16_t URG = 0x20;
    static constexpr uint16_t CWR = 0x80;
    static constexpr uint16_t DONT_FRAGMENT = 0x4000;

    std::array<uint8_t, ETHERNET_SIZE> ethernet{};
    uint8_t typeOfService{0};   ///< Traffic class of IPv6.
    uint32_t flowLabel{0};      ///< Of IPv6, 20 bits.
    uint16_t identification{0}; ///< Of IPv4.
    uint16_t fragmentFlags{0};  ///< Of IPv4: DONT_FRAGMENT or the reserved bit; never a fragment.
    uint8_t timeToLive{64};     ///< Hop limit of IPv6.
    IpAddress source;
    IpAddress destination; ///< Of the family of source.
    ByteVector ipOptions;  ///< Of IPv4, padded to a multiple of 4.
    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint32_t sequence{0};
    uint32_t acknowledgment{0};
    uint16_t flags{ACK}; ///< With the four reserved bits: 12 bits.
    uint16_t window{0};
    uint16_t urgentPointer{0};
    ByteVector options; ///< Padded to a multiple of 4.
    ByteVector payload;

    /// \return the segment; TRUNCATED when the frame is shorter than its headers say, BAD_VALUE
    /// when it is something else than a whole TCP segment over IPv4 or directly behind the header
    /// of IPv6. Checksums are not checked.
    static Decoded<TcpSegment> Decode(ByteSpan frame);
    /// \param checksums false leaves all checksums zero, as ns-3 does unless ChecksumEnabled
    [[nodiscard]] ByteVector Encode(bool checksums) const;

    /// Source and destination address, source and destination port: one direction of a connection.
    using Flow = std::tuple<IpAddress, IpAddress, uint16_t, uint16_t>;

    [[nodiscard]] Flow GetFlow() const
    {
        return {source, destination, sourcePort, destinationPort};
    }

    /// \return that of the other direction.
    [[nodiscard]] Flow GetReverseFlow() const
    {
        return {destination, source, destinationPort, sourcePort};
    }

    /// \return sequence number behind the payload.
    [[nodiscard]] uint32_t EndSequence() const
    {
        return sequence + static_cast<uint32_t>(payload.size());
    }

    /// \return octets of the IP packet without payload.
    [[nodiscard]] uint32_t HeaderSize() const;

    /// \return whether its payload may be cut and merged: some, and none of FIN, SYN, RST, URG.
    [[nodiscard]] bool IsPlainData() const
    {
        return !payload.empty() && (flags & (FIN | SYN | RST | URG)) == 0;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_TCP_SEGMENT_H
