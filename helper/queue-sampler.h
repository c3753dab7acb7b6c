/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_QUEUE_SAMPLER_H
#define NFSRDMA_HELPER_QUEUE_SAMPLER_H

#include "helper/ethernet-network.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <ostream>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Looks at the queues of all ports of switches again and again, and writes how much waits:
 * queues.csv, a row for each port whose queue has changed since it looked last.
 *
 *     time_s,switch,peer,queue_octets
 */
class QueueSampler
{
  public:
    /// \param network,stream must outlive it; \param period above zero
    QueueSampler(const EthernetNetwork& network, Time period, std::ostream& stream);
    ~QueueSampler();
    QueueSampler(const QueueSampler&) = delete;
    QueueSampler& operator=(const QueueSampler&) = delete;

    /// Writes the head and looks for the first time, now.
    void Start();
    void Stop();

  private:
    void Sample();

    const EthernetNetwork& m_network;
    Time m_period;
    std::ostream& m_stream;
    std::vector<uint32_t> m_latest; ///< By port.
    EventId m_next;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_QUEUE_SAMPLER_H
