/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_SEND_SIDE_H
#define NFSRDMA_TOE_SEND_SIDE_H

#include "toe/congestion-control.h"
#include "toe/deadlines.h"
#include "toe/delivery-rate.h"
#include "toe/engine-counters.h"
#include "toe/engine-settings.h"
#include "toe/hystart.h"
#include "toe/mtu-search.h"
#include "toe/rack.h"
#include "toe/rate-control.h"
#include "toe/rate-reduction.h"
#include "toe/received-ranges.h"
#include "toe/round-trip.h"
#include "toe/scoreboard.h"
#include "toe/unit-queue.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// What an acknowledgment says, in places of the stream that it acknowledges.
struct TcpAcknowledgment
{
    Position position{0};                  ///< Of the next octet that the peer expects.
    Position sequence{0};                  ///< Of the segment that brings it, in its own stream.
    uint64_t window{0};                    ///< Octets, scaled.
    bool bringsOctets{false};              ///< Or SYN or FIN: it is no duplicate then.
    bool echo{false};                      ///< ECE.
    std::optional<uint32_t> timestampEcho; ///< TSecr.
    std::array<SequenceRange, 4> sack{};   ///< As they came.
    uint32_t sackSize{0};
};

/// A segment that is to leave now.
struct SegmentToSend
{
    Position begin{0};
    Position end{0}; ///< Behind the last octet, without the FIN.
    bool fin{false};
    bool repeated{false};
    bool reduced{false}; ///< With CWR.
    bool capable{false}; ///< ECN-capable: ECT(0).
    bool last{false};    ///< Nothing is queued behind it: PSH.
};

/// What a connection begins to send with.
struct SendStart
{
    Time now;
    uint32_t segmentSize{0}; ///< Octets of payload, all options subtracted.
    uint64_t window{0};      ///< Of the peer.
    Position sequence{0};    ///< Of the segment with that window, in the peer's stream.
    bool sack{false};
    bool timestamps{false};
    bool ecn{false};
    uint32_t seed{0};              ///< Of what is drawn: not that of another connection.
    std::optional<Time> roundTrip; ///< Of the SYN, if it was sent once.
};

/**
 * \brief The sending half of an established connection: what is sent when, what is lost, and how
 * much may be in flight.
 *
 *                   duplicates, SACKs              a loss is detected
 *        +------+ ---------------------> +----------+ ---------------> +----------+
 *        | OPEN |                        | DISORDER |                  | RECOVERY |
 *        +------+ <--------------------- +----------+                  +----------+
 *         |  ^ ^   all in order again                                     |
 *     ECE |  | +----- all acknowledged that was sent before it began -----+
 *         v  |                                                            |
 *      +----------+     the retransmission timer goes off, in any     +------+
 *      | REDUCING |  -----------------------------------------------> | LOSS |
 *      +----------+                                                   +------+
 *
 * RECOVERY and REDUCING bring the window down in proportion (RFC 6937); LOSS begins with a window
 * of one segment, and by F-RTO (RFC 5682) with a look whether anything was lost at all. A loss is
 * detected by RACK (RFC 8985), or where that is off by RFC 6675, or without SACK by three
 * duplicates (RFC 6582). What shows that a reduction was for nothing (D-SACKs of all repetitions,
 * an echoed timestamp older than the first of them) takes it back, as Linux does.
 *
 * Next() says what is to leave until nothing is; whoever calls it sends.
 */
class SendSide
{
  public:
    SendSide(const TcpEngineSettings& settings,
             TcpDeadlines& deadlines,
             TcpEngineCounters& counters);

    /// The connection is established.
    void Start(const SendStart& start);

    /// Takes a unit of \p size octets, 1 or more. \return false when there is no room for it
    [[nodiscard]] bool Give(uint32_t size, Time now);
    /// Nothing more will be given: a FIN follows.
    void Finish();

    /// \return octets that can be given now.
    [[nodiscard]] uint32_t GetRoom() const;

    /// \return octets that the segment being filled still takes.
    [[nodiscard]] uint32_t GetUnitRoom() const
    {
        return m_queue.GetUnitRoom(m_next, GetSegmentSize());
    }

    /// \return whether a unit of \p size octets, given now, leaves at once in a segment of its own,
    /// and would do so a little later too, unless something arrives: nothing waits, nothing is
    /// lost, nothing is paced.
    [[nodiscard]] bool SendsAtOnce(uint32_t size) const;

    /// \return payload of a full segment, at most half the largest window of the peer.
    [[nodiscard]] uint32_t GetSegmentSize() const;

    /// \return that, whatever the window of the peer.
    [[nodiscard]] uint32_t GetPathSegmentSize() const
    {
        return m_segmentSize;
    }

    /// Has segments of \p size octets at most; what was sent in larger ones is lost.
    void Narrow(uint32_t size);

    /// Searches for larger segments than those of now (MtuSearch), up to \p ceiling octets.
    void Search(uint32_t ceiling, Time now)
    {
        m_search.Begin(m_segmentSize, ceiling, now);
    }

    /// \return the size of segments, of \p most that a router says; what the search knows, if there
    /// is one.
    [[nodiscard]] uint32_t LimitSegments(uint32_t most)
    {
        return m_search.IsOn() ? m_search.Limit(most) : most;
    }

    /// \param acknowledgment within what was sent, and not older than RFC 5961 section 5 allows
    void Acknowledge(const TcpAcknowledgment& acknowledgment, Time now);

    /// \return what is to leave at \p now, which counts as sent; nothing when nothing may.
    [[nodiscard]] std::optional<SegmentToSend> Next(Time now);

    /// One of REORDERING, PACING, TAIL_LOSS_PROBE, RETRANSMISSION and PERSIST has gone off.
    /// \return false when the connection is to be given up
    [[nodiscard]] bool HandleTimer(TcpTimer timer, Time now);

    /// \return whether the window is to be probed without octets; asking takes the order.
    [[nodiscard]] bool TakeProbe();

    [[nodiscard]] Position GetUnacknowledged() const
    {
        return m_unacknowledged;
    }

    /// \return place behind all that was sent.
    [[nodiscard]] Position GetNext() const
    {
        return m_next;
    }

    [[nodiscard]] uint64_t GetLargestWindow() const
    {
        return m_largestWindow;
    }

    /// \return place behind the last octet acknowledged, the FIN not counted.
    [[nodiscard]] Position GetAcknowledgedOctets() const
    {
        return std::min(m_unacknowledged, m_queue.GetEnd());
    }

    [[nodiscard]] bool IsFinSent() const
    {
        return m_finSent;
    }

    [[nodiscard]] bool IsFinAcknowledged() const
    {
        return m_finSent && m_unacknowledged == m_next;
    }

    /// \return whether nothing waits to be sent or to be acknowledged.
    [[nodiscard]] bool IsIdle() const;

    /// \return timeouts of retransmission in a row.
    [[nodiscard]] uint32_t GetTimeouts() const
    {
        return m_repeats;
    }

    [[nodiscard]] const CongestionWindow& GetCongestionWindow() const
    {
        return m_congestion;
    }

    [[nodiscard]] const CongestionControl& GetControl() const
    {
        return *m_control;
    }

    /// \return how fast octets arrive; null unless the control is a RateControl.
    [[nodiscard]] const DeliveryRate* GetDeliveryRate() const
    {
        return m_delivery.get();
    }

    [[nodiscard]] const RoundTripEstimator& GetRoundTrip() const
    {
        return m_roundTrip;
    }

  private:
    enum class Phase
    {
        OPEN,
        DISORDER,
        REDUCING,
        RECOVERY,
        LOSS,
    };

    /// What keeps octets from being sent.
    enum class Limit
    {
        NONE,
        PEER_WINDOW,
        CONGESTION_WINDOW,
    };

    /// What an acknowledgment has brought about.
    struct Outcome
    {
        uint64_t acknowledged{0}; ///< Octets, cumulatively.
        uint64_t delivered{0};    ///< Octets that have newly arrived.
        bool advanced{false};
        bool sacked{false};    ///< Something newly, behind a gap.
        bool duplicate{false}; ///< RFC 5681 section 2, without SACK.
        bool spurious{false};  ///< It has a D-SACK.
        std::optional<Time> roundTrip;
        bool original{false}; ///< Something arrived that was sent once, and before the timeout.
    };

    bool UpdateWindow(const TcpAcknowledgment& acknowledgment);
    Outcome Account(const TcpAcknowledgment& acknowledgment, Time now);
    void TakeSacks(const TcpAcknowledgment& acknowledgment, Outcome& outcome);
    [[nodiscard]] std::optional<Time> MeasureRoundTrip(std::size_t cumulative, Time now);
    void ProcessTailProbe(const Outcome& outcome, Time now);
    void ProcessPhase(const TcpAcknowledgment& acknowledgment, const Outcome& outcome, Time now);
    void ProcessLoss(const Outcome& outcome, Time now);
    /// \return whether all is acknowledged that was sent before the phase began, and without SACK
    /// something behind it: duplicates of repetitions must not look like another loss (RFC 6582
    /// section 5).
    [[nodiscard]] bool IsRepaired() const;
    void ProcessDuplicates(const Outcome& outcome);
    void Grow(const Outcome& outcome, Time now);
    /// A round trip is over: what limited it has no say any more.
    void EndRound();
    /// Has the rate control set the window, and the rate.
    void FollowRate(const Outcome& outcome, Time now);
    void TellLosses(Time now);
    /// Nothing waits to be sent: the rate control has to know, if the window has room.
    void NoteNothingToSend();
    void RearmTimers(const Outcome& outcome, Time now);

    void DetectLosses(Time now);
    void DetectLossesBySack();
    void RememberForUndo();
    [[nodiscard]] bool MayUndo(const TcpAcknowledgment& acknowledgment,
                               const Outcome& outcome) const;
    void Undo(Time now);
    void EnterReduction(uint64_t threshold);
    void EnterRecovery(Time now);
    void EnterLoss(Time now);
    void EndReduction();
    [[nodiscard]] Rack::Circumstances GetCircumstances() const;
    [[nodiscard]] bool IsReducing() const;

    std::optional<SegmentToSend> SendTailProbe(Time now);
    std::optional<SegmentToSend> SendLost(Time now);
    std::optional<SegmentToSend> SendNew(Time now, bool regardless);
    /// \return octets of the probe of the search that is to leave now; 0: none.
    [[nodiscard]] uint32_t GetSearchProbe(Time now);
    void ProcessSearch();
    /// Nothing comes of the probe; it is repeated in segments of the usual size.
    void CutSearchProbe();
    SegmentToSend Repeat(SentSegment& segment, uint64_t& counter, Time now);
    /// The time since the last call went into the limit that was in force then.
    void NoteLimit(Limit limit, Time now);
    [[nodiscard]] bool FitsCongestionWindow(uint64_t size) const;
    [[nodiscard]] bool HasUnsent() const;
    void NoteSent(Position end, uint64_t size, Time now);

    /// \return when what is sent at \p now leaves: behind what was sent ahead of time.
    [[nodiscard]] Time GetDeparture(Time now) const
    {
        return std::max(now, m_lastSent);
    }

    [[nodiscard]] bool IsPaced() const
    {
        return m_settings.pacing || m_rate != nullptr;
    }

    void Pace(uint64_t size, Time now);
    void ScheduleTailProbe(Time now);
    void ArmPersist(Time now);
    void SetUserTimeout(Time now);
    void RestartAfterIdle(Time now);

    const TcpEngineSettings& m_settings;
    TcpDeadlines& m_deadlines;
    TcpEngineCounters& m_counters;

    bool m_started{false};
    bool m_sack{false};
    bool m_timestamps{false};
    bool m_ecn{false};
    uint32_t m_segmentSize{0};

    UnitQueue m_queue;
    bool m_finishing{false};
    bool m_finSent{false};
    Position m_unacknowledged{FIRST_OCTET}; ///< SND.UNA.
    Position m_next{FIRST_OCTET};           ///< SND.NXT.
    uint64_t m_window{0};                   ///< SND.WND.
    Position m_windowSequence{0};           ///< SND.WL1.
    Position m_windowPosition{0};           ///< SND.WL2.
    uint64_t m_largestWindow{0};

    Scoreboard m_scoreboard;
    std::vector<SentSegment> m_arrived; ///< By the acknowledgment being processed.
    RoundTripEstimator m_roundTrip;
    Rack m_rack;
    RateReduction m_reduction;
    std::unique_ptr<CongestionControl> m_control;
    RateControl* m_rate;                      ///< The same, if it is one; else null.
    std::unique_ptr<DeliveryRate> m_delivery; ///< With it.
    CongestionWindow m_congestion;
    HyStart m_hystart;
    MtuSearch m_search;
    Position m_searchRepaired{FIRST_OCTET}; ///< Until this is acknowledged losses reduce nothing.

    Phase m_phase{Phase::OPEN};
    Position m_high{0}; ///< Behind what was sent when the phase began.
    uint32_t m_duplicates{0};
    bool m_frto{false};
    bool m_headDue{false}; ///< After a timeout, the first segment is to be repeated.
    bool m_congestionLimited{false};
    Limit m_limit{Limit::NONE};
    Time m_limitedSince;
    uint64_t m_mostPipe{0}; ///< Of the round trip that ends where the next says.
    Position m_mostPipeEnd{0};
    bool m_owesReduced{false}; ///< CWR goes with the next new octets.

    std::optional<Position> m_undoFrom;
    uint32_t m_undoRepeats{0}; ///< Repetitions that no D-SACK has come for.
    uint32_t m_undoStamp{0};   ///< TSval of the first of them.
    CongestionWindow m_undoTo;

    bool m_probeTail{false};
    std::optional<Position> m_tailEnd; ///< Of the probe that is out (TLP.end_seq).
    bool m_tailRepeats{false};

    uint32_t m_repeats{0}; ///< Timeouts in a row.
    uint32_t m_probes{0};  ///< Of the window, without an answer.
    uint32_t m_probeBackOff{0};
    bool m_overrideWindow{false};
    bool m_probeWindow{false};
    Time m_lastSent;
    Time m_paceAt;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_SEND_SIDE_H
