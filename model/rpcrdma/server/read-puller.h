/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_READ_PULLER_H
#define NFSRDMA_RPCRDMA_SERVER_READ_PULLER_H

#include "rpc/payload.h"
#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/server/send-queue.h"

#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief Pulls the Read chunks of Calls and puts the RPC messages together.
 *
 * One RDMA Read per source segment (more where a region cannot hold it), each into a sink that the
 * registration strategy makes known for it alone, and takes back after the last Read. Chunks beside
 * the inline message or the Position-Zero Read chunk stay in their sinks as the reduced items.
 *
 * When there are fewer regions than Reads, those for which there are some go first; when there are
 * none, the call waits for its turn (RegionBroker). One region is enough for any call.
 */
class SvcRdmaReadPuller
{
  public:
    SvcRdmaReadPuller(Ptr<HostMemory> memory,
                      ChunkRegistrar& registrar,
                      SvcRdmaSendQueue& queue,
                      std::shared_ptr<SvcRdmaStatistics> statistics,
                      HostMemoryAccount account = 0);
    ~SvcRdmaReadPuller();
    SvcRdmaReadPuller(const SvcRdmaReadPuller&) = delete;
    SvcRdmaReadPuller& operator=(const SvcRdmaReadPuller&) = delete;

    using Done = std::function<void(RpcReceivedMessage&&)>;
    using Failed = std::function<void(const std::string& reason)>;
    /**
     * Pulls a read list in which CallHeaderCheck finds no fault.
     * \param inlineMessage what followed the transport header
     * \param failed called instead of \p done when the device can never have a region
     */
    void Pull(const std::vector<RpcRdmaReadSegment>& readList,
              ByteVector&& inlineMessage,
              Done done,
              Failed failed);

    /// \return calls that wait for a region.
    [[nodiscard]] uint32_t GetWaiting() const
    {
        return m_waiting;
    }

  private:
    struct Chunk
    {
        uint32_t position{0};
        uint32_t length{0};
        std::shared_ptr<HostBuffer> sink;
    };

    /// What is still to be read of a source segment.
    struct Rest
    {
        uint64_t sinkAddress{0};
        RpcRdmaSegment source;
    };

    using Sinks = std::vector<ChunkRegistrar::Registration>;

    struct Exchange
    {
        ByteVector inlineMessage;
        std::vector<Chunk> chunks; ///< By ascending position.
        std::deque<Rest> rest;     ///< In order.
        Done done;
        Failed failed;
    };

    using ExchangePointer = std::shared_ptr<Exchange>;

    static void ListReads(const Chunk& chunk,
                          const std::vector<RpcRdmaReadSegment>& readList,
                          std::deque<Rest>& rest);
    /// Posts the Reads that there are regions for. \return whether there was one.
    bool PullSome(const ExchangePointer& exchange);
    /// Appends the next Read. \return false when there is no region for it.
    bool AppendRead(Exchange& exchange, Sinks& sinks, std::vector<SendWorkRequest>& chain);
    void AwaitRegion(const ExchangePointer& exchange);
    void Continue(const ExchangePointer& exchange);
    void Retire(const ExchangePointer& exchange, Sinks&& sinks);
    static std::vector<Chunk> Collect(const std::vector<RpcRdmaReadSegment>& readList);
    static RpcReceivedMessage Assemble(Exchange& exchange);

    Ptr<HostMemory> m_memory;
    HostMemoryAccount m_account; ///< That memory is charged to.
    ChunkRegistrar& m_registrar;
    SvcRdmaSendQueue& m_queue;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    uint32_t m_waiting{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_READ_PULLER_H
