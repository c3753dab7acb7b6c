/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_WORKLOAD_RESULT_H
#define NFSRDMA_WORKLOAD_WORKLOAD_RESULT_H

#include "workload/latency-histogram.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// What a workload measured of one item: a direction of fio ("read", "write"), a phase of mdtest
/// ("create", "stat"), ...
struct WorkloadResult
{
    std::string item;
    uint64_t operations{0}; ///< Completed in the time measured.
    uint64_t errors{0};     ///< Of them, without success.
    uint64_t octets{0};     ///< That they moved.
    Time duration;          ///< Time measured.
    LatencyHistogram latency;

    /// \return operations in a second; 0 when no time was measured.
    [[nodiscard]] double GetRate() const
    {
        return duration.IsStrictlyPositive()
                   ? static_cast<double>(operations) / duration.GetSeconds()
                   : 0;
    }

    /// \return octets in a second.
    [[nodiscard]] double GetBandwidth() const
    {
        return duration.IsStrictlyPositive() ? static_cast<double>(octets) / duration.GetSeconds()
                                             : 0;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_WORKLOAD_RESULT_H
