/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_STATISTICS_H
#define NFSRDMA_HELPER_RPC_STATISTICS_H

#include "rpc/record.h"
#include "workload/latency-histogram.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets of RPCs by the way they took.
struct RpcBytes
{
    uint64_t inlined{0}; ///< In Sends, transport headers included, both directions.
    uint64_t readChunk{0};
    uint64_t writeChunk{0};
    uint64_t replyChunk{0};
    uint64_t replyReadChunk{0}; ///< Pulled from responder-provided Read chunks.

    RpcBytes& operator+=(const RpcBytes& other);
    /// \return those of one RPC.
    [[nodiscard]] static RpcBytes Of(const RpcRecord& record);
};

/// What RPCs that did not succeed took; none of it is in any other measure.
struct FailedRpcs
{
    uint64_t registrations{0};
    RpcBytes bytes;
    /// How many, by GetErrorName().
    std::map<std::string, uint64_t> reasons;
};

/**
 * \brief What RPCs of one kind took: counts, latencies (arrival to completion), octets.
 *
 * The one definition of each: an RPC that has ended in the time measured is an attempt; it is an
 * error when IsError() says so, and else it counts. Count, registrations, octets and forms are of
 * RPCs that count, and of them alone; what errors took is in GetFailed(). Latencies are of RPCs
 * without error that arrived in the time measured, from arrival on. analysis/METRICS.md.
 *
 * Quantiles are exact up to MOST_EXACT latencies, and beyond those of LatencyHistogram: at most
 * 1/64 too large. Sums of several are what one that had seen all would be.
 */
class OperationStatistics
{
  public:
    /// Latencies that are kept one by one.
    static constexpr std::size_t MOST_EXACT = std::size_t{1} << 17;

    /// An RPC has ended inside the time measured, or has only arrived there.
    /// \param ended whether it ended there: counts with what it took
    /// \param arrived whether it arrived there: its latency counts
    void Add(const RpcRecord& record, bool ended = true, bool arrived = true);
    void Add(const OperationStatistics& other);

    /// \return RPCs that succeeded.
    [[nodiscard]] uint64_t GetCount() const;
    /// \return RPCs that have ended: GetCount() and GetErrors().
    [[nodiscard]] uint64_t GetAttempts() const;
    [[nodiscard]] uint64_t GetErrors() const;
    [[nodiscard]] const FailedRpcs& GetFailed() const;
    [[nodiscard]] uint64_t GetRegistrations() const;
    /// \return registrations for each RPC; 0 without any.
    [[nodiscard]] double GetRegistrationsPerRpc() const;
    /// \return calls sent again, of all attempts.
    [[nodiscard]] uint64_t GetRetransmissions() const;
    [[nodiscard]] const RpcBytes& GetBytes() const;
    /// \return RPCs by form (RpcRecord::GetForm).
    [[nodiscard]] const std::map<std::string, uint64_t>& GetForms() const;
    /// \return mean latency, ns.
    [[nodiscard]] double GetMeanLatency() const;
    /// \return the latency that \p fraction (0 to 1) of the RPCs do not exceed (nearest rank).
    [[nodiscard]] Time GetLatencyQuantile(double fraction) const;
    /// \return the same when there are enough RPCs to tell it (CarriesQuantile).
    [[nodiscard]] std::optional<Time> FindLatencyQuantile(double fraction) const;
    [[nodiscard]] const LatencyHistogram& GetLatencies() const;

  private:
    void AddLatency(Time latency);

    uint64_t m_count{0};
    uint64_t m_errors{0};
    FailedRpcs m_failed;
    uint64_t m_registrations{0};
    uint64_t m_retransmissions{0};
    RpcBytes m_bytes;
    std::map<std::string, uint64_t> m_forms;
    LatencyHistogram m_histogram;
    std::vector<int64_t> m_latencies; ///< All, or none when they are too many.
    mutable std::vector<int64_t> m_sorted;
};

/**
 * \brief OperationStatistics for each operation and for all, and rates over the time measured.
 */
class RpcStatistics
{
  public:
    /// Program, version, procedure, and what the program says beside it.
    using Operation = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    void Add(const RpcRecord& record, bool ended = true, bool arrived = true);
    /// Rates are over \p length from now on, that of the measurement.
    void SetWindow(Time length);
    /// \param octets of file data that were read and written meanwhile (DataOctets)
    void SetData(uint64_t octets);

    /// \return the operations seen, in order of their numbers, by name.
    [[nodiscard]] std::vector<std::pair<std::string, const OperationStatistics*>> GetOperations()
        const;
    [[nodiscard]] OperationStatistics GetTotal() const;
    /// \return the length of the measurement; without SetWindow(), from the first submission to the
    /// last completion.
    [[nodiscard]] Time GetDuration() const;
    /// \return RPCs that succeeded in a second of that; 0 without duration.
    [[nodiscard]] double GetRate() const;
    /// \return bits of file data in a second of that.
    [[nodiscard]] double GetGoodput() const;

  private:
    struct Named
    {
        std::string name;
        OperationStatistics statistics;
    };

    std::map<Operation, Named> m_operations;
    Time m_first{Time::Max()};
    Time m_last;
    std::optional<Time> m_window;
    uint64_t m_data{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_STATISTICS_H
