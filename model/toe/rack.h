/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_RACK_H
#define NFSRDMA_TOE_RACK_H

#include "toe/scoreboard.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Detects losses by time: RFC 8985 section 6. A segment is lost when one that was sent
 * sufficiently later has arrived.
 */
class Rack
{
  public:
    /// What the reordering window depends on.
    struct Circumstances
    {
        bool recovering{false};       ///< In fast recovery, or after a timeout.
        std::optional<Time> smoothed; ///< Round trip.
        std::optional<Time> least;    ///< Round trip.
    };

    /// \p segment has arrived, as its acknowledgment at \p now says.
    void Deliver(const SentSegment& segment, Time now, const Circumstances& circumstances);

    /// A segment that was sent once only arrived after one sent later.
    void NoteReordering()
    {
        m_reorderingSeen = true;
    }

    /// A D-SACK has come: what was taken for lost was not. \param sentEnd behind all that was sent
    void NoteSpurious(Position acknowledged, Position sentEnd);
    /// A recovery has ended.
    void NoteRecovered();

    /// Marks as lost on \p scoreboard what is.
    /// \return after how long more will be, unless it arrives; zero without
    Time Detect(Scoreboard& scoreboard, Time now, const Circumstances& circumstances) const;
    /// \return how long ago \p segment has to have been sent, and has not yet, to be lost.
    [[nodiscard]] Time GetPatience(const SentSegment& segment,
                                   Time now,
                                   const Scoreboard& scoreboard,
                                   const Circumstances& circumstances) const;

  private:
    [[nodiscard]] Time GetReorderingWindow(const Scoreboard& scoreboard,
                                           const Circumstances& circumstances) const;
    [[nodiscard]] bool IsSentBefore(const SentSegment& segment) const;

    bool m_any{false};
    Time m_sentAt;     ///< Of the segment sent latest of those that have arrived.
    Position m_end{0}; ///< Of that segment.
    Time m_roundTrip;  ///< Of that segment.
    bool m_reorderingSeen{false};
    uint32_t m_multiple{1};             ///< Of a quarter of the least round trip.
    uint32_t m_persists{0};             ///< Recoveries for which the multiple stays.
    std::optional<Position> m_roundEnd; ///< The multiple has grown in this round trip.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_RACK_H
