/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_FRAMING_H
#define NFSRDMA_MPA_FPDU_FRAMING_H

#include "mpa/connection-error.h"
#include "mpa/marked-fpdu.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// How one direction of a connection frames its ULPDUs, as agreed at startup. Positions are those
/// of Marker.
struct FpduFraming
{
    bool crc{false};
    bool markers{false};

    /// \return octets on the wire of an FPDU at \p position whose ULPDU has \p ulpduLength octets.
    [[nodiscard]] uint32_t WireSize(uint32_t ulpduLength, uint64_t position) const
    {
        return markers ? MarkedFpdu::WireSize(ulpduLength, position) : Fpdu::WireSize(ulpduLength);
    }

    /// \return octets of the FPDU that starts at \p octets, or nothing while its length field is
    /// incomplete.
    [[nodiscard]] std::optional<uint32_t> PeekWireSize(ByteSpan octets, uint64_t position) const
    {
        return markers ? MarkedFpdu::PeekWireSize(octets, position) : Fpdu::PeekWireSize(octets);
    }

    /// \param octets exactly one FPDU
    /// \return CRC_MISMATCH, MARKER_MISMATCH
    [[nodiscard]] tl::expected<void, MpaError> Check(ByteSpan octets, uint64_t position) const;

    /// Checks exactly one FPDU, and takes its markers out in place.
    /// \return its ULPDU within \p octets; CRC_MISMATCH, MARKER_MISMATCH
    [[nodiscard]] tl::expected<ByteSpan, MpaError> Open(MutableByteSpan octets,
                                                        uint64_t position) const;

    /// \return the largest ULPDU whose FPDU certainly fits \p room octets, which may be zero, by
    /// the formulas of RFC 5044 section 4.5, without their bounds.
    [[nodiscard]] uint32_t UlpduFitting(uint32_t room) const;

    /// \return MULPDU for segments of \p emss octets: 128 to 64768, RFC 5044 section 4.5.
    [[nodiscard]] uint32_t Mulpdu(uint32_t emss) const
    {
        return markers ? Fpdu::MulpduWithMarkers(emss) : Fpdu::Mulpdu(emss);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_FRAMING_H
