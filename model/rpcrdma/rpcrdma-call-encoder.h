/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_RPCRDMA_CALL_ENCODER_H
#define NFSRDMA_RPCRDMA_RPCRDMA_CALL_ENCODER_H

#include "rpcrdma/inline-limits.h"
#include "rpcrdma/reply-mechanism-policy.h"
#include "rpcrdma/rpcrdma-request.h"
#include "rpcrdma/xprt-rdma-statistics.h"

#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// What a connection's calls are encoded with.
struct CallEncoderSettings
{
    InlineLimits limits;
    uint32_t credits{1};                    ///< Requested in every call.
    uint32_t elements{1};                   ///< Scatter/gather elements of a Send, at most.
    uint32_t bufferSize{0};                 ///< Octets for a message in a new slot's buffers.
    std::optional<RpcRdmaSegment> writePad; ///< Registered memory for the pad of a Write chunk.
};

/**
 * \brief Turns a call into work requests: chooses its form, registers its chunks, fills the slot's
 * send buffer.
 *
 * In Linux's order of tests (rpcrdma_marshal_req): the reply's mechanism by policy; then the call:
 * inline when it fits and the elements suffice, else a Read chunk when its item may be reduced,
 * else a Position-Zero Read chunk. An inline item is copied into the send buffer when the whole
 * call is smaller than that buffer, else it is sent from where it is.
 *
 *     sendBuffer:  | header area 1024: header right-aligned | message without what is mapped |
 */
class RpcRdmaCallEncoder
{
  public:
    enum class Failure
    {
        NO_REGIONS, ///< No memory region is free: try again when there are more.
        TOO_LONG    ///< The transport header, with what must be inline, does not fit into a Send.
    };

    RpcRdmaCallEncoder(Ptr<HostMemory> memory,
                       ChunkRegistrar& registrar,
                       const ReplyMechanismPolicy& policy,
                       XprtRdmaStatistics& statistics,
                       const CallEncoderSettings& settings);

    /**
     * \return registrations and, last, the Send: signaled when it takes octets from the program's
     * memory, else not. On failure the slot holds no registration.
     */
    tl::expected<std::vector<SendWorkRequest>, Failure> Encode(RpcRdmaRequest& request);

  private:
    enum class CallForm
    {
        PULLED_UP,
        MAPPED,
        READ_CHUNK,
        POSITION_ZERO
    };

    struct Piece
    {
        uint64_t address{0};
        uint32_t length{0};
    };

    using Chain = std::vector<SendWorkRequest>;

    [[nodiscard]] CallForm ChooseForm(const RpcTransportCall& call, uint32_t bufferSize) const;
    void PrepareBuffers(RpcRdmaRequest& request);
    void LayOut(RpcRdmaRequest& request, CallForm form);
    bool EncodeReadList(RpcRdmaRequest& request, CallForm form, Chain& chain);
    bool RegisterReadChunk(RpcRdmaRequest& request,
                           uint32_t position,
                           const std::vector<Piece>& pieces,
                           Chain& chain);
    bool EncodeReplyPath(RpcRdmaRequest& request, Chain& chain);
    bool EncodeWriteChunk(RpcRdmaRequest& request, const RpcReplyItem& item, Chain& chain);
    bool EncodeReplyChunk(RpcRdmaRequest& request, Chain& chain);
    bool RegisterPiece(RpcRdmaRequest& request,
                       Piece piece,
                       uint32_t access,
                       Chain& chain,
                       RpcRdmaWriteChunk& segments);
    bool EncodeSend(RpcRdmaRequest& request, CallForm form, Chain& chain);
    void Abandon(RpcRdmaRequest& request);
    void Count(RpcRdmaRequest& request, CallForm form);

    Ptr<HostMemory> m_memory;
    ChunkRegistrar& m_registrar;
    const ReplyMechanismPolicy& m_policy;
    XprtRdmaStatistics& m_statistics;
    CallEncoderSettings m_settings;
    ByteVector m_scratch;        ///< What goes into the send buffer.
    std::vector<Piece> m_pieces; ///< The message, without what is reduced, where it is in memory.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_RPCRDMA_CALL_ENCODER_H
