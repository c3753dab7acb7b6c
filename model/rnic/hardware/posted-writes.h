/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_POSTED_WRITES_H
#define NFSRDMA_RNIC_HARDWARE_POSTED_WRITES_H

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>

namespace ns3::nfsrdma
{

/**
 * \brief Writes of a device that the bus has taken and that are not in host memory: as many octets
 * as the root complex has given credits for (PCI Express Base Specification section 2.6.1, posted
 * data). A write that finds none waits for the oldest ones.
 */
class PostedWrites
{
  public:
    /// \param credits octets; 0: no bound
    /// \return when \p octets can be given to the bus, not before \p earliest. More octets than all
    /// credits wait until nothing is outstanding.
    [[nodiscard]] Time GetStart(Time now, Time earliest, uint64_t octets, uint64_t credits);
    /// \p octets given to the bus at \p start are in host memory at \p end.
    void Add(uint64_t octets, Time start, Time end);

    /// \return the most octets that were outstanding.
    [[nodiscard]] uint64_t GetPeak() const
    {
        return m_peak;
    }

    /// \return the mean of octets outstanding from time 0 to \p now.
    [[nodiscard]] double GetMean(Time now) const;

    /// \return how long writes have waited for credits, all together.
    [[nodiscard]] Time GetWaited() const
    {
        return m_waited;
    }

  private:
    struct Write
    {
        Time end;
        uint64_t octets{0};
    };

    void Retire();

    std::deque<Write> m_writes; ///< By time.
    uint64_t m_outstanding{0};
    uint64_t m_peak{0};
    double m_area{0}; ///< Octets times nanoseconds.
    Time m_waited;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_POSTED_WRITES_H
