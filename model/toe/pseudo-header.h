/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_PSEUDO_HEADER_H
#define NFSRDMA_TOE_PSEUDO_HEADER_H

#include "wire/bytes.h"

#include <array>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What TCP's checksum covers besides the segment: RFC 9293 section 3.1 over IPv4, RFC 8200
 * section 8.1 over IPv6.
 */
class TcpPseudoHeader
{
  public:
    using Ipv6Octets = std::array<uint8_t, 16>;

    static TcpPseudoHeader OfIpv4(uint32_t source, uint32_t destination);
    static TcpPseudoHeader OfIpv6(const Ipv6Octets& source, const Ipv6Octets& destination);

    /// \param segment header, its checksum as it is, and payload
    /// \return what belongs into the checksum field when it is zero in \p segment; 0 when it is
    /// there and right
    [[nodiscard]] uint16_t Checksum(ByteSpan segment) const
    {
        return Checksum(segment, {});
    }

    /// As Checksum() of a segment in two pieces; \p front has an even length.
    [[nodiscard]] uint16_t Checksum(ByteSpan front, ByteSpan rest) const;

    /// Puts the checksum into \p header, 20 octets or more of an even length, which \p payload
    /// follows, or into a whole segment.
    void Seal(MutableByteSpan header, ByteSpan payload = {}) const;

  private:
    std::array<uint8_t, 32> m_addresses{}; ///< Zero behind those of IPv4: it changes no sum.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_PSEUDO_HEADER_H
