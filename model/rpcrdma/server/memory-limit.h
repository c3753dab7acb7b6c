/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_MEMORY_LIMIT_H
#define NFSRDMA_RPCRDMA_SERVER_MEMORY_LIMIT_H

#include "host/memory.h"
#include "rpcrdma/server/svc-statistics.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief A bound on the memory of all connections of one responder: receive buffers, Send contexts,
 * pages of replies and sinks of RDMA Reads (HostMemoryCharge).
 *
 * Guaranteed: octets of receive buffers, Send contexts and sinks of RDMA Reads <=
 * server_memory_limit.
 *
 * A grant that grows gets fewer receives, and so fewer credits. What else asks for more than is
 * left gets none, and its connection ends, as where svcrdma's allocations fail (svc_rdma_accept(),
 * svc_rdma_sendto(), svc_rdma_recvfrom() of Linux 6.1). Data of a reply are there already when it
 * is written, so that they can pass the bound.
 */
class SvcRdmaMemoryLimit
{
  public:
    /// \param limit octets
    /// \param refused told of each request that is refused: its octets, and those that are held
    SvcRdmaMemoryLimit(Ptr<HostMemory> memory,
                       uint64_t limit,
                       std::shared_ptr<SvcRdmaStatistics> statistics,
                       std::function<void(uint64_t octets, uint64_t held)> refused);
    ~SvcRdmaMemoryLimit();
    SvcRdmaMemoryLimit(const SvcRdmaMemoryLimit&) = delete;
    SvcRdmaMemoryLimit& operator=(const SvcRdmaMemoryLimit&) = delete;

    /// What \p account is charged with from now on counts.
    void Add(HostMemoryAccount account);
    /// \return whether \p octets may be taken; else that is counted.
    [[nodiscard]] bool Allows(uint64_t octets);

    /// \return octets that are left.
    [[nodiscard]] uint64_t GetRoom() const
    {
        return m_limit - std::min(m_limit, m_held);
    }

  private:
    void NoteCharge(HostMemoryAccount account,
                    HostMemoryCharge charge,
                    uint64_t before,
                    uint64_t now);

    Ptr<HostMemory> m_memory;
    uint64_t m_limit;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    std::function<void(uint64_t, uint64_t)> m_refused;
    std::set<HostMemoryAccount> m_accounts;
    uint64_t m_held{0};
    uint64_t m_asked{0}; ///< Of m_held, without pages of replies.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_MEMORY_LIMIT_H
