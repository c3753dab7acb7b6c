/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_IPV4_PATH_MTU_H
#define NFSRDMA_LINK_IPV4_PATH_MTU_H

#include "wire/bytes.h"

#include <vector>

namespace ns3::nfsrdma
{

/// What a router does about IPv4 packets larger than the next link takes: RFC 791, RFC 1191.
struct Ipv4PathMtu
{
    /// Every link takes packets of this many octets (RFC 791).
    static constexpr uint32_t MIN_MTU = 68;

    enum class Verdict
    {
        FITS,     ///< Or is no IPv4 packet.
        FRAGMENT, ///< Too large; may be fragmented.
        REFUSE,   ///< Too large, DF set: the sender is to be told.
        DROP      ///< Too large, and neither: an ICMP error with DF, or header options to be cut.
    };

    /// \param frame Ethernet header and payload; \param mtu octets, at least MIN_MTU
    static Verdict Judge(ByteSpan frame, uint32_t mtu);

    /**
     * \brief The ICMP message "fragmentation needed and DF set", type 3 code 4, to the sender of
     * \p frame.
     *
     * It comes from the address that \p frame was for, since a transparent box has none, and
     * carries the IPv4 header and 8 octets of \p frame.
     * \param frame one that Judge() refuses; \param nextHopMtu octets
     * \param checksums false leaves the checksum of its IP header zero
     * \return a frame
     */
    static ByteVector FragmentationNeeded(ByteSpan frame, uint16_t nextHopMtu, bool checksums);

    /// \return \p frame, which Judge() lets be fragmented, as frames of at most \p mtu octets of
    /// IPv4 packet each.
    static std::vector<ByteVector> Fragment(ByteSpan frame, uint32_t mtu, bool checksums);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_IPV4_PATH_MTU_H
