/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/bbr.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr double LEAST_WINDOW = 4;   // Segments.
constexpr double OFFLOAD_BUDGET = 3; // Send quanta, of a segment each.
constexpr double FULL_GROWTH = 1.25; // Of the rate in a round trip, while it grows.
constexpr uint32_t FULL_ROUNDS = 3;  // Without it.
constexpr uint64_t DRAIN_ROUNDS = 3; // At most.
constexpr uint64_t RENO_ROUNDS = 63; // At most, between two probes.
constexpr uint32_t MOST_SLOPE = 30;  // Doublings.
constexpr uint32_t EXTRA_ROUNDS = 5; // Of each half of the filter; 1 in STARTUP.
constexpr int64_t LEAST_WAIT =
    2'000; // Milliseconds, between two probes; up to a half as much more.
constexpr uint32_t MORE_WAIT = 1'000;

/// The last step of MurmurHash3, by which each bit of \p value changes about half of all.
uint32_t
Mix(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x85ebca6bU;
    value ^= value >> 13;
    value *= 0xc2b2ae35U;
    return value ^ value >> 16;
}

} // namespace

void
Bbr::Start(const CongestionWindow& window, std::optional<Time> roundTrip, uint32_t seed, Time now)
{
    m_segment = window.segment;
    m_window = static_cast<double>(window.window);
    m_initialWindow = m_window;
    m_now = now;
    m_random = Mix(seed ^ static_cast<uint32_t>(now.GetInteger())) | 1U;
    m_minRtt = roundTrip;
    m_minRttStamp = now;
    m_probeRttMinDelay = roundTrip;
    m_probeRttMinStamp = now;
    m_extraAckedSince = now;
    const Time nominal =
        roundTrip && roundTrip->IsStrictlyPositive() ? *roundTrip : MilliSeconds(1);
    m_pacingRate = STARTUP_PACING_GAIN * m_window / nominal.GetSeconds();
}

// The model

void
Bbr::StartRound()
{
    m_nextRoundDelivered = m_total;
}

void
Bbr::UpdateRound(const DeliverySample& sample)
{
    m_roundStart = sample.delivered > 0 && sample.priorDelivered >= m_nextRoundDelivered;
    if (m_roundStart)
    {
        StartRound();
        ++m_rounds;
        ++m_roundsSinceProbe;
    }
}

void
Bbr::UpdateLatest(const DeliverySample& sample)
{
    m_bwLatest = std::max(m_bwLatest, sample.rate);
    m_inflightLatest = std::max(m_inflightLatest, static_cast<double>(sample.delivered));
    m_lossRoundStart = sample.delivered > 0 && sample.priorDelivered >= m_lossRoundDelivered;
    if (m_lossRoundStart)
    {
        m_lossRoundDelivered = m_total;
    }
}

void
Bbr::UpdateMaxBandwidth(const DeliverySample& sample)
{
    if (sample.rate > 0 && (sample.rate >= GetMaxBandwidth() || !sample.applicationLimited))
    {
        m_bandwidths[1] = std::max(m_bandwidths[1], sample.rate);
    }
}

void
Bbr::AdaptLowerBounds()
{
    if (IsProbing() || !m_lossInRound)
    {
        return;
    }
    if (m_bwShortTerm == NONE)
    {
        m_bwShortTerm = GetMaxBandwidth();
    }
    if (m_inflightShortTerm == NONE)
    {
        m_inflightShortTerm = m_window;
    }
    m_bwShortTerm = std::max(m_bwLatest, BETA * m_bwShortTerm);
    m_inflightShortTerm = std::max(m_inflightLatest, BETA * m_inflightShortTerm);
}

void
Bbr::UpdateAckAggregation(const DeliverySample& sample, Time now)
{
    if (m_roundStart && ++m_extraAckedRounds >= (m_fullBwReached ? EXTRA_ROUNDS : 1))
    {
        m_extraAckedRounds = 0;
        m_extraAckedBin = 1 - m_extraAckedBin;
        m_extraAcked.at(m_extraAckedBin) = 0;
    }
    double expected = GetBandwidth() * (now - m_extraAckedSince).GetSeconds();
    if (m_extraAckedDelivered <= expected)
    {
        m_extraAckedDelivered = 0;
        m_extraAckedSince = now;
        expected = 0;
    }
    m_extraAckedDelivered += static_cast<double>(sample.newlyDelivered);
    const double extra = std::min(m_extraAckedDelivered - expected, m_window);
    m_extraAcked.at(m_extraAckedBin) = std::max(m_extraAcked.at(m_extraAckedBin), extra);
}

void
Bbr::ResetFullBandwidth(double rate)
{
    m_fullBw = rate;
    m_fullBwCount = 0;
    m_fullBwNow = false;
}

void
Bbr::CheckFullBandwidth(const DeliverySample& sample)
{
    if (m_fullBwNow || sample.applicationLimited)
    {
        return;
    }
    if (sample.rate >= m_fullBw * FULL_GROWTH)
    {
        ResetFullBandwidth(sample.rate);
        return;
    }
    if (m_roundStart)
    {
        m_fullBwNow = ++m_fullBwCount >= FULL_ROUNDS;
        m_fullBwReached = m_fullBwReached || m_fullBwNow;
    }
}

void
Bbr::CheckStartupHighLoss(const DeliverySample& sample)
{
    if (!m_fullBwReached && m_lossRoundStart && m_lossRanges >= STARTUP_FULL_LOSS_COUNT &&
        IsInflightTooHigh(sample.lost, sample.sentInFlight))
    {
        m_fullBwReached = true;
        m_inflightLongTerm =
            std::floor(std::max(GetProduct(GetMaxBandwidth(), 1), m_inflightLatest));
    }
}

void
Bbr::UpdateMinRtt(const DeliverySample& sample, Time now)
{
    m_probeRttExpired = now > m_probeRttMinStamp + Seconds(PROBE_RTT_INTERVAL_SECONDS);
    if (sample.roundTrip &&
        (!m_probeRttMinDelay || *sample.roundTrip < *m_probeRttMinDelay || m_probeRttExpired))
    {
        m_probeRttMinDelay = sample.roundTrip;
        m_probeRttMinStamp = now;
    }
    const bool isExpired = now > m_minRttStamp + Seconds(MIN_RTT_FILTER_SECONDS);
    if (m_probeRttMinDelay && (!m_minRtt || *m_probeRttMinDelay < *m_minRtt || isExpired))
    {
        m_minRtt = m_probeRttMinDelay;
        m_minRttStamp = m_probeRttMinStamp;
    }
}

void
Bbr::ResetCongestionSignals()
{
    m_lossInRound = false;
    m_lossRanges = 0;
    m_bwLatest = 0;
    m_inflightLatest = 0;
}

void
Bbr::ResetShortTermModel()
{
    m_bwShortTerm = NONE;
    m_inflightShortTerm = NONE;
}

// What is called

void
Bbr::NoteSend(bool isIdle, CongestionWindow& window, Time now)
{
    if (!isIdle)
    {
        return;
    }
    m_now = now;
    m_idleRestart = true;
    m_extraAckedSince = now;
    m_extraAckedDelivered = 0;
    if (IsInCycle())
    {
        SetPacingRate(1);
    }
    else if (m_state == State::PROBE_RTT && m_probeRttDoneStamp)
    {
        CheckProbeRttDone(window, now);
    }
}

void
Bbr::NoteLoss(const LostSegment& segment, Time now)
{
    m_now = now;
    if (!m_lossInRound)
    {
        m_lossRoundDelivered = segment.total;
        m_lossInRound = true;
        m_lossRanges = 0;
        m_beforeLoss = {m_state, m_bwShortTerm, m_inflightShortTerm, m_inflightLongTerm};
    }
    m_lossRanges += m_lossRanges == 0 || segment.begin != m_lossEnd ? 1 : 0;
    m_lossEnd = segment.end;
    if (!m_bwProbeSamples || !IsInflightTooHigh(segment.lost, segment.sentInFlight))
    {
        return;
    }
    const auto size = static_cast<double>(segment.end - segment.begin);
    const double before = static_cast<double>(segment.sentInFlight) - size;
    const double lostBefore = static_cast<double>(segment.lost) - size;
    const double more = (LOSS_THRESHOLD * before - lostBefore) / (1 - LOSS_THRESHOLD);
    HandleInflightTooHigh(before + std::max(more, 0.0), segment.applicationLimited);
}

void
Bbr::Acknowledge(const DeliverySample& sample, CongestionWindow& window, Time now)
{
    m_now = now;
    m_segment = window.segment;
    m_window = static_cast<double>(window.window);
    m_total = sample.total;
    UpdateLatest(sample);
    UpdateRound(sample);
    UpdateMaxBandwidth(sample);
    m_lossInRound = m_lossInRound || sample.newlyLost > 0;
    if (m_lossRoundStart)
    {
        AdaptLowerBounds();
    }
    UpdateAckAggregation(sample, now);
    CheckFullBandwidth(sample);
    CheckStartupHighLoss(sample);
    if (m_lossRoundStart)
    {
        m_lossInRound = false;
        m_lossRanges = 0;
    }
    if (m_state == State::STARTUP && m_fullBwReached)
    {
        m_state = State::DRAIN;
        m_drainStartRound = m_rounds;
    }
    const double product = AddBudget(GetProduct(GetMaxBandwidth(), 1));
    if (m_state == State::DRAIN && (static_cast<double>(sample.inFlight) <= product ||
                                    m_rounds > m_drainStartRound + DRAIN_ROUNDS))
    {
        StartDown();
    }
    UpdateCycle(sample, now);
    UpdateMinRtt(sample, now);
    CheckProbeRtt(sample, window, now);
    if (m_lossRoundStart)
    {
        m_bwLatest = sample.rate;
        m_inflightLatest = static_cast<double>(sample.delivered);
    }
    SetPacingRate();
    SetWindow(sample, window);
}

void
Bbr::EnterRecovery(const CongestionWindow& window)
{
    if (!m_recovering && m_state != State::PROBE_RTT)
    {
        m_priorWindow = static_cast<double>(window.window);
    }
    m_recovering = true;
}

void
Bbr::LeaveRecovery(CongestionWindow& window)
{
    if (!m_recovering)
    {
        return;
    }
    m_recovering = false;
    window.window = std::max(window.window, static_cast<uint64_t>(m_priorWindow));
    BoundWindow(window);
}

void
Bbr::Undo()
{
    m_lossInRound = false;
    m_lossRanges = 0;
    ResetFullBandwidth(0);
    const auto before = std::exchange(m_beforeLoss, std::nullopt);
    if (!before)
    {
        return;
    }
    m_bwShortTerm = std::max(m_bwShortTerm, before->bwShortTerm);
    m_inflightShortTerm = std::max(m_inflightShortTerm, before->inflightShortTerm);
    m_inflightLongTerm = std::max(m_inflightLongTerm, before->inflightLongTerm);
    if (m_state == State::PROBE_RTT || m_state == before->state)
    {
        return;
    }
    if (before->state == State::STARTUP)
    {
        m_fullBwReached = false;
        m_state = State::STARTUP;
    }
    else if (before->state == State::UP)
    {
        StartUp(0);
    }
}

Time
Bbr::GetGap(uint64_t octets) const
{
    return NanoSeconds(static_cast<int64_t>(static_cast<double>(octets) / m_pacingRate * 1e9));
}

// The states

bool
Bbr::IsProbing() const
{
    return m_state == State::STARTUP || m_state == State::REFILL || m_state == State::UP;
}

bool
Bbr::IsInCycle() const
{
    return m_state == State::DOWN || m_state == State::CRUISE || m_state == State::REFILL ||
           m_state == State::UP;
}

void
Bbr::UpdateCycle(const DeliverySample& sample, Time now)
{
    if (!m_fullBwReached)
    {
        return;
    }
    AdaptLongTermModel(sample);
    switch (m_state)
    {
    case State::DOWN:
        if (IsTimeToProbe(now))
        {
            StartRefill();
        }
        else if (IsTimeToCruise(sample))
        {
            StartCruise();
        }
        break;
    case State::CRUISE:
        if (IsTimeToProbe(now))
        {
            StartRefill();
        }
        break;
    case State::REFILL:
        if (m_roundStart)
        {
            StartUp(sample.rate);
        }
        break;
    case State::UP:
        if (sample.windowLimited && m_window >= m_inflightLongTerm)
        {
            ResetFullBandwidth(sample.rate);
        }
        else if (m_fullBwNow)
        {
            StartDown();
        }
        break;
    case State::STARTUP:
    case State::DRAIN:
    case State::PROBE_RTT:
        break;
    }
}

void
Bbr::AdaptLongTermModel(const DeliverySample& sample)
{
    if (m_ackPhase == AckPhase::STARTING && m_roundStart)
    {
        m_ackPhase = AckPhase::FEEDBACK;
    }
    if (m_ackPhase == AckPhase::STOPPING && m_roundStart)
    {
        m_bwProbeSamples = false;
        m_ackPhase = AckPhase::INIT;
        if (IsInCycle() && !sample.applicationLimited && m_bandwidths[1] > 0)
        {
            m_bandwidths = {m_bandwidths[1], 0};
        }
    }
    if (IsInflightTooHigh(sample.lost, sample.sentInFlight))
    {
        if (m_bwProbeSamples)
        {
            HandleInflightTooHigh(static_cast<double>(sample.sentInFlight),
                                  sample.applicationLimited);
        }
        return;
    }
    if (m_inflightLongTerm == NONE)
    {
        return;
    }
    m_inflightLongTerm = std::max(m_inflightLongTerm, static_cast<double>(sample.sentInFlight));
    if (m_state == State::UP)
    {
        ProbeUpward(sample);
    }
}

void
Bbr::ProbeUpward(const DeliverySample& sample)
{
    if (!sample.windowLimited || m_window < m_inflightLongTerm)
    {
        return;
    }
    m_probeUpAcks += static_cast<double>(sample.newlyDelivered);
    if (m_probeUpAcks >= m_probeUpCount)
    {
        const double steps = std::floor(m_probeUpAcks / m_probeUpCount);
        m_probeUpAcks -= steps * m_probeUpCount;
        m_inflightLongTerm += steps * m_segment;
    }
    if (m_roundStart)
    {
        RaiseSlope();
    }
}

void
Bbr::RaiseSlope()
{
    const double growth = static_cast<double>(uint64_t{1} << m_probeUpRounds);
    m_probeUpRounds = std::min(m_probeUpRounds + 1, MOST_SLOPE);
    m_probeUpCount = std::max(m_window / growth, static_cast<double>(m_segment));
}

bool
Bbr::IsInflightTooHigh(uint64_t lost, uint64_t inFlight) const
{
    return static_cast<double>(lost) > LOSS_THRESHOLD * static_cast<double>(inFlight);
}

void
Bbr::HandleInflightTooHigh(double inFlight, bool applicationLimited)
{
    m_bwProbeSamples = false;
    if (!applicationLimited)
    {
        m_inflightLongTerm = std::floor(std::max(inFlight, BETA * GetTarget()));
    }
    if (m_state == State::UP)
    {
        StartDown();
    }
}

bool
Bbr::IsTimeToProbe(Time now) const
{
    const auto target = static_cast<uint64_t>(GetTarget() / m_segment);
    return now > m_cycleStamp + m_bwProbeWait ||
           m_roundsSinceProbe >= std::min(target, RENO_ROUNDS);
}

bool
Bbr::IsTimeToCruise(const DeliverySample& sample) const
{
    const auto inFlight = static_cast<double>(sample.inFlight);
    return inFlight <= GetInflightWithHeadroom() &&
           inFlight <= AddBudget(GetProduct(GetMaxBandwidth(), 1));
}

void
Bbr::StartDown()
{
    ResetCongestionSignals();
    m_probeUpCount = NONE;
    m_roundsSinceProbe = Draw(2);
    m_bwProbeWait = MilliSeconds(LEAST_WAIT + Draw(MORE_WAIT));
    m_cycleStamp = m_now;
    m_ackPhase = AckPhase::STOPPING;
    StartRound();
    m_state = State::DOWN;
}

void
Bbr::StartCruise()
{
    m_state = State::CRUISE;
}

void
Bbr::StartRefill()
{
    ResetShortTermModel();
    m_probeUpRounds = 0;
    m_probeUpAcks = 0;
    m_ackPhase = AckPhase::REFILLING;
    StartRound();
    m_state = State::REFILL;
}

void
Bbr::StartUp(double rate)
{
    m_bwProbeSamples = true;
    m_ackPhase = AckPhase::STARTING;
    StartRound();
    ResetFullBandwidth(rate);
    m_state = State::UP;
    RaiseSlope();
}

void
Bbr::CheckProbeRtt(const DeliverySample& sample, CongestionWindow& window, Time now)
{
    if (m_state != State::PROBE_RTT && m_probeRttExpired && !m_idleRestart)
    {
        m_priorWindow = m_recovering ? m_priorWindow : m_window;
        m_state = State::PROBE_RTT;
        m_probeRttDoneStamp.reset();
        m_ackPhase = AckPhase::STOPPING;
        StartRound();
    }
    if (m_state == State::PROBE_RTT)
    {
        const double least =
            std::max(GetProduct(GetBandwidth(), PROBE_RTT_CWND_GAIN), GetLeastWindow());
        if (!m_probeRttDoneStamp && static_cast<double>(sample.inFlight) <= least)
        {
            m_probeRttDoneStamp = now + MilliSeconds(PROBE_RTT_MILLISECONDS);
            m_probeRttRoundDone = false;
            StartRound();
        }
        else if (m_probeRttDoneStamp)
        {
            m_probeRttRoundDone = m_probeRttRoundDone || m_roundStart;
            if (m_probeRttRoundDone)
            {
                CheckProbeRttDone(window, now);
            }
        }
    }
    m_idleRestart = m_idleRestart && sample.delivered == 0;
}

void
Bbr::CheckProbeRttDone(CongestionWindow& window, Time now)
{
    if (now <= *m_probeRttDoneStamp)
    {
        return;
    }
    m_probeRttMinStamp = now;
    window.window = std::max(window.window, static_cast<uint64_t>(m_priorWindow));
    m_window = static_cast<double>(window.window);
    ResetShortTermModel();
    if (m_fullBwReached)
    {
        StartDown();
        StartCruise();
    }
    else
    {
        m_state = State::STARTUP;
    }
}

uint32_t
Bbr::Draw(uint32_t below)
{
    m_random ^= m_random << 13;
    m_random ^= m_random >> 17;
    m_random ^= m_random << 5;
    return m_random % below;
}

// The controls

double
Bbr::GetPacingGain() const
{
    switch (m_state)
    {
    case State::STARTUP:
        return STARTUP_PACING_GAIN;
    case State::DRAIN:
        return DRAIN_PACING_GAIN;
    case State::DOWN:
        return DOWN_PACING_GAIN;
    case State::UP:
        return UP_PACING_GAIN;
    case State::CRUISE:
    case State::REFILL:
    case State::PROBE_RTT:
        break;
    }
    return 1;
}

double
Bbr::GetWindowGain() const
{
    switch (m_state)
    {
    case State::UP:
        return UP_CWND_GAIN;
    case State::PROBE_RTT:
        return PROBE_RTT_CWND_GAIN;
    default:
        return CWND_GAIN;
    }
}

double
Bbr::GetBandwidth() const
{
    return std::min(GetMaxBandwidth(), m_bwShortTerm);
}

double
Bbr::GetProduct(double bandwidth, double gain) const
{
    return m_minRtt && bandwidth > 0 ? gain * bandwidth * m_minRtt->GetSeconds() : m_initialWindow;
}

double
Bbr::GetLeastWindow() const
{
    return LEAST_WINDOW * m_segment;
}

double
Bbr::AddBudget(double inFlight) const
{
    const double budget = std::max({inFlight, OFFLOAD_BUDGET * m_segment, GetLeastWindow()});
    return m_state == State::UP ? budget + 2.0 * m_segment : budget;
}

double
Bbr::GetTarget() const
{
    return std::min(GetProduct(GetBandwidth(), 1), m_window);
}

double
Bbr::GetInflightWithHeadroom() const
{
    if (m_inflightLongTerm == NONE)
    {
        return NONE;
    }
    const double headroom = std::max(static_cast<double>(m_segment), HEADROOM * m_inflightLongTerm);
    return std::max(m_inflightLongTerm - headroom, GetLeastWindow());
}

void
Bbr::SetPacingRate(double gain)
{
    const double rate = gain * GetBandwidth() * (1 - PACING_MARGIN);
    if (rate > 0 && (m_fullBwReached || rate > m_pacingRate))
    {
        m_pacingRate = rate;
    }
}

void
Bbr::SetPacingRate()
{
    if (GetMaxBandwidth() == 0 && m_minRtt && m_minRtt->IsStrictlyPositive())
    {
        m_pacingRate =
            std::max(m_pacingRate, STARTUP_PACING_GAIN * m_window / m_minRtt->GetSeconds());
    }
    SetPacingRate(GetPacingGain());
}

void
Bbr::SetWindow(const DeliverySample& sample, CongestionWindow& window)
{
    const double most = AddBudget(GetProduct(GetBandwidth(), GetWindowGain()) +
                                  std::max(m_extraAcked[0], m_extraAcked[1]));
    const auto more = static_cast<double>(sample.newlyDelivered);
    auto octets = static_cast<double>(window.window);
    if (sample.newlyLost > 0)
    {
        octets = std::max(octets - static_cast<double>(sample.newlyLost),
                          static_cast<double>(m_segment));
    }
    if (m_fullBwReached)
    {
        octets = std::min(octets + more, most);
    }
    else if (octets < most || static_cast<double>(m_total) < m_initialWindow)
    {
        octets += more;
    }
    window.window = static_cast<uint64_t>(std::max(octets, GetLeastWindow()));
    BoundWindow(window);
    m_window = static_cast<double>(window.window);
}

void
Bbr::BoundWindow(CongestionWindow& window) const
{
    double most = m_inflightShortTerm;
    if (m_state == State::PROBE_RTT)
    {
        const double probe = GetProduct(GetBandwidth(), PROBE_RTT_CWND_GAIN);
        most = std::min({most, probe, GetInflightWithHeadroom()});
    }
    else if (m_state == State::CRUISE)
    {
        most = std::min(most, GetInflightWithHeadroom());
    }
    else if (IsInCycle())
    {
        most = std::min(most, m_inflightLongTerm);
    }
    most = std::max(most, GetLeastWindow());
    if (static_cast<double>(window.window) > most)
    {
        window.window = static_cast<uint64_t>(most);
    }
}

} // namespace ns3::nfsrdma
