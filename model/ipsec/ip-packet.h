/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_IP_PACKET_H
#define NFSRDMA_IPSEC_IP_PACKET_H

#include "link/ethernet-numbers.h"
#include "wire/bytes.h"
#include "wire/ip-address.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What a security policy looks at in an IP packet (RFC 4301 section 4.4.1.1), and where its
 * payload is: behind the options of IPv4, or directly behind the header of IPv6.
 */
struct IpPacket
{
    static constexpr std::size_t IPV4_SIZE = 20; ///< Of a header without options.
    static constexpr std::size_t IPV6_SIZE = 40;
    static constexpr uint8_t IPV4_IN_IP = 4; ///< Protocol numbers.
    static constexpr uint8_t IPV6_IN_IP = 41;
    static constexpr uint8_t ESP = IP_PROTOCOL_ESP;
    static constexpr uint8_t ICMPV6 = 58;

    IpAddress source;
    IpAddress destination;
    uint8_t protocol{0};       ///< Next header of IPv6.
    std::size_t headerSize{0}; ///< Octets.
    std::size_t length{0};     ///< Octets, header included.
    bool isFragment{false};    ///< Of IPv4 or IPv6.
    /// Neighbour or router discovery of IPv6 (RFC 4861), which comes before any association.
    bool isDiscovery{false};

    /// \param packet from its first octet on; what is behind its length (padding of Ethernet) is
    /// not looked at \return null when it is no IP, or shorter than it says
    [[nodiscard]] static std::optional<IpPacket> Read(ByteSpan packet);

    /// Gives the IP header at the beginning of \p packet, which has \p headerSize octets, another
    /// protocol and length; a checksum of IPv4 that was right is so again.
    static void SetPayload(MutableByteSpan packet, std::size_t headerSize, uint8_t protocol);
    /// Writes the outer header of a tunnel between the two hosts that \p inner is of into
    /// \p packet, which has an own header of GetOuterSize() and the rest behind it: traffic class,
    /// ECN and don't-fragment bit are those of \p inner (RFC 4301 section 5.1.2, RFC 6040).
    static void WriteOuter(MutableByteSpan packet, ByteSpan inner);

    /// \return the size of the outer header for \p inner.
    [[nodiscard]] std::size_t GetOuterSize() const
    {
        return source.IsIpv4() ? IPV4_SIZE : IPV6_SIZE;
    }

    /// Gives \p inner the ECN field that leaves a tunnel whose outer header is \p outer: CE if that
    /// has it (RFC 6040 section 4.2). \return false when \p inner is to be dropped: CE outside, and
    /// inside no ECN
    [[nodiscard]] static bool LeaveTunnel(ByteSpan outer, MutableByteSpan inner);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_IP_PACKET_H
