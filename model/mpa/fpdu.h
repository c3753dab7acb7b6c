/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_H
#define NFSRDMA_MPA_FPDU_H

#include "wire/bytes.h"
#include "wire/wire-error.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Framed PDU without markers, RFC 5044 section 4.
 *
 *     | ULPDU_Length 2 | ULPDU | pad 0..3 zeros | CRC32c 4, least significant octet first |
 *
 * The CRC covers ULPDU_Length to the last pad octet. The field is always there; it holds zero and
 * is not checked where CRCs are off.
 */
struct Fpdu
{
    static constexpr uint32_t LENGTH_SIZE = 2;
    static constexpr uint32_t CRC_SIZE = 4;
    static constexpr uint32_t MIN_MULPDU = 128;
    static constexpr uint32_t MAX_MULPDU = 64768;

    /// \return octets on the wire of an FPDU whose ULPDU has \p ulpduLength octets.
    static constexpr uint32_t WireSize(uint32_t ulpduLength)
    {
        return RoundUp4(LENGTH_SIZE + ulpduLength) + CRC_SIZE;
    }

    /// \return the largest ULPDU for segments of \p emss octets without markers, RFC 5044 5.1.
    static constexpr uint32_t Mulpdu(uint32_t emss)
    {
        const uint32_t overhead = LENGTH_SIZE + CRC_SIZE + emss % 4;
        const uint32_t mulpdu = emss > overhead ? emss - overhead : 0;
        return mulpdu < MIN_MULPDU ? MIN_MULPDU : (mulpdu > MAX_MULPDU ? MAX_MULPDU : mulpdu);
    }

    /**
     * \brief Completes an FPDU around a ULPDU already in place.
     * \param fpdu WireSize(ulpduLength) octets, the ULPDU from octet 2
     * \param ulpduLength 1 to 65535
     * \param crc whether to compute the CRC; else the field is zero
     */
    static void Seal(MutableByteSpan fpdu, uint32_t ulpduLength, bool crc);

    /// \return a whole FPDU around \p ulpdu.
    [[nodiscard]] static ByteVector Encode(ByteSpan ulpdu, bool crc);

    /// \return octets of the FPDU that starts at \p octets, or nothing while its length field is
    /// incomplete.
    [[nodiscard]] static std::optional<uint32_t> PeekWireSize(ByteSpan octets);

    /// \param octets exactly one FPDU
    /// \return its ULPDU within \p octets; TRUNCATED, TRAILING_DATA, or BAD_CHECKSUM
    [[nodiscard]] static Decoded<ByteSpan> Decode(ByteSpan octets, bool crc);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_H
