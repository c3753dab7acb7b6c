/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_LATENCY_DISTRIBUTIONS_H
#define NFSRDMA_HELPER_LATENCY_DISTRIBUTIONS_H

#include "workload/latency-histogram.h"

#include <map>
#include <string>
#include <tuple>

namespace ns3::nfsrdma
{

/**
 * \brief Latency histograms by what was measured, population and operation, from arrival to the
 * end, of successes that arrived in the measurement.
 *
 * Those of several clients, runs or parts of a sweep can be added, in any order: the sum is what
 * one would be that had seen all.
 */
class LatencyDistributions
{
  public:
    /// Of RPCs, and of what workloads measure.
    static constexpr const char* RPC = "rpc";
    static constexpr const char* WORKLOAD = "workload";

    struct Key
    {
        std::string measure;    ///< RPC or WORKLOAD.
        std::string population; ///< Workloads of the client, joined by +; or the one.
        std::string operation;  ///< Name of the RPC, or item of the workload.

        bool operator<(const Key& other) const
        {
            return std::tie(measure, population, operation) <
                   std::tie(other.measure, other.population, other.operation);
        }
    };

    void Add(const Key& key, Time latency)
    {
        m_histograms[key].Add(latency);
    }

    /// An empty one is none.
    void Add(const Key& key, const LatencyHistogram& histogram)
    {
        if (histogram.GetCount() > 0)
        {
            m_histograms[key].Add(histogram);
        }
    }

    void Add(const LatencyDistributions& other)
    {
        for (const auto& [key, histogram] : other.m_histograms)
        {
            Add(key, histogram);
        }
    }

    /// \return all, in the order of their keys.
    [[nodiscard]] const std::map<Key, LatencyHistogram>& GetHistograms() const
    {
        return m_histograms;
    }

    /// \return all of one measure together.
    [[nodiscard]] LatencyHistogram GetTotal(const std::string& measure) const
    {
        LatencyHistogram total;
        for (const auto& [key, histogram] : m_histograms)
        {
            if (key.measure == measure)
            {
                total.Add(histogram);
            }
        }
        return total;
    }

  private:
    std::map<Key, LatencyHistogram> m_histograms;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_LATENCY_DISTRIBUTIONS_H
