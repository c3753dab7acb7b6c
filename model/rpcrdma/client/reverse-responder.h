/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REVERSE_RESPONDER_H
#define NFSRDMA_RPCRDMA_CLIENT_REVERSE_RESPONDER_H

#include "host/memory.h"
#include "rnic/queue/qp.h"
#include "rpc/server.h"
#include "rpcrdma/client/send-room.h"
#include "rpcrdma/message/transport-header.h"

#include "ns3/simple-ref-count.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What an RpcRdmaReverseResponder counts; kept over connections.
struct RpcRdmaReverseStatistics
{
    uint64_t calls{0};     ///< Calls taken (bcall_count of xprtrdma).
    uint64_t replies{0};   ///< Replies sent.
    uint64_t errChunk{0};  ///< RDMA_ERROR sent: chunks in a call, or a reply that does not fit.
    uint64_t dropped{0};   ///< Messages and replies dropped.
    uint64_t overflows{0}; ///< Connections closed for too many calls at once.
};

/// What an RpcRdmaReverseResponder is run with.
struct RpcRdmaReverseSettings
{
    Ptr<RpcServer> server; ///< Null: no reverse call is served.
    uint32_t credits{0};   ///< Granted in every reply.
};

/**
 * \brief Serves the Calls of the reverse direction that come over one connection of a client, RFC
 * 8167, behaving as Linux's xprtrdma.
 *
 * A reply, and RDMA_ERROR, grants credits for the reverse direction; what a call asks for is not
 * looked at. Chunks are not served: a call with one is answered with ERR_CHUNK, as is one whose
 * reply passes the inline threshold. As in Linux, twice as many calls may be in service as credits
 * are granted; one more closes the connection. Replies after the end of the connection are dropped.
 */
class RpcRdmaReverseResponder : public SimpleRefCount<RpcRdmaReverseResponder>
{
  public:
    /// Work requests are numbered from here on.
    static constexpr uint64_t FIRST_WORK_ID = uint64_t{1} << 48;

    using Disconnect = std::function<void(const std::string& reason)>;

    /// \param room shares the send queue of \p pair out
    /// \param threshold largest Send to the server, octets
    /// \param disconnect closes the connection
    RpcRdmaReverseResponder(RpcRdmaReverseSettings settings,
                            Ptr<HostMemory> memory,
                            Ptr<QueuePair> pair,
                            RpcRdmaSendRoom& room,
                            uint32_t threshold,
                            std::shared_ptr<RpcRdmaReverseStatistics> statistics,
                            Disconnect disconnect);

    /// \return true when \p message is a Call of the reverse direction: RDMA_MSG with an RPC Call
    /// behind its lists, or RDMA_NOMSG that has a Position-Zero Read chunk
    [[nodiscard]] static bool IsCall(ByteSpan message);

    void HandleCall(ByteSpan message);
    /// \return true when the work request was one of this object
    bool HandleCompletion(const WorkCompletion& completion);
    /// The connection has ended: nothing more is sent.
    void Close();

    [[nodiscard]] uint32_t GetInService() const
    {
        return m_inService;
    }

    /// \return receives to be kept besides those for replies, for a grant of \p credits: one each
    /// for calls granted, and one each for calls in service.
    [[nodiscard]] static uint32_t GetReceives(uint32_t credits)
    {
        return 2 * credits;
    }

  private:
    void Reply(uint32_t xid, RpcPayload&& payload);
    void Send(const RpcRdmaHeader& header, ByteSpan payload);

    RpcRdmaReverseSettings m_settings;
    Ptr<HostMemory> m_memory;
    Ptr<QueuePair> m_pair; ///< Null when closed.
    RpcRdmaSendRoom& m_room;
    uint32_t m_threshold;
    std::shared_ptr<RpcRdmaReverseStatistics> m_statistics;
    Disconnect m_disconnect;
    uint32_t m_inService{0};
    std::vector<HostBuffer> m_buffers;
    std::vector<std::size_t> m_free; ///< Buffers that no Send uses.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REVERSE_RESPONDER_H
