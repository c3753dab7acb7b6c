/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_PAIR_H
#define NFSRDMA_RNIC_QUEUE_PAIR_H

#include "rnic/completion-queue.h"
#include "rnic/work-request.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// iWARP queue pair states (RDMAC verbs section 6.2).
enum class QueuePairState
{
    IDLE,
    RTS,
    CLOSING,
    TERMINATE,
    ERROR
};

const char* ToString(QueuePairState state);

/// Sizes of a queue pair.
struct QueuePairCapabilities
{
    uint32_t sendDepth{256};
    uint32_t receiveDepth{256};
};

/**
 * \brief A queue pair: a send and a receive queue over one RDMAP stream.
 *
 * Receives may be posted in IDLE; sends in RTS only (NOT_CONNECTED before). In TERMINATE and ERROR
 * both are accepted and flushed at once. Completions come in posting order within each queue. A send
 * queue slot is free again when its completion, or a later signaled one, has been polled.
 */
class QueuePair : public Object
{
  public:
    static TypeId GetTypeId();

    /// Posts one work request. INVALID_ARGUMENT, NO_MEMORY (queue full) or NOT_CONNECTED.
    tl::expected<void, VerbsError> PostSend(const SendWorkRequest& request);
    /// Posts a chain with one doorbell: all, or none.
    tl::expected<void, VerbsError> PostSend(const std::vector<SendWorkRequest>& chain);
    tl::expected<void, VerbsError> PostReceive(const ReceiveWorkRequest& request);

    [[nodiscard]] uint32_t GetNumber() const;
    [[nodiscard]] QueuePairState GetState() const;
    /// \return outbound RDMA Reads that may be outstanding, as negotiated.
    [[nodiscard]] uint32_t GetOrd() const;
    [[nodiscard]] uint32_t GetIrd() const;
    /// \return send work requests posted and not completed.
    [[nodiscard]] uint32_t GetOutstandingSends() const;
    /// \return receives posted and not consumed.
    [[nodiscard]] uint32_t GetPostedReceives() const;
    /// Moves to ERROR: flushes both queues and drops the connection.
    void MoveToError();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_PAIR_H
