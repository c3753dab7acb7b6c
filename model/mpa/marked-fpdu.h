/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MARKED_FPDU_H
#define NFSRDMA_MPA_MARKED_FPDU_H

#include "mpa/fpdu.h"
#include "mpa/marker.h"

namespace ns3::nfsrdma
{

/**
 * \brief Framed PDU with markers, RFC 5044 sections 4.3 and 4.4.
 *
 * The octets of an Fpdu with a Marker before each that would stand at a marker's position. The
 * CRC covers all before it: a marker that precedes ULPDU_Length, those inside, and one between pad
 * and CRC. A marker behind the CRC belongs to the next FPDU. Positions are those of Marker.
 */
struct MarkedFpdu
{
    /// \return octets on the wire, markers included, of an FPDU that begins at \p position and
    /// whose ULPDU has \p ulpduLength octets.
    static constexpr uint32_t WireSize(uint32_t ulpduLength, uint64_t position)
    {
        const uint32_t size = Fpdu::WireSize(ulpduLength);
        return size + Marker::SIZE * Marker::Count(position, size);
    }

    /**
     * \brief Frames a ULPDU with markers.
     * \param fpdu Fpdu::WireSize(ulpduLength) octets, the ULPDU from octet 2; completed as by
     * Fpdu::Seal() without a CRC
     * \param ulpduLength 1 to Fpdu::MAX_MULPDU
     * \param position where the FPDU begins, a multiple of four
     * \param crc whether to compute the CRC; else the field is zero
     * \param out WireSize(ulpduLength, position) octets
     */
    static void Seal(MutableByteSpan fpdu,
                     uint32_t ulpduLength,
                     uint64_t position,
                     bool crc,
                     MutableByteSpan out);

    /// \return a whole FPDU around \p ulpdu.
    [[nodiscard]] static ByteVector Encode(ByteSpan ulpdu, uint64_t position, bool crc);

    /// \return octets of the FPDU that starts at \p octets, or nothing while its length field is
    /// incomplete.
    [[nodiscard]] static std::optional<uint32_t> PeekWireSize(ByteSpan octets, uint64_t position);

    /// \param octets exactly one FPDU
    /// \return TRUNCATED, TRAILING_DATA, BAD_CHECKSUM, or BAD_VALUE when the CRC is right, or not
    /// in use, and a marker does not point to ULPDU_Length
    [[nodiscard]] static Decoded<void> Check(ByteSpan octets, uint64_t position, bool crc);

    /// Takes the markers out of \p octets, exactly one FPDU, in place.
    /// \return its ULPDU within \p octets
    [[nodiscard]] static ByteSpan Strip(MutableByteSpan octets, uint64_t position);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MARKED_FPDU_H
