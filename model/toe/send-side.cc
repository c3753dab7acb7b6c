/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/send-side.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t DUPLICATES_OF_LOSS = 3;
constexpr uint32_t MOST_WINDOW_DOUBLINGS = 16;
constexpr uint32_t UNBOUND_SEGMENT = 536; // TCP_MSS_DEFAULT: a smaller window is one segment.
constexpr int64_t ROUND_TRIPS_TO_PROBE = 2;
constexpr double SLOW_START_PACE = 2.0; // tcp_pacing_ss_ratio and tcp_pacing_ca_ratio.
constexpr double AVOIDANCE_PACE = 1.2;

} // namespace

SendSide::SendSide(const TcpEngineSettings& settings,
                   TcpDeadlines& deadlines,
                   TcpEngineCounters& counters)
    : m_settings(settings),
      m_deadlines(deadlines),
      m_counters(counters),
      m_queue(settings.aligned, settings.packing),
      m_roundTrip(settings),
      m_control(CongestionControl::Create(settings.control)),
      m_rate(m_control->GetRateControl()),
      m_delivery(m_rate == nullptr ? nullptr : std::make_unique<DeliveryRate>()),
      m_hystart(settings),
      m_search(settings)
{
}

void
SendSide::Start(const SendStart& start)
{
    m_started = true;
    m_sack = start.sack;
    m_timestamps = start.timestamps;
    m_ecn = start.ecn && m_rate == nullptr;
    m_segmentSize = start.segmentSize;
    m_window = start.window;
    m_largestWindow = start.window;
    m_windowSequence = start.sequence;
    m_windowPosition = FIRST_OCTET;
    m_congestion.segment = start.segmentSize;
    m_congestion.window = static_cast<uint64_t>(m_settings.initialWindow) * start.segmentSize;
    m_lastSent = start.now;
    if (start.roundTrip)
    {
        m_roundTrip.Measure(*start.roundTrip, start.now);
    }
    if (m_rate != nullptr)
    {
        m_scoreboard.KeepLost();
        m_rate->Start(m_congestion, start.roundTrip, start.seed, start.now);
    }
}

bool
SendSide::Give(uint32_t size, Time now)
{
    if (m_finishing || size > GetRoom())
    {
        return false;
    }
    if (m_started && IsIdle())
    {
        SetUserTimeout(now);
        RestartAfterIdle(now);
    }
    m_queue.Add(size);
    return true;
}

void
SendSide::RestartAfterIdle(Time now)
{
    const uint64_t initial = static_cast<uint64_t>(m_settings.initialWindow) * m_segmentSize;
    if (!m_settings.slowStartAfterIdle || m_rate != nullptr ||
        now - m_lastSent <= m_roundTrip.GetTimeout() || m_congestion.window <= initial)
    {
        return;
    }
    m_congestion.threshold = std::max(m_congestion.threshold, m_congestion.window / 4 * 3);
    m_congestion.window = initial;
    m_control->Restart(m_congestion);
}

void
SendSide::Finish()
{
    m_finishing = true;
}

uint32_t
SendSide::GetRoom() const
{
    const auto held = static_cast<uint64_t>(m_queue.GetEnd() - GetAcknowledgedOctets());
    return held >= m_settings.sendBuffer ? 0 : m_settings.sendBuffer - static_cast<uint32_t>(held);
}

uint32_t
SendSide::GetSegmentSize() const
{
    if (m_largestWindow == 0 || m_largestWindow >= 2 * static_cast<uint64_t>(m_segmentSize))
    {
        return m_segmentSize;
    }
    const auto window = static_cast<uint32_t>(m_largestWindow);
    return std::min(m_segmentSize, window > UNBOUND_SEGMENT ? window / 2 : window);
}

bool
SendSide::SendsAtOnce(uint32_t size) const
{
    const bool isQuiet = m_started && !IsPaced() && m_phase == Phase::OPEN && !m_probeTail &&
                         !m_search.IsOn() && !m_finishing;
    const Position room = m_unacknowledged + static_cast<Position>(m_window) - m_next;
    return isQuiet && m_next == m_queue.GetEnd() && size <= GetSegmentSize() && size <= GetRoom() &&
           size <= room && m_scoreboard.GetLostOctets() == 0 && FitsCongestionWindow(size);
}

void
SendSide::Narrow(uint32_t size)
{
    if (size >= m_segmentSize)
    {
        m_segmentSize = size;
        m_congestion.segment = size;
        return;
    }
    for (SentSegment& segment : m_scoreboard.GetSegments())
    {
        if (!segment.sacked && segment.GetSize() > size)
        {
            m_scoreboard.MarkLost(segment);
        }
    }
    m_scoreboard.Split(size);
    m_segmentSize = size;
    m_congestion.segment = size;
}

bool
SendSide::IsIdle() const
{
    return m_scoreboard.IsEmpty() && !HasUnsent();
}

bool
SendSide::HasUnsent() const
{
    return m_next < m_queue.GetEnd() || (m_finishing && !m_finSent);
}

bool
SendSide::IsReducing() const
{
    return m_phase == Phase::REDUCING || m_phase == Phase::RECOVERY;
}

Rack::Circumstances
SendSide::GetCircumstances() const
{
    return {m_phase == Phase::RECOVERY || m_phase == Phase::LOSS,
            m_roundTrip.GetSmoothed(),
            m_roundTrip.GetLeast()};
}

// Acknowledgments

void
SendSide::Acknowledge(const TcpAcknowledgment& acknowledgment, Time now)
{
    m_probes = 0;
    m_counters.ecnEchoes += acknowledgment.echo ? 1 : 0;
    const bool windowChanged = UpdateWindow(acknowledgment);
    Outcome outcome = Account(acknowledgment, now);
    ProcessSearch();
    outcome.duplicate = !outcome.advanced && !windowChanged && !acknowledgment.bringsOctets &&
                        acknowledgment.position == m_unacknowledged && !m_scoreboard.IsEmpty();
    if (!m_sack && outcome.duplicate)
    {
        outcome.delivered += GetSegmentSize();
    }
    m_control->Observe(m_unacknowledged, m_next, outcome.delivered, acknowledgment.echo);
    const uint64_t lostBefore = m_scoreboard.GetLostOctets();
    ProcessTailProbe(outcome, now);
    ProcessPhase(acknowledgment, outcome, now);
    if (m_rate != nullptr)
    {
        FollowRate(outcome, now);
    }
    else if (IsReducing())
    {
        const bool progress = outcome.advanced && m_scoreboard.GetLostOctets() <= lostBefore;
        const uint64_t window = m_reduction.Acknowledge(m_scoreboard.GetPipe(),
                                                        outcome.delivered,
                                                        m_congestion.threshold,
                                                        GetSegmentSize(),
                                                        progress);
        m_congestion.window = std::max<uint64_t>(window, GetSegmentSize());
    }
    else if (outcome.advanced)
    {
        Grow(outcome, now);
    }
    RearmTimers(outcome, now);
}

bool
SendSide::UpdateWindow(const TcpAcknowledgment& acknowledgment)
{
    const bool isNewer =
        acknowledgment.position > m_windowPosition || acknowledgment.sequence > m_windowSequence ||
        (acknowledgment.sequence == m_windowSequence && acknowledgment.window > m_window);
    if (!isNewer || acknowledgment.position < m_unacknowledged)
    {
        return false;
    }
    const bool changed = acknowledgment.window != m_window;
    m_window = acknowledgment.window;
    m_windowSequence = acknowledgment.sequence;
    m_windowPosition = acknowledgment.position;
    m_largestWindow = std::max(m_largestWindow, m_window);
    if (changed)
    {
        m_deadlines.Cancel(TcpTimer::PERSIST);
        m_probeBackOff = 0;
        m_overrideWindow = false;
    }
    return changed;
}

SendSide::Outcome
SendSide::Account(const TcpAcknowledgment& acknowledgment, Time now)
{
    Outcome outcome;
    m_arrived.clear();
    const Position forward = m_scoreboard.GetForward();
    if (acknowledgment.position > m_unacknowledged)
    {
        outcome.advanced = true;
        outcome.acknowledged = static_cast<uint64_t>(acknowledgment.position - m_unacknowledged);
        m_unacknowledged = acknowledgment.position;
        m_scoreboard.Acknowledge(m_unacknowledged, m_arrived);
        m_repeats = 0;
        m_roundTrip.EndBackOff();
        m_probeBackOff = 0;
    }
    const std::size_t cumulative = m_arrived.size();
    if (m_sack)
    {
        TakeSacks(acknowledgment, outcome);
    }
    outcome.sacked = m_arrived.size() > cumulative;
    outcome.roundTrip = MeasureRoundTrip(cumulative, now);
    if (m_rate != nullptr)
    {
        m_delivery->Begin();
    }
    const auto circumstances = GetCircumstances();
    for (const SentSegment& segment : m_arrived)
    {
        outcome.delivered += segment.GetSize();
        m_rack.Deliver(segment, now, circumstances);
        if (m_rate != nullptr)
        {
            m_delivery->Deliver(segment, now);
        }
        if (segment.transmissions == 1)
        {
            outcome.original = outcome.original || segment.end <= m_high;
            if (m_sack && segment.end <= forward)
            {
                m_rack.NoteReordering();
            }
        }
    }
    return outcome;
}

void
SendSide::TakeSacks(const TcpAcknowledgment& acknowledgment, Outcome& outcome)
{
    for (uint32_t i = 0; i < acknowledgment.sackSize; ++i)
    {
        const SequenceRange& range = acknowledgment.sack[i];
        if (range.begin >= range.end || range.end > m_next)
        {
            continue;
        }
        const bool isDuplicate = i == 0 && (range.end <= acknowledgment.position ||
                                            (acknowledgment.sackSize > 1 &&
                                             range.begin >= acknowledgment.sack[1].begin &&
                                             range.end <= acknowledgment.sack[1].end));
        if (!isDuplicate)
        {
            m_scoreboard.Sack(range.begin, range.end, m_arrived);
            continue;
        }
        outcome.spurious = true;
        ++m_counters.dsacksReceived;
        m_rack.NoteSpurious(acknowledgment.position, m_next);
        if (m_undoFrom && range.begin >= *m_undoFrom && m_undoRepeats > 0)
        {
            --m_undoRepeats;
        }
    }
}

std::optional<Time>
SendSide::MeasureRoundTrip(std::size_t cumulative, Time now)
{
    const auto begin = m_arrived.begin();
    const auto middle = begin + static_cast<std::ptrdiff_t>(cumulative);
    const auto repeated = [](const SentSegment& segment) { return segment.transmissions > 1; };
    const bool karn = std::any_of(begin, middle, repeated);
    for (auto segment = m_arrived.rbegin(); segment != m_arrived.rend(); ++segment)
    {
        const bool isCumulative = segment.base() <= middle;
        if (!repeated(*segment) && !(karn && isCumulative))
        {
            m_roundTrip.Measure(now - segment->sentAt, now);
            m_hystart.Measure(now - segment->sentAt);
            return now - segment->sentAt;
        }
    }
    return std::nullopt;
}

void
SendSide::ProcessTailProbe(const Outcome& outcome, Time now)
{
    if (!m_tailEnd || m_unacknowledged < *m_tailEnd)
    {
        return;
    }
    const bool repaired = m_tailRepeats && !outcome.spurious && m_unacknowledged > *m_tailEnd;
    const bool undecided =
        m_tailRepeats && !outcome.spurious && !outcome.duplicate && m_unacknowledged == *m_tailEnd;
    if (undecided)
    {
        return;
    }
    m_tailEnd.reset();
    if (repaired && m_phase < Phase::REDUCING)
    {
        ++m_counters.lossProbeRecoveries;
        EnterReduction(m_control->ReduceForLoss(m_congestion, now));
    }
}

void
SendSide::ProcessPhase(const TcpAcknowledgment& acknowledgment, const Outcome& outcome, Time now)
{
    if (m_phase != Phase::REDUCING && MayUndo(acknowledgment, outcome))
    {
        ++m_counters.undone;
        Undo(now);
    }
    if (m_phase == Phase::LOSS)
    {
        ProcessLoss(outcome, now);
    }
    else if (m_phase == Phase::RECOVERY && IsRepaired())
    {
        EndReduction();
        m_rack.NoteRecovered();
    }
    else if (m_phase == Phase::REDUCING && m_unacknowledged > m_high)
    {
        EndReduction();
    }
    if (acknowledgment.echo && m_ecn && m_phase < Phase::REDUCING)
    {
        ++m_counters.ecnReductions;
        EnterReduction(m_control->ReduceForMark(m_congestion, now));
    }
    if (!m_sack)
    {
        ProcessDuplicates(outcome);
    }
    DetectLosses(now);
    if (m_phase == Phase::OPEN || m_phase == Phase::DISORDER)
    {
        m_phase =
            m_scoreboard.GetSackedOctets() > 0 || m_duplicates > 0 ? Phase::DISORDER : Phase::OPEN;
    }
}

void
SendSide::ProcessLoss(const Outcome& outcome, Time now)
{
    if (m_frto)
    {
        if (outcome.original)
        {
            ++m_counters.spuriousTimeouts;
            Undo(now);
            return;
        }
        if (m_next == m_high && outcome.advanced && m_unacknowledged < m_high && HasUnsent() &&
            m_unacknowledged + static_cast<Position>(m_window) > m_next)
        {
            m_high = m_next;
            return;
        }
        m_frto =
            m_next > m_high && !outcome.sacked && !outcome.duplicate && m_unacknowledged < m_high;
    }
    if (IsRepaired())
    {
        if (m_rate != nullptr)
        {
            m_rate->LeaveRecovery(m_congestion);
        }
        m_phase = Phase::OPEN;
        m_duplicates = 0;
    }
    m_frto = m_frto && m_unacknowledged < m_high;
}

bool
SendSide::IsRepaired() const
{
    return m_unacknowledged > m_high || (m_unacknowledged == m_high && m_sack);
}

void
SendSide::ProcessDuplicates(const Outcome& outcome)
{
    const bool isRepairing = m_phase == Phase::RECOVERY && m_unacknowledged < m_high;
    if (outcome.advanced)
    {
        const uint64_t hole = std::min<uint64_t>(outcome.acknowledged, GetSegmentSize());
        m_scoreboard.ForgetDuplicates(isRepairing ? outcome.acknowledged - hole
                                                  : CongestionWindow::UNLIMITED);
        m_duplicates = 0;
        if (isRepairing)
        {
            m_scoreboard.MarkLost(m_scoreboard.GetSegments().front());
        }
        return;
    }
    const bool mayCount = isRepairing || m_phase < Phase::RECOVERY;
    if (!outcome.duplicate || !mayCount)
    {
        return;
    }
    ++m_duplicates;
    m_scoreboard.CountDuplicate(GetSegmentSize());
    if (m_duplicates == DUPLICATES_OF_LOSS && !isRepairing)
    {
        m_scoreboard.MarkLost(m_scoreboard.GetSegments().front());
    }
}

void
SendSide::DetectLosses(Time now)
{
    if (m_sack && m_settings.rack)
    {
        const Time more = m_rack.Detect(m_scoreboard, now, GetCircumstances());
        if (more > Time(0))
        {
            m_deadlines.Set(TcpTimer::REORDERING, now + more);
        }
        else
        {
            m_deadlines.Cancel(TcpTimer::REORDERING);
        }
    }
    else if (m_sack)
    {
        DetectLossesBySack();
    }
    if (m_search.IsUnderWay() && m_phase < Phase::REDUCING && !m_scoreboard.IsEmpty() &&
        m_unacknowledged == m_search.GetBegin() && m_scoreboard.GetSegments().front().lost)
    {
        ++m_counters.mtuProbesFailed;
        m_searchRepaired = m_search.GetEnd();
        m_search.Fail();
        CutSearchProbe();
    }
    if (m_scoreboard.GetLostOctets() > 0 && m_phase < Phase::RECOVERY &&
        m_unacknowledged >= m_searchRepaired)
    {
        EnterRecovery(now);
    }
}

void
SendSide::ProcessSearch()
{
    if (m_search.IsUnderWay() && m_unacknowledged >= m_search.GetEnd())
    {
        ++m_counters.mtuProbesPassed;
        m_segmentSize = m_search.Succeed();
        m_congestion.segment = m_segmentSize;
    }
}

void
SendSide::CutSearchProbe()
{
    m_search.Cancel();
    m_scoreboard.Split(m_segmentSize);
}

uint32_t
SendSide::GetSearchProbe(Time now)
{
    constexpr uint32_t LEAST_WINDOW = 11; // Segments, as Linux.
    constexpr uint32_t FOLLOWERS = 4;     // What tells of a loss: the reordering degree and one.
    const bool isQuiet = m_phase == Phase::OPEN && m_scoreboard.GetSackedOctets() == 0;
    if (!m_search.IsOn() || !isQuiet ||
        m_congestion.window < uint64_t{LEAST_WINDOW} * m_segmentSize)
    {
        return 0;
    }
    const uint32_t size = m_search.Next(now);
    const Position needed = size + Position{FOLLOWERS} * m_segmentSize;
    const Position edge = m_unacknowledged + static_cast<Position>(m_window);
    return size > m_segmentSize && m_queue.GetEnd() - m_next >= needed && edge - m_next >= needed
               ? size
               : 0;
}

void
SendSide::DetectLossesBySack()
{
    auto& segments = m_scoreboard.GetSegments();
    uint32_t above = 0;
    uint64_t octetsAbove = 0;
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment)
    {
        if (segment->sacked)
        {
            ++above;
            octetsAbove += segment->GetSize();
        }
        else if ((above >= DUPLICATES_OF_LOSS ||
                  octetsAbove > (DUPLICATES_OF_LOSS - 1) * uint64_t{GetSegmentSize()}) &&
                 !segment->lost)
        {
            m_scoreboard.MarkLost(*segment);
        }
    }
}

void
SendSide::RememberForUndo()
{
    m_undoFrom = m_unacknowledged;
    m_undoRepeats = 0;
    m_undoStamp = 0;
    m_undoTo = m_congestion;
}

bool
SendSide::MayUndo(const TcpAcknowledgment& acknowledgment, const Outcome& outcome) const
{
    if (!m_undoFrom || m_undoStamp == 0)
    {
        return false;
    }
    const bool allSpurious = outcome.spurious && m_undoRepeats == 0;
    const bool older = outcome.advanced && m_timestamps && acknowledgment.timestampEcho &&
                       *acknowledgment.timestampEcho != 0 &&
                       static_cast<int32_t>(*acknowledgment.timestampEcho - m_undoStamp) < 0;
    return allSpurious || older;
}

void
SendSide::Undo(Time now)
{
    m_scoreboard.UnmarkLost();
    if (m_rate != nullptr)
    {
        TellLosses(now);
        m_delivery->ForgetNewlyLost();
        m_rate->Undo();
        m_rate->LeaveRecovery(m_congestion);
    }
    m_congestion.window = std::max(m_congestion.window, m_undoTo.window);
    m_congestion.threshold = std::max(m_congestion.threshold, m_undoTo.threshold);
    m_control->Restart(m_congestion);
    m_undoFrom.reset();
    m_frto = false;
    m_headDue = false;
    m_duplicates = 0;
    m_phase = Phase::OPEN;
}

void
SendSide::EnterReduction(uint64_t threshold)
{
    m_undoFrom.reset();
    m_hystart.End();
    m_congestion.threshold = threshold;
    m_reduction.Begin(m_congestion.window);
    m_high = m_next;
    m_phase = Phase::REDUCING;
    m_owesReduced = m_ecn;
}

void
SendSide::EnterRecovery(Time now)
{
    ++m_counters.recoveries;
    m_hystart.End();
    m_tailEnd.reset();
    m_deadlines.Cancel(TcpTimer::TAIL_LOSS_PROBE);
    RememberForUndo();
    if (m_phase != Phase::REDUCING)
    {
        m_congestion.threshold = m_control->ReduceForLoss(m_congestion, now);
        m_reduction.Begin(m_congestion.window);
        m_owesReduced = m_ecn;
    }
    if (m_rate != nullptr)
    {
        m_rate->EnterRecovery(m_congestion);
    }
    m_high = m_next;
    m_phase = Phase::RECOVERY;
}

void
SendSide::EndReduction()
{
    if (m_rate != nullptr)
    {
        m_rate->LeaveRecovery(m_congestion);
    }
    else
    {
        m_congestion.window = m_congestion.threshold;
    }
    m_duplicates = 0;
    m_phase = Phase::OPEN;
}

void
SendSide::EnterLoss(Time now)
{
    const bool first = m_phase != Phase::LOSS || m_unacknowledged >= m_high;
    if (m_search.IsUnderWay())
    {
        CutSearchProbe();
    }
    m_searchRepaired = FIRST_OCTET;
    m_hystart.End();
    if (first)
    {
        RememberForUndo();
        m_congestion.threshold = m_control->ReduceForLoss(m_congestion, now);
    }
    m_control->NoteTimeout();
    if (m_rate != nullptr)
    {
        m_rate->EnterRecovery(m_congestion);
    }
    m_scoreboard.ForgetDuplicates(CongestionWindow::UNLIMITED);
    m_duplicates = 0;
    auto& segments = m_scoreboard.GetSegments();
    if (segments.front().sacked)
    {
        ++m_counters.sackRenegings;
        m_scoreboard.ForgetSacks();
    }
    const auto circumstances = GetCircumstances();
    for (SentSegment& segment : segments)
    {
        const bool isRecent =
            m_sack && m_settings.rack && segment.begin != segments.front().begin &&
            m_rack.GetPatience(segment, now, m_scoreboard, circumstances) > Time(0);
        if (!segment.sacked && !isRecent)
        {
            m_scoreboard.MarkLost(segment);
        }
    }
    m_frto = m_settings.frto && first;
    m_headDue = true;
    m_high = m_next;
    m_phase = Phase::LOSS;
    m_congestion.window = m_scoreboard.GetPipe() + GetSegmentSize();
    m_tailEnd.reset();
    m_probeTail = false;
    m_deadlines.Cancel(TcpTimer::TAIL_LOSS_PROBE);
    m_deadlines.Cancel(TcpTimer::REORDERING);
}

void
SendSide::Grow(const Outcome& outcome, Time now)
{
    const bool isLimited = m_congestionLimited ||
                           (m_congestion.IsInSlowStart() && m_congestion.window < 2 * m_mostPipe);
    EndRound();
    uint64_t octets = outcome.acknowledged;
    if (m_hystart.IsActive() && m_congestion.IsInSlowStart())
    {
        octets = m_hystart.Acknowledge(m_congestion, octets, m_unacknowledged, m_next, isLimited);
    }
    else if (isLimited && m_congestion.IsInSlowStart())
    {
        octets = GrowInSlowStart(m_congestion, octets);
    }
    if (!isLimited)
    {
        return;
    }
    if (octets > 0)
    {
        m_control->Avoid(m_congestion, octets, now, m_roundTrip.GetSmoothed().value_or(Time(0)));
    }
}

void
SendSide::EndRound()
{
    if (m_unacknowledged >= m_mostPipeEnd)
    {
        m_mostPipe = m_scoreboard.GetPipe();
        m_mostPipeEnd = m_next;
        m_congestionLimited = false;
    }
}

void
SendSide::FollowRate(const Outcome& outcome, Time now)
{
    TellLosses(now);
    auto sample = m_delivery->Finish(m_roundTrip.GetLeast(), m_unacknowledged);
    sample.inFlight = m_scoreboard.GetPipe();
    sample.windowLimited = m_congestionLimited;
    sample.roundTrip = outcome.roundTrip;
    m_rate->Acknowledge(sample, m_congestion, now);
    if (m_rate->IsHeldBack())
    {
        m_delivery->NoteApplicationLimit(m_scoreboard.GetPipe());
    }
    EndRound();
}

void
SendSide::TellLosses(Time now)
{
    for (const SentSegment& segment : m_scoreboard.TakeLost())
    {
        if (const auto lost = m_delivery->Lose(segment))
        {
            m_rate->NoteLoss(*lost, now);
        }
    }
}

void
SendSide::RearmTimers(const Outcome& outcome, Time now)
{
    if (m_scoreboard.IsEmpty())
    {
        m_deadlines.Cancel(TcpTimer::RETRANSMISSION);
        m_deadlines.Cancel(TcpTimer::TAIL_LOSS_PROBE);
        m_deadlines.Cancel(TcpTimer::REORDERING);
        m_probeTail = false;
    }
    else if (outcome.advanced)
    {
        m_deadlines.Set(TcpTimer::RETRANSMISSION, now + m_roundTrip.GetTimeout());
    }
    if (outcome.advanced || outcome.sacked)
    {
        ScheduleTailProbe(now);
    }
    if (IsIdle())
    {
        m_deadlines.Cancel(TcpTimer::USER_TIMEOUT);
    }
    else if (outcome.advanced)
    {
        SetUserTimeout(now);
    }
}

// Sending

void
SendSide::NoteNothingToSend()
{
    if (m_rate != nullptr && FitsCongestionWindow(GetSegmentSize()))
    {
        m_delivery->NoteApplicationLimit(m_scoreboard.GetPipe());
    }
}

std::optional<SegmentToSend>
SendSide::Next(Time now)
{
    if (!m_started)
    {
        return std::nullopt;
    }
    if (IsPaced() && now < m_paceAt && !m_probeTail && !m_headDue)
    {
        if (HasUnsent() || m_scoreboard.NextLost() != nullptr)
        {
            m_deadlines.Set(TcpTimer::PACING, m_paceAt);
        }
        else
        {
            NoteNothingToSend();
        }
        return std::nullopt;
    }
    if (m_probeTail)
    {
        return SendTailProbe(now);
    }
    const bool mayRepeat = m_headDue || !(m_phase == Phase::LOSS && m_frto);
    if (mayRepeat && m_scoreboard.NextLost() != nullptr)
    {
        return SendLost(now);
    }
    return SendNew(now, false);
}

bool
SendSide::FitsCongestionWindow(uint64_t size) const
{
    const uint64_t pipe = m_scoreboard.GetPipe();
    return pipe == 0 || pipe + size <= m_congestion.window;
}

std::optional<SegmentToSend>
SendSide::SendLost(Time now)
{
    SentSegment& segment = *m_scoreboard.NextLost();
    if (!m_headDue && !FitsCongestionWindow(segment.GetSize()))
    {
        m_congestionLimited = true;
        NoteLimit(Limit::CONGESTION_WINDOW, now);
        return std::nullopt;
    }
    m_headDue = false;
    if (segment.begin == m_unacknowledged)
    {
        m_deadlines.Set(TcpTimer::RETRANSMISSION, now + m_roundTrip.GetTimeout());
    }
    return Repeat(segment,
                  m_phase == Phase::LOSS ? m_counters.timerRetransmits : m_counters.fastRetransmits,
                  now);
}

SegmentToSend
SendSide::Repeat(SentSegment& segment, uint64_t& counter, Time now)
{
    m_scoreboard.Repeat(segment, GetDeparture(now));
    ++m_counters.retransmits;
    counter += segment.GetSize() > (segment.fin ? 1 : 0) ? 1 : 0;
    if (m_undoFrom)
    {
        ++m_undoRepeats;
        if (m_undoStamp == 0)
        {
            m_undoStamp = std::max(m_settings.GetTimestamp(now), 1U);
        }
    }
    NoteSent(segment.end, segment.GetSize(), now);
    const Position end = segment.end - (segment.fin ? 1 : 0);
    return {segment.begin, end, segment.fin, true, false, false, end == m_queue.GetEnd()};
}

std::optional<SegmentToSend>
SendSide::SendNew(Time now, bool regardless)
{
    const bool finDue = m_finishing && !m_finSent;
    uint32_t size = m_next < m_queue.GetEnd() ? m_queue.NextSize(m_next, GetSegmentSize()) : 0;
    const uint32_t probe = regardless ? 0 : GetSearchProbe(now);
    size = std::max(size, probe);
    if (size == 0 && !finDue)
    {
        NoteNothingToSend();
        NoteLimit(Limit::NONE, now);
        return std::nullopt;
    }
    const Position edge = m_unacknowledged + static_cast<Position>(m_window);
    const Position room = std::max<Position>(edge - m_next, 0);
    if (room < std::max<Position>(size, 1))
    {
        const bool override = m_overrideWindow && m_scoreboard.IsEmpty();
        m_overrideWindow = false;
        if (room == 0 || regardless ||
            (!override && 2 * static_cast<uint64_t>(room) < m_largestWindow))
        {
            m_probeWindow = m_probeWindow || override;
            NoteLimit(size == 0                        ? Limit::NONE
                      : m_window < m_congestion.window ? Limit::PEER_WINDOW
                                                       : Limit::CONGESTION_WINDOW,
                      now);
            ArmPersist(now);
            return std::nullopt;
        }
        size = static_cast<uint32_t>(room);
    }
    if (!regardless && !FitsCongestionWindow(size))
    {
        m_congestionLimited = true;
        NoteLimit(Limit::CONGESTION_WINDOW, now);
        return std::nullopt;
    }
    m_deadlines.Cancel(TcpTimer::PERSIST);
    const Position begin = m_next;
    const Position end = begin + size;
    const bool fin = finDue && end == m_queue.GetEnd() && end < edge;
    m_finSent = m_finSent || fin;
    m_next = end + (fin ? 1 : 0);
    m_scoreboard.Add(begin, m_next, fin, GetDeparture(now));
    if (probe > 0)
    {
        m_search.Send(begin, end);
    }
    ++m_counters.outSegments;
    const bool reduced = m_owesReduced && size > 0;
    m_owesReduced = m_owesReduced && !reduced;
    NoteSent(m_next, static_cast<uint64_t>(m_next - begin), now);
    ScheduleTailProbe(now);
    return SegmentToSend{begin,
                         end,
                         fin,
                         false,
                         reduced,
                         m_ecn && size > 0,
                         end == m_queue.GetEnd()};
}

std::optional<SegmentToSend>
SendSide::SendTailProbe(Time now)
{
    m_probeTail = false;
    if (m_scoreboard.IsEmpty())
    {
        return std::nullopt;
    }
    ++m_counters.lossProbes;
    auto sent = SendNew(now, true);
    m_tailRepeats = !sent;
    if (!sent)
    {
        if (m_search.IsUnderWay())
        {
            CutSearchProbe();
        }
        sent = Repeat(m_scoreboard.GetSegments().back(), m_counters.timerRetransmits, now);
    }
    m_tailEnd = m_next;
    m_deadlines.Cancel(TcpTimer::TAIL_LOSS_PROBE);
    m_deadlines.Set(TcpTimer::RETRANSMISSION, now + m_roundTrip.GetTimeout());
    return sent;
}

void
SendSide::NoteLimit(Limit limit, Time now)
{
    if (m_limit == Limit::PEER_WINDOW)
    {
        m_counters.peerWindowLimited += now - m_limitedSince;
    }
    else if (m_limit == Limit::CONGESTION_WINDOW)
    {
        m_counters.congestionWindowLimited += now - m_limitedSince;
    }
    m_limit = limit;
    m_limitedSince = now;
}

void
SendSide::NoteSent(Position end, uint64_t size, Time now)
{
    m_lastSent = GetDeparture(now);
    if (IsReducing())
    {
        m_reduction.Send(size);
    }
    const uint64_t pipe = m_scoreboard.GetPipe();
    m_mostPipe = std::max(m_mostPipe, pipe);
    if (!m_deadlines.IsSet(TcpTimer::RETRANSMISSION))
    {
        m_deadlines.Set(TcpTimer::RETRANSMISSION, now + m_roundTrip.GetTimeout());
    }
    if (m_rate != nullptr)
    {
        TellLosses(now);
        m_rate->NoteSend(pipe <= size && m_delivery->IsApplicationLimited(), m_congestion, now);
        m_delivery->Send(end, size, pipe, now);
    }
    if (IsPaced())
    {
        Pace(size, now);
    }
}

void
SendSide::Pace(uint64_t size, Time now)
{
    if (m_rate != nullptr)
    {
        m_paceAt = std::max(m_paceAt, now) + m_rate->GetGap(size);
        return;
    }
    const auto smoothed = m_roundTrip.GetSmoothed();
    if (!smoothed)
    {
        return;
    }
    const double ratio = m_congestion.IsInSlowStart() ? SLOW_START_PACE : AVOIDANCE_PACE;
    const double share = static_cast<double>(size) / static_cast<double>(m_congestion.window);
    const auto gap =
        static_cast<int64_t>(share / ratio * static_cast<double>(smoothed->GetInteger()));
    m_paceAt = std::max(m_paceAt, now) + Time(gap);
}

void
SendSide::ScheduleTailProbe(Time now)
{
    m_deadlines.Cancel(TcpTimer::TAIL_LOSS_PROBE);
    const bool isQuiet = (m_phase == Phase::OPEN || m_phase == Phase::REDUCING) &&
                         m_scoreboard.GetSackedOctets() == 0 && !m_scoreboard.IsEmpty();
    const auto smoothed = m_roundTrip.GetSmoothed();
    if (!m_settings.tailLossProbe || !m_sack || !isQuiet || m_tailEnd || !smoothed)
    {
        return;
    }
    Time at = now + *smoothed * ROUND_TRIPS_TO_PROBE;
    at += m_scoreboard.GetSegments().size() == 1 ? m_settings.worstDelayedAck
                                                 : m_settings.tailProbeMin;
    if (const auto& timeout = m_deadlines.Get(TcpTimer::RETRANSMISSION))
    {
        at = std::min(at, *timeout);
    }
    m_deadlines.Set(TcpTimer::TAIL_LOSS_PROBE, at);
}

void
SendSide::ArmPersist(Time now)
{
    if (m_scoreboard.IsEmpty() && !m_deadlines.IsSet(TcpTimer::PERSIST))
    {
        Time wait = m_roundTrip.GetTimeout();
        for (uint32_t i = 0; i < m_probeBackOff && wait < m_settings.rtoMax; ++i)
        {
            wait = wait * 2;
        }
        m_deadlines.Set(TcpTimer::PERSIST, now + std::min(wait, m_settings.rtoMax));
    }
}

void
SendSide::SetUserTimeout(Time now)
{
    if (m_settings.userTimeout.IsStrictlyPositive())
    {
        m_deadlines.Set(TcpTimer::USER_TIMEOUT, now + m_settings.userTimeout);
    }
}

bool
SendSide::TakeProbe()
{
    const bool probe = m_probeWindow;
    m_probeWindow = false;
    m_counters.windowProbes += probe ? 1 : 0;
    return probe;
}

// Timers

bool
SendSide::HandleTimer(TcpTimer timer, Time now)
{
    switch (timer)
    {
    case TcpTimer::REORDERING:
        DetectLosses(now);
        return true;
    case TcpTimer::TAIL_LOSS_PROBE:
        m_probeTail = true;
        return true;
    case TcpTimer::PERSIST:
        if (++m_probes > m_settings.retries2)
        {
            return false;
        }
        m_probeBackOff = std::min(m_probeBackOff + 1, MOST_WINDOW_DOUBLINGS);
        m_overrideWindow = true;
        return true;
    case TcpTimer::RETRANSMISSION:
        if (m_scoreboard.IsEmpty())
        {
            return true;
        }
        ++m_counters.timeouts;
        if (++m_repeats > m_settings.retries2)
        {
            return false;
        }
        m_roundTrip.BackOff();
        EnterLoss(now);
        m_deadlines.Set(TcpTimer::RETRANSMISSION, now + m_roundTrip.GetTimeout());
        return true;
    default:
        return true;
    }
}

} // namespace ns3::nfsrdma
