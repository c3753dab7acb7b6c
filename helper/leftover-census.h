/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_LEFTOVER_CENSUS_H
#define NFSRDMA_HELPER_LEFTOVER_CENSUS_H

#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What hosts still hold after their work is done and their connections are closed. All of it
 * should be zero.
 */
class LeftoverCensus
{
  public:
    /// One kind of thing, and how many are left.
    using Count = std::pair<std::string, uint64_t>;

    LeftoverCensus();

    /// Counts what the host called \p name holds. A client's transport keeps the buffers of its
    /// slots until it is destroyed, as Linux's does until umount: it is disposed of here, after
    /// everything but host memory has been counted.
    void Add(const std::string& name, const NfsRdmaClient& client);
    /// Counts what the server called \p name holds, but not its host.
    void Add(const std::string& name, const NfsRdmaServer& server);
    /// Counts what the host of \p server, called \p name, holds.
    void AddServerHost(const std::string& name, const NfsRdmaServer& server);

    /// \return every kind of thing, zeros included, summed over the hosts.
    [[nodiscard]] const std::vector<Count>& GetCounts() const;
    /// \return a line for each host and kind of thing left: "client-0: 2 memory_regions".
    [[nodiscard]] const std::vector<std::string>& GetLines() const;
    [[nodiscard]] bool IsEmpty() const;

  private:
    enum Kind : std::size_t
    {
        MEMORY_REGIONS,
        VALID_MEMORY_REGIONS,
        MEMORY_WINDOWS,
        PINNED_PAGES,
        CREDITS,
        SLOTS,
        SEND_WQES,
        RECEIVE_WQES,
        QUEUE_PAIRS,
        COMPLETION_QUEUES,
        PROTECTION_DOMAINS,
        CONNECTIONS,
        TCP_SOCKETS,
        SERVER_THREADS,
        STORAGE_REQUESTS,
        FILE_LOCKS,
        HOST_MEMORY_BYTES,
        RECEIVE_BUFFER_OCTETS,
        KINDS
    };

    void AddHost(const std::string& name, Ptr<Node> node, const Ptr<RnicDevice>& device);
    void Record(const std::string& name, Kind kind, uint64_t count);

    std::vector<Count> m_counts;
    std::vector<std::string> m_lines;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_LEFTOVER_CENSUS_H
