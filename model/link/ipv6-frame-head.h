/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_IPV6_FRAME_HEAD_H
#define NFSRDMA_LINK_IPV6_FRAME_HEAD_H

#include "link/ethernet-numbers.h"
#include "wire/bytes.h"
#include "wire/ip-address.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The headers before TCP, at once: Ethernet and an IPv6 header that no extension follows
 * (RFC 8200 section 3).
 *
 *     destination 6 | source 6 | 0x86dd | version 4 bits, traffic class 8, flow label 20 |
 *     payload length 2 | next header | hop limit | addresses 32
 */
struct Ipv6FrameHead
{
    static constexpr std::size_t ETHERNET_SIZE = 14;
    static constexpr std::size_t IPV6_SIZE = 40;
    static constexpr std::size_t SIZE = ETHERNET_SIZE + IPV6_SIZE;

    using HardwareAddress = std::array<uint8_t, ETHERNET_ADDRESS_SIZE>;

    HardwareAddress hardwareDestination{};
    HardwareAddress hardwareSource{};
    uint8_t trafficClass{0};
    uint32_t flowLabel{0};     ///< 20 bits.
    uint16_t payloadLength{0}; ///< Octets behind the header.
    uint8_t nextHeader{0};
    uint8_t hopLimit{0};
    IpAddress source;
    IpAddress destination;

    /// Writes it at the beginning of \p frame, SIZE octets or more.
    void Encode(MutableByteSpan frame) const;
    /**
     * \param frame the beginning of a frame, SIZE octets or more
     * \return null when it is too short or is not IPv6
     */
    static std::optional<Ipv6FrameHead> Decode(ByteSpan frame);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_IPV6_FRAME_HEAD_H
