/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_READ_RESPONSE_QUEUE_H
#define NFSRDMA_RDMAP_READ_RESPONSE_QUEUE_H

#include "rdmap/consumer.h"
#include "rdmap/read-request.h"
#include "wire/ring.h"

#include <optional>

namespace ns3::nfsrdma
{

/// A Read Response, or an Atomic Response, that is owed to the peer.
struct ReadResponse
{
    RdmaReadRequest request;
    PayloadSource source;                 ///< Empty for a Read of length zero.
    std::optional<AtomicResponse> atomic; ///< Set when that is what is owed.
};

/// The Read and Atomic Responses owed, in the order of their requests; at most IRD of them.
class ReadResponseQueue
{
  public:
    /// \param ird responses that may be owed at a time
    explicit ReadResponseQueue(uint32_t ird);

    [[nodiscard]] bool IsEmpty() const
    {
        return m_responses.empty();
    }

    [[nodiscard]] bool IsFull() const
    {
        return m_responses.size() >= m_ird;
    }

    [[nodiscard]] uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_responses.size());
    }

    /// Requires that the queue is not full.
    void Push(const RdmaReadRequest& request, PayloadSource source);

    /// Requires that the queue is not full.
    void PushAtomic(const AtomicResponse& response)
    {
        m_responses.push_back({{}, nullptr, response});
    }

    /// \return the oldest. Requires that the queue is not empty.
    [[nodiscard]] const ReadResponse& Front() const
    {
        return m_responses.front();
    }

    void Pop()
    {
        m_responses.pop_front();
    }

    void Clear()
    {
        m_responses.clear();
    }

  private:
    uint32_t m_ird;
    Ring<ReadResponse> m_responses;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_READ_RESPONSE_QUEUE_H
