/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_RECEIVE_BUFFERS_H
#define NFSRDMA_RPCRDMA_RECEIVE_BUFFERS_H

#include "host/memory.h"
#include "rnic/queue/qp.h"
#include "rpcrdma/server/receive-budget.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Buffers of one size that a connection posts as receives; each is taken from a budget, if any.
class ReceiveBuffers
{
  public:
    /// \param budget outlives this; null: none. \param account of the host's memory, charged
    ReceiveBuffers(Ptr<HostMemory> memory,
                   Ptr<QueuePair> pair,
                   uint32_t bufferSize,
                   SvcRdmaReceiveBudget* budget = nullptr,
                   HostMemoryAccount account = 0);
    ~ReceiveBuffers();
    ReceiveBuffers(const ReceiveBuffers&) = delete;
    ReceiveBuffers& operator=(const ReceiveBuffers&) = delete;

    /// Posts \p count more. \return false when the queue pair or the budget refuses. An entry of
    /// the queue is free once its completion has been taken, though the device has room before.
    bool Post(uint32_t count);
    /// Has memory for \p count buffers at least, posted or free, as far as the budget goes.
    void Reserve(uint32_t count);
    /// Takes the message of a receive completion; its buffer is free afterwards.
    void Take(const WorkCompletion& completion, ByteVector& message);

    /// \return receives posted and not completed.
    [[nodiscard]] uint32_t GetPosted() const
    {
        return m_posted;
    }

    /// \return buffers that are there, posted or free.
    [[nodiscard]] uint32_t GetAllocated() const
    {
        return m_allocated;
    }

    /// \return octets of all buffers, posted or free.
    [[nodiscard]] uint64_t GetOctets() const
    {
        return uint64_t{m_allocated} * m_bufferSize;
    }

    [[nodiscard]] uint32_t GetBufferSize() const
    {
        return m_bufferSize;
    }

    /// Gives the memory of free buffers back, as long as there are more than \p count buffers.
    void Trim(uint32_t count);

  private:
    bool Allocate();

    Ptr<HostMemory> m_memory;
    Ptr<QueuePair> m_pair;
    uint32_t m_bufferSize;
    SvcRdmaReceiveBudget* m_budget; ///< Null: none.
    HostMemoryPurpose m_purpose;
    std::vector<uint64_t> m_addresses; ///< Of the buffers; 0: it has no memory.
    std::vector<uint32_t> m_free;
    uint32_t m_posted{0};
    uint32_t m_allocated{0};         ///< Buffers that have memory.
    std::vector<uint32_t> m_trimmed; ///< Free ones that have none.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_RECEIVE_BUFFERS_H
