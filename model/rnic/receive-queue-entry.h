/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RECEIVE_QUEUE_ENTRY_H
#define NFSRDMA_RNIC_RECEIVE_QUEUE_ENTRY_H

#include "rnic/work-request.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// A work request on a receive queue.
struct ReceiveQueueEntry
{
    ReceiveWorkRequest request;
    uint32_t length{0}; ///< Octets of all elements.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RECEIVE_QUEUE_ENTRY_H
