/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_REASSEMBLY_MONITOR_H
#define NFSRDMA_RNIC_HARDWARE_REASSEMBLY_MONITOR_H

#include "host/occupancy-meter.h"
#include "mpa/connection.h"

#include "ns3/simple-ref-count.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief Reassembly memory of all MPA connections of a device together: octets that have arrived,
 * are neither delivered nor placed, and so must be buffered (RFC 5044 appendix B.2).
 *
 * The sum of the trace source ReassemblyOctets of the connections watched, until they close.
 */
class ReassemblyMonitor : public SimpleRefCount<ReassemblyMonitor>
{
  public:
    /// Counts \p connection from now on. It keeps this object alive.
    void Watch(MpaConnection& connection);

    [[nodiscard]] const OccupancyMeter& GetMeter() const
    {
        return m_meter;
    }

  private:
    void HandleOctets(uint32_t connection, uint32_t before, uint32_t now);
    void HandleState(uint32_t connection, MpaConnection::State before, MpaConnection::State now);

    OccupancyMeter m_meter;
    std::map<uint32_t, uint32_t> m_parts; ///< Octets of each connection that holds some.
    uint32_t m_nextConnection{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_REASSEMBLY_MONITOR_H
