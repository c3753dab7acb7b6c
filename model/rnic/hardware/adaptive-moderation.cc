/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/adaptive-moderation.h"

#include <array>
#include <cstdlib>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t MICROSECONDS_PER_MILLISECOND = 1000;
constexpr int64_t PER_CENT = 100;
constexpr int64_t SIGNIFICANT = 10; ///< Per cent.
constexpr int64_t LEAST_PER_PROFILE = 50;

bool
DiffersMuch(int64_t value, int64_t reference)
{
    return reference != 0 && PER_CENT * std::abs(value - reference) / reference > SIGNIFICANT;
}

int64_t
DivideUp(int64_t value, int64_t by)
{
    return (value + by - 1) / by;
}

} // namespace

const AdaptiveModeration::Profile&
AdaptiveModeration::GetProfile() const
{
    static const std::array<Profile, PROFILES> profiles{{{MicroSeconds(1), 1},
                                                         {MicroSeconds(1), 4},
                                                         {MicroSeconds(2), 4},
                                                         {MicroSeconds(2), 8},
                                                         {MicroSeconds(4), 8},
                                                         {MicroSeconds(16), 8},
                                                         {MicroSeconds(16), 16},
                                                         {MicroSeconds(32), 16},
                                                         {MicroSeconds(32), 32}}};
    return profiles.at(m_index);
}

bool
AdaptiveModeration::Event(Time now, uint64_t completions)
{
    if (!m_measuring)
    {
        m_measuring = true;
        m_since = now;
        m_events = 0;
        m_completions = 0;
        return false;
    }
    ++m_events;
    m_completions += completions;
    const int64_t elapsed = (now - m_since).GetMicroSeconds();
    if (m_events < EVENTS || elapsed == 0)
    {
        return false;
    }
    Measurement current;
    current.completionsPerMillisecond =
        DivideUp(static_cast<int64_t>(m_completions) * MICROSECONDS_PER_MILLISECOND, elapsed);
    const int64_t events = DivideUp(EVENTS * MICROSECONDS_PER_MILLISECOND, elapsed);
    current.completionsPer100Events = current.completionsPerMillisecond * PER_CENT / events;
    const std::size_t before = m_index;
    Decide(current);
    m_measuring = m_index == before;
    m_since = now;
    m_events = 0;
    m_completions = 0;
    return m_index != before;
}

AdaptiveModeration::Comparison
AdaptiveModeration::Compare(const Measurement& current) const
{
    if (m_previous.completionsPerMillisecond == 0)
    {
        return Comparison::SAME;
    }
    if (DiffersMuch(current.completionsPerMillisecond, m_previous.completionsPerMillisecond))
    {
        return current.completionsPerMillisecond > m_previous.completionsPerMillisecond
                   ? Comparison::BETTER
                   : Comparison::WORSE;
    }
    if (DiffersMuch(current.completionsPer100Events, m_previous.completionsPer100Events))
    {
        return current.completionsPer100Events > m_previous.completionsPer100Events
                   ? Comparison::BETTER
                   : Comparison::WORSE;
    }
    return Comparison::SAME;
}

void
AdaptiveModeration::Decide(const Measurement& current)
{
    switch (Compare(current))
    {
    case Comparison::SAME:
        if (current.completionsPer100Events <= LEAST_PER_PROFILE * static_cast<int64_t>(m_index))
        {
            m_index = 0;
        }
        break;
    case Comparison::WORSE:
        m_upwards = !m_upwards;
        Step();
        break;
    case Comparison::BETTER:
        Step();
        break;
    }
    m_previous = current;
}

void
AdaptiveModeration::Step()
{
    if (m_index == (m_upwards ? PROFILES - 1 : 0))
    {
        m_upwards = !m_upwards;
        return;
    }
    m_index += m_upwards ? 1 : -1;
}

} // namespace ns3::nfsrdma
