/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_RESULT_H
#define NFSRDMA_WORKLOAD_RESULT_H

#include "workload/latency-histogram.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief What a workload measured of one item: a direction of fio ("read", "write"), a phase of
 * mdtest ("create", "stat"), ...
 *
 * attempts = operations + errors; operations, octets and latency are of operations that succeeded,
 * and of them alone. RequestLog says which count.
 */
struct WorkloadResult
{
    std::string item;
    uint64_t operations{0};   ///< Ended with success in the time measured.
    uint64_t attempts{0};     ///< Ended in the time measured, however.
    uint64_t errors{0};       ///< Of the attempts, without success.
    uint64_t octets{0};       ///< That the operations moved.
    Time duration;            ///< Time measured.
    LatencyHistogram latency; ///< Of operations that arrived in the time measured.

    /// An attempt has ended in the time measured. \param moved octets of a success
    void CountEnd(bool succeeded, uint64_t moved)
    {
        ++attempts;
        if (!succeeded)
        {
            ++errors;
            return;
        }
        ++operations;
        octets += moved;
    }

    /// Sums up; the time is the longer one.
    void Add(const WorkloadResult& other)
    {
        operations += other.operations;
        attempts += other.attempts;
        errors += other.errors;
        octets += other.octets;
        duration = Max(duration, other.duration);
        latency.Add(other.latency);
    }

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

#endif // NFSRDMA_WORKLOAD_RESULT_H
