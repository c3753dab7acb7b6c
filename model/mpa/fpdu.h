/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_H
#define NFSRDMA_MPA_FPDU_H

#include "wire/bytes.h"
#include "wire/decode-error.h"

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

    /// \return octets of a segment of \p emss octets that are not ULPDU, without markers, RFC 5044
    /// section 4.5.
    static constexpr uint32_t Overhead(uint32_t emss)
    {
        return LENGTH_SIZE + CRC_SIZE + emss % 4;
    }

    /// \return the same with as many markers as the segment may hold.
    static constexpr uint32_t OverheadWithMarkers(uint32_t emss)
    {
        return Overhead(emss) + 4 * (emss / 512 + (emss % 512 != 0 ? 1 : 0));
    }

    /// \return the largest ULPDU for segments of \p emss octets without markers, RFC 5044 section
    /// 4.5.
    static constexpr uint32_t Mulpdu(uint32_t emss)
    {
        return BoundMulpdu(emss, Overhead(emss));
    }

    /// \return the largest ULPDU for segments of \p emss octets with markers, RFC 5044 section 4.5.
    static constexpr uint32_t MulpduWithMarkers(uint32_t emss)
    {
        return BoundMulpdu(emss, OverheadWithMarkers(emss));
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

  private:
    static constexpr uint32_t BoundMulpdu(uint32_t emss, uint32_t overhead)
    {
        const uint32_t mulpdu = emss > overhead ? emss - overhead : 0;
        return mulpdu < MIN_MULPDU ? MIN_MULPDU : (mulpdu > MAX_MULPDU ? MAX_MULPDU : mulpdu);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_H
