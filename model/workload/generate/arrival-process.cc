/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/arrival-process.h"

#include <algorithm>
#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

constexpr double NS_PER_S = 1e9;

/// \return the mean pause after a burst, seconds.
double
GetMeanPause(const ArrivalProcess::Settings& settings)
{
    const double size = settings.burstSize;
    return (size / settings.rate) - ((size - 1) * settings.burstSpacing.GetSeconds());
}

} // namespace

tl::expected<void, std::string>
ArrivalProcess::Check(const Settings& settings)
{
    if (settings.kind == ArrivalProcess::CLOSED || settings.kind == ArrivalProcess::TRACE)
    {
        return {};
    }
    const bool hasRate = settings.kind == ArrivalProcess::MMPP
                             ? settings.rate + settings.peakRate > 0
                             : settings.rate > 0;
    if (!hasRate)
    {
        return tl::unexpected(std::string("ArrivalRate above 0, since arrivals are open loop"));
    }
    if (settings.kind == ArrivalProcess::BURSTS && GetMeanPause(settings) <= 0)
    {
        return tl::unexpected(
            std::string("BurstSpacing small enough for ArrivalRate: a burst must be over before "
                        "the next is due"));
    }
    if (settings.kind == ArrivalProcess::RAMP && settings.peakRate <= 0)
    {
        return tl::unexpected(std::string("ArrivalPeakRate above 0, to which ArrivalRate ramps"));
    }
    return {};
}

ArrivalProcess::ArrivalProcess(const Settings& settings)
    : m_settings(settings),
      m_stream(CreateObject<ExponentialRandomVariable>())
{
}

int64_t
ArrivalProcess::AssignStreams(int64_t stream)
{
    m_stream->SetStream(stream);
    return 1;
}

double
ArrivalProcess::DrawSeconds(double mean)
{
    return m_stream->GetValue(mean, 0);
}

double
ArrivalProcess::DrawModulated()
{
    const double busyMean = m_settings.busyTime.GetSeconds();
    const double calmMean = m_settings.calmTime.GetSeconds();
    const bool onOff = m_settings.kind == ArrivalProcess::ON_OFF;
    const double busyRate =
        onOff ? m_settings.rate * (busyMean + calmMean) / busyMean : m_settings.peakRate;
    const double calmRate = onOff ? 0 : m_settings.rate;
    double passed = 0;
    while (true)
    {
        const double rate = m_busy ? busyRate : calmRate;
        const double gap = rate > 0 ? DrawSeconds(1 / rate) : m_state;
        if (rate > 0 && gap < m_state)
        {
            m_state -= gap;
            return passed + gap;
        }
        passed += m_state;
        m_busy = !m_busy;
        m_state = DrawSeconds(m_busy ? busyMean : calmMean);
    }
}

double
ArrivalProcess::DrawRamp()
{
    const double over = m_settings.rampOver.GetSeconds();
    const double slope = (m_settings.peakRate - m_settings.rate) / over;
    double events = DrawSeconds(1); // of a Poisson process of rate 1
    double gap = 0;
    const double rate = m_settings.rate + slope * std::min(m_elapsed, over);
    if (m_elapsed < over)
    {
        const double left = over - m_elapsed;
        const double untilEnd = (rate * left) + (slope * left * left / 2);
        if (events < untilEnd)
        {
            const double root = std::sqrt(std::max((rate * rate) + (2 * slope * events), 0.0));
            gap = 2 * events / (rate + root);
            m_elapsed += gap;
            return gap;
        }
        events -= untilEnd;
        gap = left;
    }
    gap += events / m_settings.peakRate;
    m_elapsed += gap;
    return gap;
}

Time
ArrivalProcess::DrawExponential(double meanSeconds)
{
    return NanoSeconds(static_cast<int64_t>(m_stream->GetValue(meanSeconds * NS_PER_S, 0)));
}

bool
ArrivalProcess::HasNext() const
{
    return m_settings.kind != ArrivalProcess::TRACE ||
           (m_settings.times != nullptr && m_next < m_settings.times->size());
}

Time
ArrivalProcess::GetNextGap()
{
    switch (m_settings.kind)
    {
    case ArrivalProcess::POISSON:
        return DrawExponential(1 / m_settings.rate);
    case ArrivalProcess::BURSTS:
        if (m_leftInBurst > 0)
        {
            --m_leftInBurst;
            return m_settings.burstSpacing;
        }
        m_leftInBurst = m_settings.burstSize - 1;
        return DrawExponential(GetMeanPause(m_settings));
    case ArrivalProcess::ON_OFF:
    case ArrivalProcess::MMPP:
        return NanoSeconds(std::llround(DrawModulated() * NS_PER_S));
    case ArrivalProcess::TRACE: {
        const auto& times = *m_settings.times;
        const Time before = m_next == 0 ? Time(0) : times[m_next - 1];
        return times[m_next++] - before;
    }
    case ArrivalProcess::RAMP:
        return NanoSeconds(std::llround(DrawRamp() * NS_PER_S));
    default:
        return NanoSeconds(static_cast<int64_t>(NS_PER_S / m_settings.rate));
    }
}

} // namespace ns3::nfsrdma
