/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_QP_CAPABILITIES_H
#define NFSRDMA_RNIC_QUEUE_QP_CAPABILITIES_H

#include "rnic/queue/srq.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// Sizes of a queue pair (as ibv_qp_cap), none above the device's limit.
struct QueuePairCapabilities
{
    uint32_t sendDepth{256};        ///< Work requests.
    uint32_t receiveDepth{256};     ///< Work requests; of no meaning with a shared receive queue.
    uint32_t maxSendElements{0};    ///< Elements of a send work request; 0: the device's limit.
    uint32_t maxReceiveElements{0}; ///< Elements of a receive work request; 0: the device's limit.
    uint32_t maxInline{0};          ///< Octets that a send work request may carry itself.
    Ptr<SharedReceiveQueue> sharedReceiveQueue{}; ///< Where receives come from; null: its own.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_QP_CAPABILITIES_H
