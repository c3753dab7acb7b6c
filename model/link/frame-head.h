/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_FRAME_HEAD_H
#define NFSRDMA_LINK_FRAME_HEAD_H

#include "wire/bytes.h"
#include "wire/ip-address.h"

#include <optional>

namespace ns3::nfsrdma
{

/// The ECN field of the IP header, RFC 3168 section 5.
enum class EcnCodepoint : uint8_t
{
    NOT_ECT = 0,
    ECT_1 = 1,
    ECT_0 = 2,
    CE = 3,
};

/**
 * \brief What a switch reads in the first octets of a frame.
 *
 *     Ethernet 14 | IPv4 20 and more (RFC 791), IPv6 40 (RFC 8200) or ARP 28 (RFC 826) | ports
 *
 * All functions take the beginning of a frame, SIZE octets or, when the frame is shorter, all of
 * it. Frames of other protocols, and those that end too early, have nothing of what is asked for.
 */
struct FrameHead
{
    static constexpr uint32_t ETHERNET_SIZE = 14;
    static constexpr uint32_t SIZE = 58; ///< All of an ARP packet; IP up to the ports.
    /// Octets that MarkCongestion() changes lie in the first so many.
    static constexpr uint32_t IP_HEAD_SIZE = ETHERNET_SIZE + 20;

    /// \return the MAC addresses as numbers; 0 when the frame ends before.
    [[nodiscard]] static uint64_t GetDestination(ByteSpan frame);
    [[nodiscard]] static uint64_t GetSource(ByteSpan frame);
    /// \return the IPv4 address that an ARP request asks for.
    [[nodiscard]] static std::optional<uint32_t> GetArpTarget(ByteSpan frame);
    /// \return the address that an IP packet is for.
    [[nodiscard]] static std::optional<IpAddress> GetIpDestination(ByteSpan frame);
    /// \return the ECN field of an IP packet.
    [[nodiscard]] static std::optional<EcnCodepoint> GetEcn(ByteSpan frame);
    /// Sets CE in an IP packet and makes the header checksum of IPv4 right (RFC 1624), unless that
    /// is 0, for which see ns-3's ChecksumEnabled. \return false when \p frame has no ECN field
    static bool MarkCongestion(gsl::span<uint8_t> frame);

    /**
     * \brief Hashes the flow that a frame belongs to: addresses, protocol and ports of IP, the
     * addresses alone for fragments, other protocols, IP options and extension headers; MAC
     * addresses otherwise.
     * \param seed switches with different seeds choose independently of each other
     * \return evenly distributed; the same for all frames of one direction of a connection
     */
    [[nodiscard]] static uint32_t HashFlow(ByteSpan frame, uint32_t seed);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_FRAME_HEAD_H
