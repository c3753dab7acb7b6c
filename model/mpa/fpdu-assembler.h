/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_ASSEMBLER_H
#define NFSRDMA_MPA_FPDU_ASSEMBLER_H

#include "mpa/fpdu-framing.h"
#include "mpa/reassembly-buffer.h"

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Finds FPDUs in segments that arrive in any order, cut anywhere, and repeated, ahead of the
 * ordered stream (RFC 5044 sections 6 and 8, appendix A.3 to A.5).
 *
 * The ordered stream stays the business of TCP and of whoever reads it; this object works ahead of
 * it. An FPDU behind a gap is handed to the place function once, as soon as all its octets are
 * here and it is valid, if its start is known:
 *   - a marker points to it (and all its markers agree);
 *   - or the FPDU before it, valid, ends there;
 *   - or, with Options::trustAlignment, without markers and with CRCs only, a segment begins with
 *     it, or an FPDU that is not yet complete should end there, and its CRC is right.
 * The third is FPDU alignment. Section 6 does not name it, so it is not used unless told to; the
 * CRC is what makes it certain enough, so without CRCs alignment is never trusted, and without
 * markers and CRCs nothing is found. An FPDU found by mistake shows when the gap is closed:
 * HasPlacedBetween().
 *
 * Of octets that arrive twice the first are kept. What has been placed keeps the octets that were
 * checked, so that nothing that comes later can change it. Octets before the front, where the
 * first FPDU that is not complete in order begins, are not kept.
 *
 * Positions are those of Marker.
 */
class FpduAssembler
{
  public:
    /// Octets that a receiver must be able to hold, RFC 5044 appendix A.5.2.
    static constexpr uint64_t MIN_LIMIT = 140;

    struct Options
    {
        FpduFraming framing;
        /// Refuse a segment that wholly contains an FPDU that is not valid.
        bool dropBadSegments{false};
        /// Without markers and with CRCs, take where a segment begins for where an FPDU may begin.
        bool trustAlignment{false};
        /// Octets that may be held; a segment that comes out of order and would exceed it is
        /// refused. At least MIN_LIMIT counts.
        uint64_t limit{std::numeric_limits<uint64_t>::max()};
        uint64_t position{0}; ///< Where the stream begins.
    };

    struct Statistics
    {
        uint64_t placedFpdus{0};
        uint64_t duplicateOctets{0}; ///< That had arrived before.
        uint64_t droppedSegments{0}; ///< With an FPDU that was not valid.
        uint64_t refusedSegments{0}; ///< Above the limit.
    };

    /// An FPDU whose ULPDU has been placed ahead of order.
    struct PlacedFpdu
    {
        uint32_t wireSize{0};
        ByteVector octets;
        ByteSpan ulpdu; ///< Within octets.
    };

    /// Takes a ULPDU behind a gap; \return false to have it come in order instead.
    using PlaceFunction = std::function<bool(ByteSpan ulpdu)>;

    /// \param place may be empty: then nothing is placed.
    FpduAssembler(const Options& options, PlaceFunction place);

    /// A segment has arrived.
    /// \return false when it is refused, and as if it had been lost
    [[nodiscard]] bool Receive(uint64_t position, ByteSpan octets);

    /// \return the FPDU at \p position if it has been placed; valid until Advance().
    [[nodiscard]] const PlacedFpdu* FindPlaced(uint64_t position) const;
    /// \return whether an FPDU that has been placed begins behind \p begin and before \p end: in
    /// an FPDU found there in order, this says that a marker, or an alignment, has misled.
    [[nodiscard]] bool HasPlacedBetween(uint64_t begin, uint64_t end) const;

    /// In order, FPDUs have been delivered up to \p delivered and octets have arrived up to
    /// \p received.
    void Advance(uint64_t delivered, uint64_t received);

    /// \return octets that have arrived and are neither placed nor complete in order: what a
    /// receiver must buffer.
    [[nodiscard]] uint64_t GetHeldOctets() const
    {
        return m_buffer.GetOctets();
    }

    [[nodiscard]] const Statistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    struct Tried
    {
        uint64_t end{0};
        bool valid{false};
    };

    uint64_t OrderedEnd() const;
    bool WalkOrderedSegment(ByteSpan& octets);
    void WalkFront();
    void Store(uint64_t position, ByteSpan octets);
    uint64_t PlacedEnd(uint64_t position) const;
    void FindFpdus(const PositionRange& fresh);
    void CollectCertainStarts(const PositionRange& extent);
    void TryChain(uint64_t start, bool certain);
    std::optional<uint64_t> TryFpdu(uint64_t start, bool certain);

    bool UsesAlignment() const
    {
        return m_options.trustAlignment && m_options.framing.crc && !m_options.framing.markers;
    }

    bool IsFresh(const PositionRange& range) const;
    void ForgetFresh();

    Options m_options;
    PlaceFunction m_place;
    uint64_t m_front;    ///< Start of the first FPDU not complete in order.
    uint64_t m_received; ///< End of what the reader of the ordered stream has.
    ReassemblyBuffer m_buffer;
    std::map<uint64_t, PlacedFpdu> m_placed;
    std::map<uint64_t, Tried> m_tried;  ///< Complete FPDUs in the buffer, by start.
    std::set<uint64_t> m_likelyStarts;  ///< That a valid CRC would confirm.
    std::vector<PositionRange> m_fresh; ///< New octets of the segment at hand.
    std::vector<uint64_t> m_starts;     ///< Used while FPDUs are looked for.
    bool m_badSegment{false};
    Statistics m_statistics;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_ASSEMBLER_H
