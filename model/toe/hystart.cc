/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/hystart.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

// RFC 9406 section 4.3.
constexpr int64_t ROUND_TRIP_DIVISOR = 8;
constexpr uint32_t SAMPLES_OF_ROUND = 8;
constexpr uint64_t GROWTH_DIVISOR = 4;
constexpr uint32_t MOST_CONSERVATIVE_ROUNDS = 5;
constexpr uint64_t MOST_SEGMENTS = 8; // L, without pacing.

} // namespace

HyStart::HyStart(const TcpEngineSettings& settings)
    : m_settings(settings),
      m_phase(settings.hystart ? Phase::SLOW_START : Phase::OVER)
{
}

void
HyStart::Measure(Time sample)
{
    m_least = std::min(m_least.value_or(sample), sample);
    ++m_samples;
    if (m_samples < SAMPLES_OF_ROUND)
    {
        return;
    }
    if (m_phase == Phase::CONSERVATIVE && *m_least < m_baseline)
    {
        m_phase = Phase::SLOW_START;
        m_conservativeRounds = 0;
    }
    else if (m_phase == Phase::SLOW_START && m_leastBefore)
    {
        const Time patience =
            std::clamp(*m_leastBefore / ROUND_TRIP_DIVISOR,
                       m_settings.hystartRttMin,
                       std::max(m_settings.hystartRttMin, m_settings.hystartRttMax));
        if (*m_least >= *m_leastBefore + patience)
        {
            m_baseline = *m_least;
            m_phase = Phase::CONSERVATIVE;
        }
    }
}

uint64_t
HyStart::Acknowledge(CongestionWindow& window,
                     uint64_t octets,
                     Position acknowledged,
                     Position sent,
                     bool grows)
{
    uint64_t left = 0;
    if (grows)
    {
        uint64_t counted =
            m_settings.pacing ? octets : std::min(octets, MOST_SEGMENTS * window.segment);
        if (m_phase == Phase::CONSERVATIVE)
        {
            m_remainder += counted;
            counted = m_remainder / GROWTH_DIVISOR;
            m_remainder %= GROWTH_DIVISOR;
        }
        left = GrowInSlowStart(window, counted);
    }
    if (m_roundEnd == 0)
    {
        m_roundEnd = sent;
    }
    else if (acknowledged >= m_roundEnd)
    {
        BeginRound(window, sent);
    }
    return left;
}

void
HyStart::BeginRound(CongestionWindow& window, Position sent)
{
    m_roundEnd = sent;
    m_leastBefore = m_least ? m_least : m_leastBefore;
    m_least.reset();
    m_samples = 0;
    if (m_phase == Phase::CONSERVATIVE && ++m_conservativeRounds >= MOST_CONSERVATIVE_ROUNDS)
    {
        window.threshold = window.window;
        m_phase = Phase::OVER;
    }
}

} // namespace ns3::nfsrdma
