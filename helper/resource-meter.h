/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RESOURCE_METER_H
#define NFSRDMA_HELPER_RESOURCE_METER_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>

namespace ns3::nfsrdma
{

/// What a ResourceMeter has measured over its time. Times in seconds.
struct ResourceUse
{
    uint32_t places{0};   ///< That the resource has; 0: without bound.
    uint64_t arrivals{0}; ///< Those that were there at the beginning included.
    uint64_t departures{0};
    uint32_t peak{0};      ///< Most at a time.
    double number{0};      ///< L: mean number in the resource.
    double arrivalRate{0}; ///< lambda, per second.
    double stay{0};        ///< W, of those that have left: the time after the beginning.
    double longestStay{0}; ///< Of one of them.
    double throughput{0};  ///< X, departures per second.
    double utilisation{0}; ///< U: L by the places; 0 when they are without bound.
};

/**
 * \brief Measures a queueing resource: how many are in it, how many come, how long each stays.
 *
 * The three are told by different sources and are not derived from each other: the number by every
 * change of it, arrivals one by one, stays by who leaves. So Little's law, L = lambda W, and the
 * utilisation law, U = X S by places (S: W of a place in service), are statements about the model.
 * When nobody is in the resource at the end they hold exactly, also when the meter has begun while
 * some were in it: of their stays only what lies after the beginning counts.
 *
 *     ResourceMeter threads(pool->GetSize());
 *     pool->TraceConnectWithoutContext("Busy", ...    SetNumber(Simulator::Now(), now)
 *     pool->TraceConnectWithoutContext("Taken", ...   Arrive()
 *     pool->TraceConnectWithoutContext("Released", ...Depart(Simulator::Now(), held)
 */
class ResourceMeter
{
  public:
    /// \param places of the resource; 0: without bound
    explicit ResourceMeter(uint32_t places = 0)
        : m_places(places)
    {
    }

    /// Begins anew with those that are in the resource.
    void Restart(Time now)
    {
        m_began = now;
        m_changed = now;
        m_area = 0;
        m_stays = 0;
        m_longest = 0;
        m_arrivals = m_number;
        m_departures = 0;
        m_peak = m_number;
    }

    /// So many are in it from \p now on.
    void SetNumber(Time now, uint32_t number)
    {
        m_area += GetSince(now);
        m_changed = now;
        m_number = number;
        m_peak = std::max(m_peak, number);
    }

    /// \return how many are in it.
    [[nodiscard]] uint32_t GetNumber() const
    {
        return m_number;
    }

    /// One has come.
    void Arrive()
    {
        ++m_arrivals;
    }

    /// One leaves at \p now that has been there for \p stay.
    void Depart(Time now, Time stay)
    {
        ++m_departures;
        const int64_t counted = std::min(stay, now - m_began).GetNanoSeconds();
        m_stays += counted;
        m_longest = std::max(m_longest, counted);
    }

    [[nodiscard]] ResourceUse GetUse(Time now) const
    {
        ResourceUse use;
        use.places = m_places;
        use.arrivals = m_arrivals;
        use.departures = m_departures;
        use.peak = m_peak;
        const double seconds = (now - m_began).GetSeconds();
        if (seconds > 0)
        {
            use.number = static_cast<double>(m_area + GetSince(now)) / NS_PER_S / seconds;
            use.arrivalRate = static_cast<double>(m_arrivals) / seconds;
            use.throughput = static_cast<double>(m_departures) / seconds;
            use.utilisation = m_places == 0 ? 0 : use.number / m_places;
        }
        use.longestStay = static_cast<double>(m_longest) / NS_PER_S;
        if (m_departures != 0)
        {
            use.stay = static_cast<double>(m_stays) / NS_PER_S / static_cast<double>(m_departures);
        }
        return use;
    }

    /// \return the sum over time of the number, nanoseconds.
    [[nodiscard]] int64_t GetArea(Time now) const
    {
        return m_area + GetSince(now);
    }

    /// \return the sum of all stays, nanoseconds.
    [[nodiscard]] int64_t GetStays() const
    {
        return m_stays;
    }

  private:
    static constexpr double NS_PER_S = 1e9;

    [[nodiscard]] int64_t GetSince(Time now) const
    {
        return (now - m_changed).GetNanoSeconds() * m_number;
    }

    uint32_t m_places;
    Time m_began;
    Time m_changed;
    int64_t m_area{0};
    int64_t m_stays{0};
    int64_t m_longest{0};
    uint64_t m_arrivals{0};
    uint64_t m_departures{0};
    uint32_t m_number{0};
    uint32_t m_peak{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RESOURCE_METER_H
