/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_MEMORY_WORK_H
#define NFSRDMA_RNIC_QUEUE_MEMORY_WORK_H

#include "rnic/queue/sq.h"

#include "ns3/event-id.h"

namespace ns3::nfsrdma
{

class QueuePair;
class QueuePairTransmitter;

/**
 * \brief The work requests of a send queue that only the memory unit of the device executes:
 * registration, local invalidation, binding of windows.
 *
 * One that breaks the rules fails the queue pair, with the status of the device's FaultStatus; that
 * of the verbs is
 *  - REGISTER_MR: LOC_QP_OP_ERR when the region is valid, destroyed or of another domain;
 *  - LOCAL_INVALIDATE: LOC_QP_OP_ERR when the STag is unknown or of another domain, or the region
 *    is a regular one; MW_BIND_ERR when windows are bound over it;
 *  - BIND_WINDOW: MW_BIND_ERR when the window is bound, destroyed or of another domain, or the
 *    region is invalid, destroyed, of another domain, without ACCESS_WINDOW_BIND, without
 *    ACCESS_LOCAL_WRITE for a window that may be written, or does not hold the range, or that has
 *    no octets.
 */
class MemoryWork
{
  public:
    MemoryWork(QueuePair& pair, QueuePairTransmitter& transmitter);
    ~MemoryWork();
    MemoryWork(const MemoryWork&) = delete;
    MemoryWork& operator=(const MemoryWork&) = delete;

    /// Executes the head of the send queue and those behind it as far as they are memory work, each
    /// at its time.
    void Run();

    void Stop()
    {
        m_event.Cancel();
    }

  private:
    /// Occupies the memory unit with \p entry.
    void Start(SendQueueEntry& entry);
    void Done();
    /// \return when the memory unit is done with \p entry, which it may begin at \p ready.
    [[nodiscard]] Time Queue(const SendQueueEntry& entry, Time ready) const;
    /// \return SUCCESS, or the status of the rule that is broken.
    [[nodiscard]] WorkCompletionStatus Execute(SendQueueEntry& entry);
    /// \return the status of \p entry that met \p fault, as the device reports it.
    [[nodiscard]] WorkCompletionStatus GetStatus(const SendQueueEntry& entry,
                                                 StagFault fault) const;
    [[nodiscard]] WorkCompletionStatus Register(SendQueueEntry& entry);
    [[nodiscard]] WorkCompletionStatus Invalidate(const SendQueueEntry& entry);
    [[nodiscard]] WorkCompletionStatus Bind(const SendQueueEntry& entry);

    QueuePair& m_pair;
    QueuePairTransmitter& m_transmitter;
    Time m_end; ///< When the memory unit is done with the head.
    EventId m_event;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_MEMORY_WORK_H
