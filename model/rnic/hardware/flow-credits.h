/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_FLOW_CREDITS_H
#define NFSRDMA_RNIC_HARDWARE_FLOW_CREDITS_H

#include "wire/ring.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What a link may have outstanding, in octets or in transactions: as much as there are
 * credits. What finds none waits for the oldest that is outstanding.
 *
 * Of a PCIe link (Base Specification section 2.6.1): posted writes that are not in host memory yet,
 * for which the root complex gives credits; reads that wait for their data, as many as there are
 * tags (section 2.2.6.2), and octets of completions that the device has room for.
 */
class FlowCredits
{
  public:
    /// \param credits 0: no bound
    /// \return when \p units can be given to the link, not before \p earliest, which may lie before
    /// \p now. More than all credits wait until nothing is outstanding.
    [[nodiscard]] Time GetStart(Time now, Time earliest, uint64_t units, uint64_t credits);
    /// \p units given to the link at \p start are no more outstanding from \p end on.
    void Add(uint64_t units, Time start, Time end);

    /// \return the most that were outstanding.
    [[nodiscard]] uint64_t GetPeak() const
    {
        return m_peak;
    }

    /// \return the mean of what was outstanding from time 0 to \p now.
    [[nodiscard]] double GetMean(Time now) const;

    /// \return units times the time that each was outstanding, of all given so far.
    [[nodiscard]] Time GetArea() const
    {
        return m_area;
    }

    /// \return how long there was a wait for credits, all together.
    [[nodiscard]] Time GetWaited() const
    {
        return m_waited;
    }

    /// \return all that was given.
    [[nodiscard]] uint64_t GetGiven() const
    {
        return m_given;
    }

    /// \return from when on at most \p units of what has been given are outstanding.
    [[nodiscard]] Time GetTimeOf(uint64_t units) const;

    /// \return all that came to its end, or is to do so before another takes its credits.
    uint64_t GetReturned(Time now);
    /// \return what is outstanding; as GetReturned() of the same time.
    [[nodiscard]] uint64_t GetOutstanding() const;

  private:
    struct Transfer
    {
        Time end;
        uint64_t units{0};
    };

    void Retire();
    /// Has m_ended say what has ended by \p at. Most times do not go back: nothing is counted
    /// twice.
    void CountEnded(Time at);

    Ring<Transfer> m_transfers; ///< By time.
    std::size_t m_ended{0};     ///< Of them, the first ones, those that have ended by m_endedAt.
    uint64_t m_endedUnits{0};
    Time m_endedAt;
    uint64_t m_outstanding{0};
    uint64_t m_peak{0};
    uint64_t m_given{0};
    uint64_t m_returned{0};
    Time m_area;
    Time m_waited;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_FLOW_CREDITS_H
