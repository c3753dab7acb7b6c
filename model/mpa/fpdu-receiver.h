/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_RECEIVER_H
#define NFSRDMA_MPA_FPDU_RECEIVER_H

#include "mpa/fpdu-assembler.h"

#include "ns3/packet.h"

#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Finds FPDUs in octets that arrive in order, however they were cut into segments.
 *
 * Octets are copied once, from the packet into a buffer where FPDUs are then read in place; only
 * the beginning of an incomplete FPDU moves again, and what stands behind a marker. Asked for an
 * FPDU when all octets have been taken, it gives its buffer back. An FpduAssembler can work ahead
 * of it; an FPDU that this has placed is then taken as it was placed.
 */
class FpduReceiver
{
  public:
    /// An FPDU that has been taken.
    struct Received
    {
        ByteSpan ulpdu;       ///< Valid until the next call of TakeFpdu() or Append().
        uint32_t wireSize{0}; ///< Octets of the FPDU, markers included.
        bool placed{false};   ///< Ahead of order.
    };

    /// Adds all octets of \p packet behind what is there.
    void Append(const Packet& packet);

    /// \return all octets not yet taken.
    [[nodiscard]] ByteSpan Rest() const
    {
        return ByteSpan(m_buffer).subspan(m_begin, m_end - m_begin);
    }

    /// Takes \p octets from the front.
    void Skip(std::size_t octets);

    /// What is at the front, or will be, is the first FPDU, at position 0.
    void StartFullOperation(FpduFraming framing);
    /// Has segments looked at as they arrive, from the first FPDU on. Right after
    /// StartFullOperation().
    void LookAhead(FpduAssembler::Options options, FpduAssembler::PlaceFunction place);

    /// \return what works ahead; null without LookAhead().
    [[nodiscard]] const FpduAssembler* GetAssembler() const
    {
        return m_assembler.get();
    }

    /// A segment has arrived, whose octets are in order or will be. Requires LookAhead().
    /// \return false when it is to be treated as lost
    [[nodiscard]] bool LookAt(uint64_t position, ByteSpan octets)
    {
        return m_assembler->Receive(position, octets);
    }

    /// \return the position of the front, as in Marker.
    [[nodiscard]] uint64_t GetPosition() const
    {
        return m_position;
    }

    /// \return octets of the FPDU at the front, markers included, as soon as its length has come;
    /// 0 when it has been placed ahead.
    [[nodiscard]] std::optional<uint32_t> PeekWireSize() const;

    /// Takes the FPDU at the front.
    /// \return nothing while it is incomplete; CRC_MISMATCH or MARKER_MISMATCH when it is not valid
    [[nodiscard]] tl::expected<std::optional<Received>, MpaError> TakeFpdu();

  private:
    tl::expected<std::optional<Received>, MpaError> TakeFpduAtFront();

    FpduFraming m_framing;
    ByteVector m_buffer;
    std::size_t m_begin{0};
    std::size_t m_end{0};
    uint64_t m_position{0};
    std::unique_ptr<FpduAssembler> m_assembler;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_RECEIVER_H
