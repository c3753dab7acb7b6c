/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_TRANSMITTER_H
#define NFSRDMA_MPA_FPDU_TRANSMITTER_H

#include "mpa/fpdu-framing.h"

namespace ns3::nfsrdma
{

/**
 * \brief Frames ULPDUs, one after the other, for one direction of a connection.
 *
 * A ULPDU is written where its FPDU is then completed around it; only where markers are in use are
 * its octets copied once more, between the markers.
 */
class FpduTransmitter
{
  public:
    /// The next FPDU is the first, at position 0.
    void StartFullOperation(FpduFraming framing);

    [[nodiscard]] const FpduFraming& GetFraming() const
    {
        return m_framing;
    }

    /// \return octets on the wire that a ULPDU of \p ulpduLength octets would take next.
    [[nodiscard]] uint32_t WireSize(uint32_t ulpduLength) const
    {
        return m_framing.WireSize(ulpduLength, m_position);
    }

    /// \return \p length octets to fill; 1 to Fpdu::MAX_MULPDU.
    [[nodiscard]] MutableByteSpan Begin(uint32_t length);
    /// \return the FPDU around the ULPDU begun last, valid until Begin() or Advance(). The
    /// position does not move before Advance().
    [[nodiscard]] ByteSpan Seal();

    /// The stream has taken \p octets of an FPDU, all of them.
    void Advance(std::size_t octets);

    /// \return octets of the ULPDU begun last.
    [[nodiscard]] uint32_t GetLentLength() const
    {
        return m_lentLength;
    }

    /// \return the position of the next FPDU, as in Marker.
    [[nodiscard]] uint64_t GetPosition() const
    {
        return m_position;
    }

  private:
    FpduFraming m_framing;
    ByteVector m_buffer;
    ByteVector m_marked; ///< Used with markers only.
    uint32_t m_lentLength{0};
    uint64_t m_position{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_TRANSMITTER_H
