/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/arrival-process.h"

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
    if (settings.kind == ArrivalProcess::CLOSED)
    {
        return {};
    }
    if (settings.rate <= 0)
    {
        return tl::unexpected(std::string("ArrivalRate above 0, since arrivals are open loop"));
    }
    if (settings.kind == ArrivalProcess::BURSTS && GetMeanPause(settings) <= 0)
    {
        return tl::unexpected(
            std::string("BurstSpacing small enough for ArrivalRate: a burst must be over before "
                        "the next is due"));
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

Time
ArrivalProcess::DrawExponential(double meanSeconds)
{
    return NanoSeconds(static_cast<int64_t>(m_stream->GetValue(meanSeconds * NS_PER_S, 0)));
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
    default:
        return NanoSeconds(static_cast<int64_t>(NS_PER_S / m_settings.rate));
    }
}

} // namespace ns3::nfsrdma
