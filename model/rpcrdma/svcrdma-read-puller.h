/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SVCRDMA_READ_PULLER_H
#define NFSRDMA_RPCRDMA_SVCRDMA_READ_PULLER_H

#include "rpc/rpc-payload.h"
#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/svcrdma-send-queue.h"

#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief Pulls the Read chunks of Calls and puts the RPC messages together.
 *
 * One RDMA Read per source segment (more where a region cannot hold it), each into a sink that the
 * registration strategy makes known for it alone, and takes back after the last Read. Chunks beside
 * the inline message or the Position-Zero Read chunk stay in their sinks as the reduced items.
 */
class SvcRdmaReadPuller
{
  public:
    SvcRdmaReadPuller(Ptr<HostMemory> memory,
                      ChunkRegistrar& registrar,
                      SvcRdmaSendQueue& queue,
                      std::shared_ptr<SvcRdmaStatistics> statistics);

    using Done = std::function<void(RpcReceivedMessage&&)>;
    /**
     * Pulls a read list in which CallHeaderCheck finds no fault.
     * \param inlineMessage what followed the transport header
     * \return false when the device has no memory region: nothing was posted
     */
    bool Pull(const std::vector<RpcRdmaReadSegment>& readList,
              ByteVector&& inlineMessage,
              Done done);

  private:
    struct Chunk
    {
        uint32_t position{0};
        uint32_t length{0};
        std::shared_ptr<HostBuffer> sink;
    };

    struct Exchange
    {
        ByteVector inlineMessage;
        std::vector<Chunk> chunks; ///< By ascending position.
        std::vector<ChunkRegistrar::Registration> sinks;
        Done done;
    };

    bool AppendReads(Exchange& exchange,
                     const Chunk& chunk,
                     const std::vector<RpcRdmaReadSegment>& readList,
                     std::vector<SendWorkRequest>& chain);
    bool AppendRead(Exchange& exchange,
                    uint64_t sinkAddress,
                    const RpcRdmaSegment& source,
                    std::vector<SendWorkRequest>& chain);
    void Retire(const std::shared_ptr<Exchange>& exchange);
    static std::vector<Chunk> Collect(const std::vector<RpcRdmaReadSegment>& readList);
    static RpcReceivedMessage Assemble(Exchange& exchange);

    Ptr<HostMemory> m_memory;
    ChunkRegistrar& m_registrar;
    SvcRdmaSendQueue& m_queue;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SVCRDMA_READ_PULLER_H
