/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MARKER_H
#define NFSRDMA_MPA_MARKER_H

#include "wire/bytes.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief An MPA marker, RFC 5044 section 4.3.
 *
 *     | reserved 2, sent as zero, ignored | FPDUPTR 2 |
 *
 * A position counts the octets of one direction, markers included, from the first octet of full
 * operation. A marker is at every position that is a multiple of 512; the first is at position 0,
 * before the first FPDU. All FPDUs begin and end at multiples of four. An FPDU begins at the marker
 * that immediately precedes its ULPDU_Length, if there is one, else at ULPDU_Length; so none begins
 * right behind a marker.
 */
struct Marker
{
    static constexpr uint32_t SIZE = 4;
    static constexpr uint32_t INTERVAL = 512;

    /// FPDUPTR: octets from the first octet of ULPDU_Length to the first octet of the marker; zero
    /// when ULPDU_Length follows the marker.
    uint16_t fpduPointer{0};

    /// \param out four octets
    void Encode(MutableByteSpan out) const;
    /// \param octets four octets
    /// \return the marker; the two lowest bits of FPDUPTR count as zero.
    [[nodiscard]] static Marker Decode(ByteSpan octets);

    /// \return the position of the FPDU that contains this marker, the marker being at
    /// \p position; nothing when it points before the stream.
    [[nodiscard]] std::optional<uint64_t> FindFpdu(uint64_t position) const;

    /// \return whether a marker is at \p position.
    static constexpr bool IsAt(uint64_t position)
    {
        return position % INTERVAL == 0;
    }

    /// \return the first position of a marker that is not before \p position.
    static constexpr uint64_t NextPosition(uint64_t position)
    {
        return (position + INTERVAL - 1) / INTERVAL * INTERVAL;
    }

    /// \return the position of ULPDU_Length of the FPDU that begins at \p position.
    static constexpr uint64_t LengthPosition(uint64_t position)
    {
        return IsAt(position) ? position + SIZE : position;
    }

    /// \return markers within an FPDU that begins at \p position and has \p octets octets without
    /// them.
    static constexpr uint32_t Count(uint64_t position, uint32_t octets)
    {
        const auto before = static_cast<uint32_t>(NextPosition(position) - position);
        constexpr uint32_t BETWEEN = INTERVAL - SIZE;
        return octets > before ? (octets - before + BETWEEN - 1) / BETWEEN : 0;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MARKER_H
