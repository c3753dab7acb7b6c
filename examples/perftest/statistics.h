/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_STATISTICS_H
#define NFSRDMA_EXAMPLES_STATISTICS_H

#include "perftest/stream-traffic.h"

namespace ns3::nfsrdma
{

/// What perftest's latency table says of a run, us.
struct LatencyStatistics
{
    double minimum{0};
    double maximum{0};
    double typical{0}; ///< The median.
    double average{0};
    double deviation{0};
    double percentile99{0};
    double percentile999{0};

    /// \param intervals at least one
    /// \param share of an interval that is the latency: 0.5 of a round trip, 1 of a Read
    static LatencyStatistics Of(std::vector<Time> intervals, double share);
};

/// What perftest's bandwidth table says of a run.
struct BandwidthStatistics
{
    double peak{0};        ///< Bits per second, over the best stretch from a post to a completion.
    double average{0};     ///< Bits per second, from the end of the warm-up to the last completion.
    double messageRate{0}; ///< Messages per second.

    /// \param times with at least one message that counts; \param size octets of a message
    static BandwidthStatistics Of(const StreamTimes& times, uint64_t size);
    BandwidthStatistics& operator+=(const BandwidthStatistics& other);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_STATISTICS_H
