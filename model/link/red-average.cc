/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/red-average.h"

#include <cmath>

namespace ns3::nfsrdma
{

void
RedAverage::Idle(const Settings& settings, double frames)
{
    m_average *= std::pow(1 - settings.weight, frames);
}

bool
RedAverage::Take(const Settings& settings, uint32_t queue, double draw)
{
    m_average += settings.weight * (queue - m_average);
    if (m_average < settings.minimum)
    {
        m_count = -1;
        return false;
    }
    if (m_average >= settings.maximum)
    {
        m_count = 0;
        return true;
    }
    ++m_count;
    const double base = settings.probability * (m_average - settings.minimum) /
                        (settings.maximum - settings.minimum);
    const double left = 1 - static_cast<double>(m_count) * base;
    if (left <= 0 || draw < base / left)
    {
        m_count = 0;
        return true;
    }
    return false;
}

} // namespace ns3::nfsrdma
