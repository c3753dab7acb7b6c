/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_COMPLETION_WRITER_H
#define NFSRDMA_RNIC_QUEUE_COMPLETION_WRITER_H

#include "rnic/queue/cq.h"
#include "wire/ring.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief The path from one queue of a queue pair to its completion queue: entries appear at their
 * time, and in the order they were given.
 */
class CompletionWriter
{
  public:
    CompletionWriter() = default;
    CompletionWriter(const CompletionWriter&) = delete;
    CompletionWriter& operator=(const CompletionWriter&) = delete;
    ~CompletionWriter();

    void SetQueue(Ptr<CompletionQueue> queue)
    {
        m_queue = queue;
    }

    /// The device writes \p completion, of work that is, or will be, done at \p done.
    /// \param timeline of the work request, or null
    void Write(const WorkCompletion& completion,
               uint32_t slots,
               Time done,
               std::unique_ptr<WorkTimeline> timeline);
    /// As Write(), at no cost: the work was never begun, or not ended, when it was flushed now.
    void WriteFlushed(const WorkCompletion& completion,
                      uint32_t slots,
                      std::unique_ptr<WorkTimeline> timeline);

    /// \return when the last entry given appears, or has appeared.
    [[nodiscard]] Time GetLast() const
    {
        return m_last;
    }

    /// Forgets what has not appeared, and the queue.
    void Close();

  private:
    struct Pending
    {
        WorkCompletion completion;
        uint32_t slots{0};
        std::unique_ptr<WorkTimeline> timeline;
        Time due;
    };

    void Add(const WorkCompletion& completion,
             uint32_t slots,
             Time due,
             WorkStage stage,
             std::unique_ptr<WorkTimeline> timeline);

    void Flush();

    Ptr<CompletionQueue> m_queue;
    Ring<Pending> m_pending;
    Time m_last;
    EventId m_event;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_COMPLETION_WRITER_H
