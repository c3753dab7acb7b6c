/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_WIRE_HEADER_H
#define NFSRDMA_TOE_WIRE_HEADER_H

#include "toe/options.h"
#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief A TCP header with its options, RFC 9293 section 3.1.
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     |          source port          |       destination port        |
 *     |                        sequence number                        |
 *     |                    acknowledgment number                      |
 *     | offset| rsv |A|C|E|U|A|P|R|S|F|            window             |
 *     |           checksum            |         urgent pointer        |
 *     |                           options                             |
 *
 * The checksum is apart: see TcpPseudoHeader.
 */
struct TcpWireHeader
{
    static constexpr uint32_t FIXED_OCTETS = 20;

    static constexpr uint16_t FIN = 0x001;
    static constexpr uint16_t SYN = 0x002;
    static constexpr uint16_t RST = 0x004;
    static constexpr uint16_t PSH = 0x008;
    static constexpr uint16_t ACK = 0x010;
    static constexpr uint16_t URG = 0x020;
    static constexpr uint16_t ECE = 0x040; ///< RFC 3168 section 6.1.
    static constexpr uint16_t CWR = 0x080;
    static constexpr uint16_t AE = 0x100; ///< RFC 9293 section 6 (once NS).

    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint32_t sequence{0};
    uint32_t acknowledgment{0};
    uint16_t flags{0};  ///< With the reserved bits: 12 bits.
    uint16_t window{0}; ///< As on the wire, not scaled.
    uint16_t urgentPointer{0};
    TcpOptions options;

    [[nodiscard]] bool Has(uint16_t flag) const
    {
        return (flags & flag) != 0;
    }

    /// \return octets that Encode() writes.
    [[nodiscard]] uint32_t GetSize() const
    {
        return FIXED_OCTETS + options.GetSize();
    }

    /// Writes the header at the beginning of \p segment, GetSize() octets or more, checksum zero.
    /// \return false when it does not fit
    [[nodiscard]] bool Encode(MutableByteSpan segment) const;
};

/// A header, and what lies behind it.
struct ReceivedTcpSegment
{
    TcpWireHeader header;
    uint32_t headerSize{
        0}; ///< As it came: options of a foreign order may take more than GetSize().
    uint16_t checksum{0};
    ByteSpan payload; ///< Of the octets decoded.

    /**
     * \param segment what IP carried; nothing is kept
     * \return TRUNCATED when it ends before its header does, BAD_VALUE when the header says that it
     * is shorter than FIXED_OCTETS, and what TcpOptions::Decode() says
     */
    static Decoded<ReceivedTcpSegment> Decode(ByteSpan segment);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_WIRE_HEADER_H
