/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_STATISTICS_H
#define NFSRDMA_HELPER_RPC_STATISTICS_H

#include "rpc/rpc-record.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
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
};

/**
 * \brief What RPCs of one kind took: counts, latencies (submit to completion), octets.
 */
class OperationStatistics
{
  public:
    void Add(const RpcRecord& record);
    void Add(const OperationStatistics& other);

    [[nodiscard]] uint64_t GetCount() const;
    [[nodiscard]] uint64_t GetErrors() const;
    [[nodiscard]] uint64_t GetRegistrations() const;
    /// \return calls sent again on a new connection.
    [[nodiscard]] uint64_t GetRetransmissions() const;
    [[nodiscard]] const RpcBytes& GetBytes() const;
    /// \return RPCs by form (RpcRecord::GetForm).
    [[nodiscard]] const std::map<std::string, uint64_t>& GetForms() const;
    /// \return mean latency, ns.
    [[nodiscard]] double GetMeanLatency() const;
    /// \return the latency that \p fraction (0 to 1) of the RPCs do not exceed (nearest rank).
    [[nodiscard]] Time GetLatencyQuantile(double fraction) const;

  private:
    uint64_t m_errors{0};
    uint64_t m_registrations{0};
    uint64_t m_retransmissions{0};
    RpcBytes m_bytes;
    std::map<std::string, uint64_t> m_forms;
    std::vector<int64_t> m_latencies;
    mutable std::vector<int64_t> m_sorted;
};

/**
 * \brief OperationStatistics for each operation and for all.
 */
class RpcStatistics
{
  public:
    /// Program, version, procedure, and what the program says beside it.
    using Operation = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    void Add(const RpcRecord& record);

    /// \return the operations seen, in order of their numbers, by name.
    [[nodiscard]] std::vector<std::pair<std::string, const OperationStatistics*>> GetOperations()
        const;
    [[nodiscard]] OperationStatistics GetTotal() const;
    /// \return from the first submission to the last completion.
    [[nodiscard]] Time GetDuration() const;

  private:
    struct Named
    {
        std::string name;
        OperationStatistics statistics;
    };

    std::map<Operation, Named> m_operations;
    Time m_first{Time::Max()};
    Time m_last;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_STATISTICS_H
