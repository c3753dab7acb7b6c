/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RECEIVE_QUEUE_H
#define NFSRDMA_RNIC_RECEIVE_QUEUE_H

#include "rnic/completion-writer.h"
#include "rnic/work-request.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>

namespace ns3::nfsrdma
{

/// A work request on a receive queue.
struct ReceiveQueueEntry
{
    ReceiveWorkRequest request;
    uint32_t length{0}; ///< Octets of all elements.
};

/**
 * \brief The receive queue of a queue pair: message n goes into the n-th buffer posted, less what
 * MPA took for itself (SetFirstMsn()).
 */
class ReceiveQueue
{
  public:
    void Bind(Ptr<CompletionQueue> queue, uint32_t depth, uint32_t queuePairNumber);
    void Close();

    /// The oldest buffer is for message \p msn. Requires that none has been consumed.
    void SetFirstMsn(uint32_t msn);
    [[nodiscard]] bool HasRoom() const;
    void Post(const ReceiveWorkRequest& request, uint32_t length);

    /// \return the buffer of message \p msn (modulo 2^32), or null when it is consumed or not
    /// posted.
    [[nodiscard]] const ReceiveQueueEntry* Find(uint32_t msn) const;
    /// Consumes the oldest buffer; \p completion lacks id, opcode and number.
    void Complete(WorkCompletion completion, Time due);
    /// Consumes all: the oldest with \p first, the others with WR_FLUSH_ERR.
    void Flush(Time now, WorkCompletionStatus first);

    [[nodiscard]] uint32_t GetPosted() const;
    [[nodiscard]] Time GetLastCompletion() const;

  private:
    std::deque<ReceiveQueueEntry> m_entries;
    uint32_t m_headMsn{1};
    uint32_t m_depth{0};
    uint32_t m_queuePairNumber{0};
    CompletionWriter m_writer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RECEIVE_QUEUE_H
