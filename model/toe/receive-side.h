/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_RECEIVE_SIDE_H
#define NFSRDMA_TOE_RECEIVE_SIDE_H

#include "toe/deadlines.h"
#include "toe/engine-counters.h"
#include "toe/engine-settings.h"
#include "toe/options.h"
#include "toe/receive-window.h"
#include "toe/received-ranges.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The receiving half of a connection: what has arrived, what may still come, and what the
 * peer is to be told of it, and when.
 *
 * Places are of the peer's stream. An acknowledgment is due with every second segment, after
 * delayedAck, and at once for what is out of order, repeated, fills a gap or ends the stream (RFC
 * 5681 section 4.2).
 */
class ReceiveSide
{
  public:
    ReceiveSide(const TcpEngineSettings& settings,
                TcpDeadlines& deadlines,
                TcpEngineCounters& counters);

    /// What both ends have agreed on.
    struct Agreement
    {
        uint8_t scale{0};        ///< Of the window offered.
        uint32_t segmentSize{0}; ///< Octets of a full segment.
        bool sack{false};
        bool timestamps{false};
        bool ecn{false};
        bool countsMarks{false}; ///< Each mark is echoed once (RFC 8257 section 3.2).
    };

    void Start(const Agreement& agreement);

    /// \return place of what is expected next: RCV.NXT, behind the FIN when it has come.
    [[nodiscard]] Position GetNext() const
    {
        return m_ranges.GetNext() + (m_finished ? 1 : 0);
    }

    /// \return place behind the last octet in order, the FIN not counted.
    [[nodiscard]] Position GetOctetsEnd() const
    {
        return m_ranges.GetNext();
    }

    /// \return whether the FIN has come, and all before it.
    [[nodiscard]] bool IsFinished() const
    {
        return m_finished;
    }

    /// \return whether a segment of \p length, SYN and FIN counted, lies within the window at least
    /// in part (RFC 9293 section 3.10.7.4); what begins at a closed window is, for its ACK.
    [[nodiscard]] bool IsAcceptable(Position begin, uint32_t length) const;

    [[nodiscard]] Position GetEdge() const
    {
        return m_window.GetEdge();
    }

    /// \return whether a segment with \p value as TSval is of old (PAWS, RFC 7323 section 5.2).
    [[nodiscard]] bool IsOld(uint32_t value, Time now) const;
    /// A segment that begins at \p begin, acceptable, had \p value as TSval.
    void RememberTimestamp(uint32_t value, Position begin, Time now);

    [[nodiscard]] uint32_t GetTimestampToEcho() const
    {
        return m_recent.value_or(0);
    }

    /// \return whether what has come so far is to be acknowledged before a segment is taken that is
    /// \p marked, so that the echo is exact (RFC 8257 section 3.2).
    [[nodiscard]] bool IsEchoChanging(bool marked) const;
    /// A segment with octets came, marked or not, and with CWR or not.
    void NoteMark(bool marked, bool reduced);

    /// \return whether an acknowledgment has ECE now.
    [[nodiscard]] bool OwesEcho() const
    {
        return m_echo;
    }

    /// The octets from \p begin up to before \p end have come, and the FIN behind them or not;
    /// parts may lie outside the window. \return what is new
    ReceivedRanges::Change Take(Position begin, Position end, bool fin, Time now);

    /// What came was not acceptable, and repeats what was there when it has octets.
    void NoteUnacceptable(Position begin, uint32_t length);

    /// The user has taken \p octets that came in order. An acknowledgment may be due.
    void Consume(uint64_t octets);

    /// \return octets in order that the user has not taken.
    [[nodiscard]] uint64_t GetWaiting() const
    {
        return static_cast<uint64_t>(m_ranges.GetNext() - m_consumed);
    }

    /// \return octets that have come behind gaps.
    [[nodiscard]] uint64_t GetOutOfOrder() const
    {
        return m_ranges.GetOctets();
    }

    [[nodiscard]] bool IsAcknowledgmentDue() const
    {
        return m_due;
    }

    /// An acknowledgment is due at once.
    void Demand()
    {
        m_due = true;
    }

    /// \return the window field of a segment that leaves now, of a SYN when \p syn.
    [[nodiscard]] uint16_t OfferWindow(bool syn);
    [[nodiscard]] uint8_t GetOfferedScale() const;

    /// Adds at most \p most ranges to \p sack, as sequence numbers by \p toSequence.
    template <typename ToSequence>
    void ReportRanges(SackRanges& sack, uint32_t most, ToSequence toSequence)
    {
        if (m_repeated && sack.GetSize() < most)
        {
            sack.Add({toSequence(m_repeated->begin), toSequence(m_repeated->end)});
            ++m_counters.dsacksSent;
            m_repeated.reset();
        }
        for (const SequenceRange& range : m_ranges.GetRanges())
        {
            if (sack.GetSize() >= most)
            {
                break;
            }
            sack.Add({toSequence(range.begin), toSequence(range.end)});
        }
    }

    /// A segment with ACK leaves.
    void NoteAcknowledged();

  private:
    void DelayAcknowledgment(Time now);
    void NoteRepeated(SequenceRange range);

    const TcpEngineSettings& m_settings;
    TcpDeadlines& m_deadlines;
    TcpEngineCounters& m_counters;
    Agreement m_agreement;
    ReceivedRanges m_ranges;
    ReceiveWindow m_window;
    Position m_consumed{FIRST_OCTET};
    std::optional<Position> m_finAt;
    bool m_finished{false};
    bool m_due{false};
    uint32_t m_pending{0}; ///< Segments with octets that are not acknowledged.
    Position m_lastAcknowledged{FIRST_OCTET};
    std::optional<SequenceRange> m_repeated; ///< To be told by D-SACK.
    std::optional<uint32_t> m_recent;        ///< TS.Recent.
    Time m_recentAt;
    bool m_echo{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_RECEIVE_SIDE_H
