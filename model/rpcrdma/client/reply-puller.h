/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REPLY_PULLER_H
#define NFSRDMA_RPCRDMA_CLIENT_REPLY_PULLER_H

#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/server/send-queue.h"

#include <deque>
#include <functional>
#include <memory>
#include <utility>
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
 * Where Reads invalidate, the last one into each region of the sink does (RDMA Read with Invalidate
 * Local STag), and there is nothing between pulled and done.
 *
 * With fewer regions than that, it goes on piece by piece, and waits for its turn while there is
 * none (RegionBroker). One region is enough for any reply.
 *
 * When a Read fails the connection is lost, and neither is called.
 */
class ReplyPuller
{
  public:
    /// \param invalidates whether Reads invalidate their sinks, where the strategy has sinks that a
    /// work request would invalidate
    ReplyPuller(Ptr<HostMemory> memory,
                ChunkRegistrar& registrar,
                SvcRdmaSendQueue& queue,
                bool invalidates = false);
    ~ReplyPuller();
    ReplyPuller(const ReplyPuller&) = delete;
    ReplyPuller& operator=(const ReplyPuller&) = delete;

    using Pulled = std::function<void()>;
    using Failed = std::function<void()>;
    /// \p registrations: memory regions registered.
    using Done = std::function<void(ByteVector&& octets, uint32_t registrations)>;

    /**
     * \param slot whose regions the sink takes
     * \param source segments of the chunk; at least 1 octet, at most 2^32 - 1
     * \param pulled called when the last Read has completed
     * \param done called with the message when no octet of the sink is registered any more
     * \param failed called instead of both when the device can never have a region
     */
    void Pull(uint32_t slot,
              const std::vector<RpcRdmaReadSegment>& source,
              Pulled pulled,
              Done done,
              Failed failed);

    /// \return Reads posted that invalidate their sink, since the last time.
    [[nodiscard]] uint64_t TakeInvalidations()
    {
        return std::exchange(m_invalidations, 0);
    }

  private:
    using Chain = std::vector<SendWorkRequest>;
    using Sinks = std::vector<ChunkRegistrar::Registration>;

    struct Exchange
    {
        uint32_t slot{0};
        uint32_t length{0};
        uint32_t taken{0}; ///< Octets from the front on that have, or had, a sink.
        uint32_t registrations{0};
        HostBuffer buffer;
        std::deque<RpcRdmaSegment> source; ///< What no Read was posted for.
        Pulled pulled;
        Done done;
        Failed failed;
    };

    using ExchangePointer = std::shared_ptr<Exchange>;

    /// Posts the Reads that there are regions for. \return whether there was one.
    bool PullSome(const ExchangePointer& exchange);
    void AwaitRegion(const ExchangePointer& exchange);
    /// Takes what there is of regions for the rest of the sink.
    Sinks TakeSinks(Exchange& exchange, Chain& chain);
    /// Appends the Reads that fill \p sinks.
    void AppendReads(Exchange& exchange, const Sinks& sinks, Chain& chain);
    void Retire(const ExchangePointer& exchange, Sinks&& sinks);
    void Finish(const ExchangePointer& exchange, const Sinks& sinks);

    Ptr<HostMemory> m_memory;
    ChunkRegistrar& m_registrar;
    SvcRdmaSendQueue& m_queue;
    bool m_invalidates;
    uint64_t m_invalidations{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REPLY_PULLER_H
