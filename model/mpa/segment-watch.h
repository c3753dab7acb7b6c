/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SEGMENT_WATCH_H
#define NFSRDMA_MPA_SEGMENT_WATCH_H

#include "mpa/byte-stream.h"
#include "mpa/fpdu-receiver.h"

#include "ns3/packet.h"

namespace ns3::nfsrdma
{

/**
 * \brief What an MPA-aware receiver sees of segments as they arrive, in order or not, before TCP
 * takes them (RFC 5044 appendix A.3), in terms of FPDU positions.
 *
 * It lets the FpduAssembler of an FpduReceiver work ahead, and knows how much must be buffered.
 */
class SegmentWatch
{
  public:
    /// What it is for.
    struct Options
    {
        bool outOfOrderPlacement{false}; ///< FPDUs behind a gap are placed.
        bool trustAlignment{false};      ///< Also those that only begin with a segment.
        bool dropBadSegments{false};     ///< A segment with an FPDU that is not valid is lost.
        bool countReassembly{false};     ///< Octets held are counted, whatever else.
        uint32_t reassemblyLimit{0};     ///< Octets held at most; one segment always is.
    };

    /**
     * \brief Begins at the first FPDU.
     * \param receiver in full operation, at its first FPDU; outlives this object
     * \param stream where the octets come from
     * \param place takes FPDUs behind a gap
     */
    void Start(const Options& options,
               FpduReceiver& receiver,
               const ByteStream& stream,
               FpduAssembler::PlaceFunction place);

    /// \return whether segments have to be seen.
    [[nodiscard]] bool IsActive() const
    {
        return m_active;
    }

    /// Looks at a segment whose first octet is at \p offset of the stream.
    /// \return false when it is to be treated as lost
    [[nodiscard]] bool LookAt(uint64_t offset, const Packet& segment);
    /// \return octets that have arrived from \p stream and are neither delivered nor placed.
    [[nodiscard]] uint64_t GetHeldOctets(const ByteStream& stream) const;
    /// \return what the assembler has seen; null when only counting.
    [[nodiscard]] const FpduAssembler::Statistics* GetStatistics() const;

  private:
    FpduReceiver* m_receiver{nullptr};
    bool m_active{false};
    uint64_t m_firstFpduOffset{0}; ///< In the stream.
    ByteVector m_segment;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SEGMENT_WATCH_H
