/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_QUEUE_PAIR_WATCH_H
#define NFSRDMA_HELPER_CHARTS_QUEUE_PAIR_WATCH_H

#include "rnic/hardware/device.h"
#include "rpcrdma/terminate-tally.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// Is told what happens to every queue pair of hosts. It must outlive the simulation.
class QueuePairObserver
{
  public:
    QueuePairObserver() = default;
    virtual ~QueuePairObserver() = default;
    QueuePairObserver(const QueuePairObserver&) = delete;
    QueuePairObserver& operator=(const QueuePairObserver&) = delete;

    virtual void TakeState(uint32_t host,
                           const QueuePair& pair,
                           QueuePairState before,
                           QueuePairState after);
    /// A Terminate was sent, or received.
    virtual void TakeTerminate(uint32_t host,
                               const QueuePair& pair,
                               TerminateWay way,
                               const TerminateMessage& message);
    virtual void TakePost(uint32_t host, const QueuePair& pair, const SendWorkRequest& request);
    /// The work request is over: its completion was polled, or none is made.
    virtual void TakeDone(uint32_t host,
                          const QueuePair& pair,
                          WorkCompletionOpcode kind,
                          WorkCompletionStatus status,
                          const WorkTimeline& timeline);
};

/// What an observer is to be told, besides states.
struct QueuePairInterest
{
    bool posts{false};
    bool completions{false};
};

/// Tells \p observer of the queue pairs that \p device makes from now on, as those of \p host.
void WatchQueuePairs(uint32_t host,
                     const Ptr<RnicDevice>& device,
                     QueuePairInterest interest,
                     QueuePairObserver& observer);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_QUEUE_PAIR_WATCH_H
