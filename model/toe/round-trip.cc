/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/round-trip.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t SMOOTHING = 8; // 1 / alpha and 1 / beta of RFC 6298 section 2.3.
constexpr int64_t VARIATION_SMOOTHING = 4;
constexpr int64_t VARIATIONS = 4;
constexpr uint32_t MOST_DOUBLINGS = 30;

/// tcp_min_rtt_wlen.
const Time&
LeastWindow()
{
    static const Time window = Seconds(300);
    return window;
}

} // namespace

RoundTripEstimator::RoundTripEstimator(const TcpEngineSettings& settings)
    : m_settings(settings)
{
}

void
RoundTripEstimator::Measure(Time sample, Time now)
{
    if (m_smoothed)
    {
        const Time error = Abs(*m_smoothed - sample);
        m_variation += (error - m_variation) / VARIATION_SMOOTHING;
        *m_smoothed += (sample - *m_smoothed) / SMOOTHING;
    }
    else
    {
        m_smoothed = sample;
        m_variation = sample / 2;
    }
    if (!m_least || sample <= *m_least || now > m_leastSince + LeastWindow())
    {
        m_least = sample;
        m_leastSince = now;
    }
    m_backOff = 0;
}

Time
RoundTripEstimator::GetTimeout() const
{
    const Time base = m_smoothed
                          ? *m_smoothed + std::max(m_variation * VARIATIONS, m_settings.rtoMin)
                          : m_settings.initialRto;
    Time timeout = base;
    for (uint32_t i = 0; i < std::min(m_backOff, MOST_DOUBLINGS) && timeout < m_settings.rtoMax;
         ++i)
    {
        timeout = timeout * 2;
    }
    return std::min(timeout, m_settings.rtoMax);
}

} // namespace ns3::nfsrdma
