/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_LATENCY_HISTOGRAM_H
#define NFSRDMA_WORKLOAD_LATENCY_HISTOGRAM_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief How long operations took, in the buckets of fio's (stat.h, FIO_IO_U_PLAT_BITS 6): 64 for
 * each power of two, so that a quantile is at most 1/64 too large. Mean, least and most are exact.
 *
 * The buckets hang on nothing that was seen, so that the sum of several is what one would be that
 * had seen all, in whatever order they are added.
 */
class LatencyHistogram
{
  public:
    /// Latencies between two bounds, ns; both are in it.
    struct Bucket
    {
        uint64_t low{0};
        uint64_t high{0};
        uint64_t count{0};
    };

    void Add(Time latency);
    void Add(const LatencyHistogram& other);
    /// Adds what ListBuckets() of another has told: its latencies count with the upper bound.
    /// \return whether there is a bucket with these bounds; else nothing is added
    bool Add(const Bucket& bucket);
    /// \return those with anything in them, from low to high.
    [[nodiscard]] std::vector<Bucket> ListBuckets() const;

    [[nodiscard]] uint64_t GetCount() const
    {
        return m_count;
    }

    /// \return mean, ns; 0 without any.
    [[nodiscard]] double GetMean() const
    {
        return m_count == 0 ? 0 : static_cast<double>(m_sum) / static_cast<double>(m_count);
    }

    [[nodiscard]] Time GetMinimum() const;
    [[nodiscard]] Time GetMaximum() const;
    /// \return a latency that \p fraction (0 to 1) of the operations do not exceed: the largest of
    /// its bucket, no more than GetMaximum().
    [[nodiscard]] Time GetQuantile(double fraction) const;

  private:
    std::vector<uint64_t> m_buckets;
    uint64_t m_count{0};
    uint64_t m_sum{0};
    uint64_t m_minimum{0};
    uint64_t m_maximum{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_LATENCY_HISTOGRAM_H
