/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_PATH_MTU_H
#define NFSRDMA_LINK_PATH_MTU_H

#include "wire/bytes.h"

#include <vector>

namespace ns3::nfsrdma
{

/// What a router does about IP packets larger than the next link takes: RFC 791, 1191, 8200, 8201.
struct PathMtu
{
    /// Every link takes packets of this many octets (RFC 791).
    static constexpr uint32_t MIN_MTU = 68;

    enum class Verdict
    {
        FITS,     ///< Or is no IP packet.
        FRAGMENT, ///< Too large; may be fragmented: IPv4 without DF.
        REFUSE,   ///< Too large: the sender is to be told.
        DROP      ///< Too large, and neither: an ICMP error, or header options to be cut.
    };

    /// \param frame Ethernet header and payload; \param mtu octets, at least MIN_MTU
    static Verdict Judge(ByteSpan frame, uint32_t mtu);

    /**
     * \brief The message to the sender of \p frame that it is too large: "fragmentation needed and
     * DF set" of ICMP, type 3 code 4, or Packet Too Big of ICMPv6, type 2 (RFC 4443 section 3.2).
     *
     * It comes from the address that \p frame was for, since a transparent box has none. That of
     * ICMP carries the IPv4 header and 8 octets of \p frame, that of ICMPv6 as much as makes a
     * packet of 1280 octets.
     * \param frame one that Judge() refuses; \param nextHopMtu octets
     * \param checksums false leaves the checksums of IPv4 and ICMP zero
     * \return a frame
     */
    static ByteVector TellTooLarge(ByteSpan frame, uint16_t nextHopMtu, bool checksums);

    /// \return \p frame, which Judge() lets be fragmented, as frames of at most \p mtu octets of
    /// IPv4 packet each.
    static std::vector<ByteVector> Fragment(ByteSpan frame, uint32_t mtu, bool checksums);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_PATH_MTU_H
