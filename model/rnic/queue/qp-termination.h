/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_QP_TERMINATION_H
#define NFSRDMA_RNIC_QUEUE_QP_TERMINATION_H

#include "rdmap/terminate-message.h"
#include "rnic/queue/work-request.h"

namespace ns3::nfsrdma
{

class QueuePair;
struct SendQueueEntry;

/**
 * \brief The end of a queue pair's stream in an error: which work request is to blame, which async
 * event is raised, and the Terminate of either side.
 *
 * An error of DDP raises QP_ACCESS_ERR, one of RDMAP that is the peer's QP_REQ_ERR, all others and
 * a Terminate of the peer QP_FATAL.
 */
class QueuePairTermination
{
  public:
    explicit QueuePairTermination(QueuePair& pair);

    /// The work request \p entry (null: none in particular) failed on this side.
    void FailLocally(const SendQueueEntry* entry, WorkCompletionStatus status);
    /// The stream is about to fail, and \p entry is why.
    void Blame(const SendQueueEntry& entry, WorkCompletionStatus status);
    /// Fails the stream for a reason of this side.
    void Terminate();

    /// The stream has found an error; the oldest receive completes with \p receiveStatus.
    void StreamFailed(const TerminateMessage& message, WorkCompletionStatus receiveStatus);
    void TerminateReceived(const TerminateMessage& message);
    void TerminateSent();

  private:
    QueuePair& m_pair;
    const SendQueueEntry* m_blamed{nullptr};
    WorkCompletionStatus m_status{WorkCompletionStatus::WR_FLUSH_ERR};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_QP_TERMINATION_H
