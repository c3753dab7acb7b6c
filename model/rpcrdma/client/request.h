/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REQUEST_H
#define NFSRDMA_RPCRDMA_CLIENT_REQUEST_H

#include "host/memory.h"
#include "rpc/client-transport.h"
#include "rpcrdma/client/reply-header-check.h"
#include "rpcrdma/message/transport-header.h"
#include "rpcrdma/registration/chunk-registrar.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What became of a call that was given up after it was sent.
enum class RpcCancellation
{
    NONE,
    FENCING,   ///< Its chunks are being invalidated; the caller is not told yet.
    SET_ASIDE, ///< The caller was told; its memory is registered until the late reply.
};

/**
 * \brief A slot of the requester: its buffers, kept from call to call, and the call it carries.
 *
 * Life of a call: encoded and posted; reply received, or given up; chunks invalidated; ended. The
 * slot is free for another call when, besides, its Send is known to have completed: most Sends are
 * unsignaled, and the completion of a later one tells. When the connection ends first, the call may
 * be posted again on another one.
 */
struct RpcRdmaRequest
{
    uint32_t slot{0};
    HostBuffer sendBuffer;
    HostBuffer padBuffer;        ///< What chunks have of XDR pads; null until one does.
    HostBuffer headerBuffer;     ///< A transport header that sendBuffer has no room for.
    HostBuffer replyBuffer;      ///< Head and tail of a Reply chunk.
    uint32_t sendBufferSize{0};  ///< Octets that sendBuffer has for a message.
    uint32_t replyBufferSize{0}; ///< Octets that a reply's head and tail may have.

    std::unique_ptr<RpcTransportCall> call; ///< Null when the slot is free.
    RpcRdmaHeader header;                   ///< The call's, with the chunks offered.
    std::vector<uint64_t> replyAddresses;   ///< Host address of each segment of the Reply chunk.
    bool replyJoined{false}; ///< Items are to be copied from the Reply chunk to where they belong.
    std::vector<ChunkRegistrar::Registration> registrations;
    bool sendPending{false};         ///< Its Send is not known to have completed.
    bool sendMapped{false};          ///< Its Send takes octets from the program's memory.
    std::vector<MemoryPiece> mapped; ///< Of these octets, what the IOMMU has mapped.
    bool invalidationPending{false}; ///< Its last LOCAL_INVALIDATE has not completed.
    bool hostPending{false};         ///< The host copies from its chunks, or deregisters them.
    bool replied{false};
    RpcCancellation cancellation{RpcCancellation::NONE};
    bool creditKept{false}; ///< Given up: its credit is in use until the late reply.
    uint32_t replySends{1}; ///< Sends that the reply has come in, once replied.
    ByteVector reply;       ///< The reply's Send, once replied.
    CheckedReply checked;   ///< The same, judged.

    bool pullPending{false};          ///< The reply's Read chunk is being pulled.
    std::optional<ByteVector> pulled; ///< The message that was pulled.
    uint64_t noticesBefore{0};        ///< RDMA_DONE that were sent before the call.
    HostBuffer noticeBuffer;          ///< Header of a call with notices of pull completion.

    /// The call is to be sent, or sent again: nothing has become of it yet.
    void Restart()
    {
        invalidationPending = false;
        hostPending = false;
        replied = false;
        pullPending = false;
        pulled.reset();
    }
};

/// \return for example "XID 0x0000002a".
std::string DescribeXid(uint32_t xid);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REQUEST_H
