/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_RECEIVE_ENTRY_H
#define NFSRDMA_RNIC_QUEUE_RECEIVE_ENTRY_H

#include "rnic/queue/work-request.h"

#include "ns3/nstime.h"

namespace ns3::nfsrdma
{

/// A work request on a receive queue.
struct ReceiveQueueEntry
{
    ReceiveWorkRequest request;
    Time calledAt;    ///< When the consumer has called.
    Time postedAt;    ///< When its thread has done the post.
    Time arrivedAt{}; ///< When the first segment of its message came; 0: none has.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_RECEIVE_ENTRY_H
