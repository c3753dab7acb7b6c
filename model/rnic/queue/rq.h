/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_RQ_H
#define NFSRDMA_RNIC_QUEUE_RQ_H

#include "rnic/hardware/stage-times.h"
#include "rnic/queue/completion-writer.h"
#include "rnic/queue/receive-entry.h"
#include "rnic/queue/srq.h"
#include "rnic/queue/work-timeline.h"
#include "wire/ring.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The receive queue of a queue pair: message n goes into the n-th buffer posted, less what
 * MPA took for itself (SetFirstMsn()).
 *
 * With a shared receive queue it holds no more than what its messages have taken from there: each
 * the oldest buffer when its first segment came. A message further ahead of its turn than the
 * shared queue is deep takes nothing, so that a peer that skips numbers gets no more than its
 * messages in order would.
 */
class ReceiveQueue
{
  public:
    /// \param depth work requests; of no meaning with \p shared
    /// \param shared may be null
    void Bind(Ptr<CompletionQueue> queue,
              uint32_t depth,
              uint32_t queuePairNumber,
              Ptr<SharedReceiveQueue> shared);

    /// Who is asked whether to keep timelines.
    void SetUser(const CompletionQueueUser& user)
    {
        m_user = &user;
    }

    void Close();

    /// The oldest buffer is for message \p msn. Requires that none has been consumed.
    void SetFirstMsn(uint32_t msn)
    {
        m_headMsn = msn;
    }

    /// \return the shared receive queue, or null.
    [[nodiscard]] const SharedReceiveQueue* GetShared() const;

    [[nodiscard]] bool HasRoom() const
    {
        return m_entries.size() < m_depth;
    }

    /// Not with a shared receive queue.
    /// \param postedAt when the thread that calls now has done the post
    void Post(const ReceiveWorkRequest& request, Time postedAt);

    /// \return the buffer of message \p msn (modulo 2^32), taken now if need be; or null when it
    /// is consumed or not posted. Valid until the next call.
    [[nodiscard]] ReceiveQueueEntry* Find(uint32_t msn);

    /// \return as Find(), of the message to be completed next.
    [[nodiscard]] ReceiveQueueEntry* FindNext()
    {
        return Find(m_headMsn);
    }

    /// Consumes the buffer of FindNext(), whose message came as \p times tell; \p completion lacks
    /// id, opcode and number.
    void Complete(WorkCompletion completion, const ReceiveTimes& times);
    /// Consumes all: that of FindNext() with \p first, the others with WR_FLUSH_ERR.
    void Flush(WorkCompletionStatus first);

    /// \return buffers posted here, or taken from the shared receive queue, and not consumed.
    [[nodiscard]] uint32_t GetPosted() const
    {
        return m_shared ? m_taken.size() : m_entries.size();
    }

    [[nodiscard]] Time GetLastCompletion() const
    {
        return m_writer.GetLast();
    }

  private:
    /// A buffer from the shared receive queue, and the message it is for.
    struct Taken
    {
        uint32_t msn{0};
        ReceiveQueueEntry entry;
    };

    [[nodiscard]] ReceiveQueueEntry* FindTaken(uint32_t msn);
    [[nodiscard]] std::unique_ptr<WorkTimeline> MakeTimeline(const ReceiveQueueEntry& entry) const;
    /// \return the buffer of FindNext(), removed.
    ReceiveQueueEntry Consume();
    void Fill(const ReceiveQueueEntry& entry, WorkCompletion& completion) const;

    const CompletionQueueUser* m_user{nullptr};
    Ring<ReceiveQueueEntry> m_entries;
    Ptr<SharedReceiveQueue> m_shared;
    std::vector<Taken> m_taken; ///< By MSN, from m_headMsn on.
    uint32_t m_headMsn{1};
    uint32_t m_depth{0};
    uint32_t m_queuePairNumber{0};
    CompletionWriter m_writer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_RQ_H
