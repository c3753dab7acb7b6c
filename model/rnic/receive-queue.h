/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RECEIVE_QUEUE_H
#define NFSRDMA_RNIC_RECEIVE_QUEUE_H

#include "rnic/completion-writer.h"
#include "rnic/stage-times.h"
#include "rnic/work-request.h"
#include "rnic/work-timeline.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <memory>

namespace ns3::nfsrdma
{

/// A work request on a receive queue.
struct ReceiveQueueEntry
{
    ReceiveWorkRequest request;
    uint32_t length{0}; ///< Octets of all elements.
    Time calledAt;      ///< When the consumer has called.
    Time postedAt;      ///< When its thread has done the post.
};

/**
 * \brief The receive queue of a queue pair: message n goes into the n-th buffer posted, less what
 * MPA took for itself (SetFirstMsn()).
 */
class ReceiveQueue
{
  public:
    void Bind(Ptr<CompletionQueue> queue, uint32_t depth, uint32_t queuePairNumber);
    /// Who is asked whether to keep timelines.
    void SetUser(const CompletionQueueUser& user);
    void Close();

    /// The oldest buffer is for message \p msn. Requires that none has been consumed.
    void SetFirstMsn(uint32_t msn);
    [[nodiscard]] bool HasRoom() const;
    /// \param postedAt when the thread that calls now has done the post
    void Post(const ReceiveWorkRequest& request, uint32_t length, Time postedAt);

    /// \return the buffer of message \p msn (modulo 2^32), or null when it is consumed or not
    /// posted.
    [[nodiscard]] const ReceiveQueueEntry* Find(uint32_t msn) const;
    /// Consumes the oldest buffer, whose message came as \p times tell; \p completion lacks id,
    /// opcode and number.
    void Complete(WorkCompletion completion, const ReceiveTimes& times);
    /// Consumes all: the oldest with \p first, the others with WR_FLUSH_ERR.
    void Flush(WorkCompletionStatus first);

    [[nodiscard]] uint32_t GetPosted() const;
    [[nodiscard]] Time GetLastCompletion() const;

  private:
    [[nodiscard]] std::unique_ptr<WorkTimeline> MakeTimeline(const ReceiveQueueEntry& entry) const;
    void Fill(const ReceiveQueueEntry& entry, WorkCompletion& completion) const;

    const CompletionQueueUser* m_user{nullptr};
    std::deque<ReceiveQueueEntry> m_entries;
    uint32_t m_headMsn{1};
    uint32_t m_depth{0};
    uint32_t m_queuePairNumber{0};
    CompletionWriter m_writer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RECEIVE_QUEUE_H
