/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REPLY_PULLER_H
#define NFSRDMA_RPCRDMA_REPLY_PULLER_H

#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/svcrdma-send-queue.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Pulls replies that come as Position-Zero Read chunk: one sink of the whole length, in as
 * few memory regions as hold it; an RDMA Read for each source segment, or more where it crosses
 * from one region into the next.
 *
 *     registrations, Reads -> pulled -> invalidation of the sink -> done
 *
 * When a Read fails the connection is lost, and neither is called.
 */
class ReplyPuller
{
  public:
    ReplyPuller(Ptr<HostMemory> memory, ChunkRegistrar& registrar, SvcRdmaSendQueue& queue);

    using Pulled = std::function<void()>;
    using Done = std::function<void(ByteVector&& octets)>;

    /**
     * \param slot whose regions the sink takes
     * \param source segments of the chunk; at least 1 octet, at most 2^32 - 1
     * \param pulled called when the last Read has completed
     * \param done called with the message when no octet of the sink is registered any more
     * \return memory regions registered; nothing when there are not enough: nothing was posted
     */
    std::optional<uint32_t> Pull(uint32_t slot,
                                 const std::vector<RpcRdmaReadSegment>& source,
                                 Pulled pulled,
                                 Done done);

  private:
    using Chain = std::vector<SendWorkRequest>;

    struct Exchange
    {
        uint32_t slot{0};
        uint32_t length{0};
        HostBuffer buffer;
        std::vector<ChunkRegistrar::Registration> sinks;
        Pulled pulled;
        Done done;
    };

    bool RegisterSinks(Exchange& exchange, Chain& chain);
    static void AppendReads(const Exchange& exchange,
                            const std::vector<RpcRdmaReadSegment>& source,
                            Chain& chain);
    void Retire(const std::shared_ptr<Exchange>& exchange);
    void Finish(Exchange& exchange);

    Ptr<HostMemory> m_memory;
    ChunkRegistrar& m_registrar;
    SvcRdmaSendQueue& m_queue;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REPLY_PULLER_H
