/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/cubic.h"

#include <algorithm>
#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

constexpr double BETA = 0.7;                               // RFC 9438 section 4.6.
constexpr double SCALE = 0.4;                              // C, section 5.1.
constexpr double RENO_ALPHA = 3 * (1 - BETA) / (1 + BETA); // Section 4.3.
constexpr double MOST_GROWTH = 1.5; // Of the target over the window, section 4.2.

double
InSegments(const CongestionWindow& window)
{
    return static_cast<double>(window.window) / window.segment;
}

} // namespace

void
Cubic::BeginEpoch(const CongestionWindow& window, Time now)
{
    const double size = InSegments(window);
    m_epoch = now;
    m_renoWindow = size;
    if (m_largest <= size)
    {
        m_largest = size;
        m_plateauAfter = 0;
    }
    else
    {
        m_plateauAfter = std::cbrt((m_largest - size) / SCALE);
    }
}

void
Cubic::Avoid(CongestionWindow& window, uint64_t octets, Time now, Time smoothed)
{
    if (!m_epoch)
    {
        BeginEpoch(window, now);
    }
    const double size = InSegments(window);
    const double acknowledged = static_cast<double>(octets) / window.segment;
    const double elapsed = (now - *m_epoch + smoothed).GetSeconds() - m_plateauAfter;
    const double cubic = SCALE * elapsed * elapsed * elapsed + m_largest;
    const double target = std::clamp(cubic, size, MOST_GROWTH * size);
    m_renoWindow += (m_renoWindow >= m_windowAtLoss ? 1.0 : RENO_ALPHA) * acknowledged / size;
    const double byCubic = size + (target - size) / size * acknowledged;
    m_growth +=
        (std::max(byCubic, std::min(m_renoWindow, size + acknowledged)) - size) * window.segment;
    const double whole = std::floor(std::max(m_growth, 0.0));
    window.window += static_cast<uint64_t>(whole);
    m_growth -= whole;
}

uint64_t
Cubic::ReduceForLoss(const CongestionWindow& window, Time /* now */)
{
    const double size = InSegments(window);
    m_windowAtLoss = size;
    m_largest = size < m_largest ? size * (1 + BETA) / 2 : size; // Fast convergence, 4.7.
    m_epoch.reset();
    m_growth = 0;
    return std::max(static_cast<uint64_t>(static_cast<double>(window.window) * BETA),
                    window.GetLeastThreshold());
}

void
Cubic::NoteTimeout()
{
    m_epoch.reset();
}

void
Cubic::Restart(const CongestionWindow& window)
{
    m_epoch.reset();
    m_largest = std::max(m_largest, InSegments(window));
}

} // namespace ns3::nfsrdma
