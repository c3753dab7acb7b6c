/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_WORK_H
#define NFSRDMA_RNIC_MEMORY_WORK_H

#include "rnic/send-queue.h"

#include "ns3/event-id.h"

namespace ns3::nfsrdma
{

class QueuePair;
class QueuePairTransmitter;

/**
 * \brief The work requests of a send queue that only the memory unit of the device executes:
 * registration, local invalidation, binding of windows.
 *
 * One that breaks the rules fails the queue pair: LOC_QP_OP_ERR, a binding MW_BIND_ERR.
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
    void Stop();

  private:
    /// Occupies the memory unit with \p entry.
    void Start(SendQueueEntry& entry);
    void Done();
    /// \return false when the rules forbid it.
    [[nodiscard]] bool Execute(const SendQueueEntry& entry);
    [[nodiscard]] bool Register(const SendQueueEntry& entry);
    [[nodiscard]] bool Invalidate(const SendQueueEntry& entry);
    [[nodiscard]] bool Bind(const SendQueueEntry& entry);

    QueuePair& m_pair;
    QueuePairTransmitter& m_transmitter;
    Time m_end; ///< When the memory unit is done with the head.
    EventId m_event;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_WORK_H
