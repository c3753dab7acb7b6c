/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_RESERVATION_CALENDAR_H
#define NFSRDMA_RNIC_HARDWARE_RESERVATION_CALENDAR_H

#include "wire/ring.h"

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief When something that serves one at a time is busy: it can be reserved ahead, and what
 * is reserved ahead leaves the time before it to others.
 *
 * A reservation takes the first time that is free from its earliest on, in pieces when it does not
 * fit between two others: work on a bus is many packets. Times are in ticks of the user's choice.
 */
class ReservationCalendar
{
  public:
    /// Reserves \p duration not before \p now, nor before \p earliest. What ended before \p now,
    /// which never goes back, is forgotten. \return the end of the reservation
    int64_t Reserve(int64_t now, int64_t earliest, int64_t duration);

    /// \return busy intervals known.
    [[nodiscard]] std::size_t GetIntervals() const
    {
        return m_busy.size();
    }

  private:
    struct Interval
    {
        int64_t begin;
        int64_t end;
    };

    Ring<Interval> m_busy; ///< In order; between two is free time.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_RESERVATION_CALENDAR_H
