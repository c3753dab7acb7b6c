/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_OCCUPANCY_METER_H
#define NFSRDMA_HOST_OCCUPANCY_METER_H

#include "ns3/nstime.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/// How much of something is in use: the most there has been, and the mean over time.
class OccupancyMeter
{
  public:
    /// A part of it has changed from \p before to \p after at \p now, which never goes back.
    void Change(Time now, uint64_t before, uint64_t after)
    {
        m_integral += GetSince(now);
        m_changed = now;
        m_current += after;
        m_current -= before;
        m_peak = std::max(m_peak, m_current);
    }

    [[nodiscard]] uint64_t GetCurrent() const
    {
        return m_current;
    }

    [[nodiscard]] uint64_t GetPeak() const
    {
        return m_peak;
    }

    /// \return the mean from time 0 to \p now.
    [[nodiscard]] double GetMean(Time now) const
    {
        return now.IsZero()
                   ? static_cast<double>(m_current)
                   : (m_integral + GetSince(now)) / static_cast<double>(now.GetNanoSeconds());
    }

  private:
    /// \return what to add to the integral for the time since the last change.
    [[nodiscard]] double GetSince(Time now) const
    {
        return static_cast<double>(m_current) *
               static_cast<double>((now - m_changed).GetNanoSeconds());
    }

    Time m_changed;
    uint64_t m_current{0};
    uint64_t m_peak{0};
    double m_integral{0}; ///< Times nanoseconds.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_OCCUPANCY_METER_H
