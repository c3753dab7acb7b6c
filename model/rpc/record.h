/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_RECORD_H
#define NFSRDMA_RPC_RECORD_H

#include "rpc/form-reason.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// How an RPC failed below the program, or did not.
enum class RpcOutcome
{
    SUCCESS,         ///< A reply was accepted with SUCCESS; the program has its own status.
    REJECTED,        ///< The RPC layer of the server refused (accept_stat or reject_stat).
    TRANSPORT_ERROR, ///< RDMA_ERROR, or a call that could not be encoded.
    BAD_REPLY,       ///< The reply could not be decoded.
    DISCONNECTED,    ///< The connection was lost with the call outstanding.
    TIMED_OUT,       ///< No reply came in the time a soft RPC has.
    CANCELLED,       ///< The caller gave it up.
};

const char* ToString(RpcOutcome outcome);

/// Everything a client transport knows of one finished RPC: a row of rpc.csv.
struct RpcRecord
{
    uint32_t xid{0};
    uint32_t program{0};
    uint32_t version{0};
    uint32_t procedure{0};
    uint32_t operation{0}; ///< What a procedure of many uses (COMPOUND) is for, by the program's
                           ///< own numbers; 0: nothing is said.
    Time arrived;   ///< The application wanted what the call is for: before it waited for one of
                    ///< the places that the application has (open loop), if it did.
    Time asked;     ///< The program wanted the call: before it waited for a slot of its session
                    ///< (NFSv4.1), if it did.
    Time submitted; ///< The program handed the call to the RPC client.
    Time begun;     ///< The same for the latest of several attempts (attempts).
    Time handed;    ///< The transport got the call: encoded, with its credential.
    Time slot;      ///< It got a slot of the transport.
    Time connected; ///< The connection was made that first carried it.
    Time credit;    ///< It was its turn, and there was a credit, before the first transmission.
    Time firstSent; ///< The first transmission was posted.
    Time sent;      ///< The call was posted to the send queue (credit obtained, chunks registered):
                    ///< its latest transmission.
    Time replied;   ///< The reply's receive completion was handled.
    Time ended;     ///< Chunks invalidated: the transport was through with it.
    Time completed; ///< The program was called back.
    RpcOutcome outcome{RpcOutcome::SUCCESS};
    uint32_t attempts{1};      ///< RPCs made for the call: more than 1 after short Reply chunks.
    uint32_t programStatus{0}; ///< The program's own status (nfsstat3).

    CallReason callReason{CallReason::NOT_SENT};    ///< Why the call took its form.
    ReplyReason replyReason{ReplyReason::NOT_SENT}; ///< Why the reply did.
    uint64_t callReducible{0};  ///< Octets of the call that Read chunks may carry, at most.
    uint64_t replyMaximum{0};   ///< Octets of the largest possible reply, un-reduced.
    uint64_t replyReducible{0}; ///< Octets of these that Write chunks may carry.

    uint32_t callType{0};         ///< rdma_proc of the call: 0 RDMA_MSG, 1 RDMA_NOMSG.
    uint32_t replyType{0};        ///< rdma_proc of the reply.
    uint32_t callInlineBytes{0};  ///< Octets of the call's Send, transport header included.
    uint32_t replyInlineBytes{0}; ///< Octets of the reply's Send.
    uint32_t readSegments{0};     ///< Segments of the call's Read list.
    uint32_t writeChunks{0};      ///< Write chunks of the call.
    uint32_t writeSegments{0};
    uint32_t replySegments{0}; ///< Segments of the Reply chunk offered.
    /// Octets of a reply, but for what Write chunks carry, that the call had room for: in its Reply
    /// chunk, or inline without one. 0: it was not sent, or any reply finds room.
    uint64_t replyRoom{0};
    uint64_t readChunkBytes{0};    ///< Octets offered in Read chunks.
    uint64_t writeChunkBytes{0};   ///< Octets returned in Write chunks.
    uint64_t replyChunkBytes{0};   ///< Octets returned in the Reply chunk.
    uint32_t replyReadSegments{0}; ///< Segments of the reply's Read chunk, pulled from the server.
    uint64_t replyReadBytes{0};    ///< Octets of the reply that were pulled.
    uint32_t registrations{0};     ///< Memory regions registered for this RPC.
    uint32_t transmissions{0};     ///< How often the call was sent.
    uint32_t reconnects{0};        ///< Connections that ended while it was sent or waited there.
    uint32_t connection{0};        ///< Of the client's to this server, from 0, that carries it.
    bool remotelyInvalidated{false};
    int16_t replyCore{-1}; ///< That handled the reply's completion, where it is bound; -1: any.
    /// Octets the client's processor copied between message buffers and the program's memory: of an
    /// inline argument (pull-up) and of an inline result (fix-up). Chunks are not copied.
    uint32_t copiedBytes{0};

    /// \return the forms used, for example "msg/inline", "msg+R/inline", "msg+W", "msg+reply": the
    /// Call's rdma_proc, R for a Read list, then W for a Write list and reply for a Reply chunk
    /// offered, or /inline without both; /read when the reply came by the server's Read chunk.
    [[nodiscard]] std::string GetForm() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_RECORD_H
