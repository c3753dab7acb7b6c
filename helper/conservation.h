/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CONSERVATION_H
#define NFSRDMA_HELPER_CONSERVATION_H

#include "mpa/tcp-counters.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;

/// Octets, or what else its unit says, of one layer: sent = delivered + dropped + in flight.
struct LayerBalance
{
    std::string layer;
    uint64_t sent{0};
    uint64_t delivered{0};
    uint64_t dropped{0};
    uint64_t inFlight{0};
    /// A line for each place where octets have come from nowhere or gone without a trace.
    std::vector<std::string> broken;
    std::string unit{"octets"};
};

/// What of a run may end without a trace, as it should.
struct ConservationLimits
{
    bool connectionsEnd{false}; ///< Connections may end with messages on their way: by a fault, an
                                ///< adversary, a loss.
    bool foreign{false};        ///< Hosts may send what does not count: adversaries that speak
                                ///< without queue pairs, or without TCP of this project.
};

/**
 * \brief Holds the counters of a cluster against each other, each of which is counted where it
 * happens: nothing is counted as the difference of two others.
 *
 *     ports     octets given to each Ethernet port: sent, dropped, or waiting in its queue
 *     cables    octets on each cable, each way: come to the other port, or under way
 *     tcp       octets given to TCP of all hosts: come in order, or held by their senders, or
 *               abandoned with a connection; never less come than was acknowledged
 *     messages  octets of Sends posted to queue pairs: come whole, or lost with a connection
 *     work_requests    posted to send queues: carried out, or flushed or dropped with the queue
 *                      pair, or on the queue
 *     contexts         asked for by the engines: found on the device, or fetched
 *     bus_reads        octets that devices have asked their buses for: come, or under way
 *     receive_buffers  octets taken from TCP: through, or in the buffer
 *     posted_writes    payload that engines have placed: through the bus, or on it
 *     host_memory      payload that buses have been given: written, or lost since its memory had
 *                      been freed, or not yet due
 *
 * \return a balance for each
 */
[[nodiscard]] std::vector<LayerBalance> CheckConservation(const Cluster& cluster,
                                                          const ConservationLimits& limits);

/// \return the balance of the streams that \p counters are the sum of.
[[nodiscard]] LayerBalance BalanceTcp(const TcpCounters& counters, bool foreign);

/// \return TCP of all hosts of \p cluster.
[[nodiscard]] TcpCounters SumUpTcp(const Cluster& cluster);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CONSERVATION_H
