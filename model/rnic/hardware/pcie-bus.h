/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_PCIE_BUS_H
#define NFSRDMA_RNIC_HARDWARE_PCIE_BUS_H

#include "rnic/hardware/reservation-calendar.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The PCIe link between a device and its host, shared by all that the device does: each
 * direction carries what is given to it one after the other, at the payload rate of the link.
 *
 * Towards the device go work requests and the payload to send, towards the host received payload
 * and completions. The latency of the link is not in here: transfers overlap in it.
 */
class PcieBus
{
  public:
    enum class Direction
    {
        TO_DEVICE,
        TO_HOST
    };

    /// Reserves the link for \p octets at \p rate (0: no time at all), not before \p earliest.
    /// \return when the last octet is through, rounded up to a nanosecond
    Time Transfer(Direction direction,
                  Time now,
                  Time earliest,
                  uint64_t octets,
                  const DataRate& rate);

    /// \return octets given to this direction so far.
    [[nodiscard]] uint64_t GetOctets(Direction direction) const
    {
        return m_lanes.at(static_cast<std::size_t>(direction)).octets;
    }

    /// \return for how long this direction has carried octets, or is to carry what it was given.
    [[nodiscard]] Time GetBusy(Direction direction) const;

  private:
    struct Lane
    {
        ReservationCalendar calendar; ///< In picoseconds, so that short transfers add up exactly.
        uint64_t octets{0};
        int64_t busy{0}; ///< As the calendar's.
    };

    std::array<Lane, 2> m_lanes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_PCIE_BUS_H
