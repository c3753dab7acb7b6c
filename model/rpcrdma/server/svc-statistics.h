/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_SVC_STATISTICS_H
#define NFSRDMA_RPCRDMA_SERVER_SVC_STATISTICS_H

#include "rpcrdma/server/call-header-check.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace ns3::nfsrdma
{

/// Counters of the server transport; the first four are Linux's rdma_stat_* of sunrpc/svc_rdma.
struct SvcRdmaStatistics
{
    uint64_t recv{0};     ///< rdma_stat_recv: messages received.
    uint64_t read{0};     ///< rdma_stat_read: RDMA Reads posted.
    uint64_t write{0};    ///< rdma_stat_write: RDMA Writes posted.
    uint64_t sqStarve{0}; ///< rdma_stat_sq_starve: work that waited for send queue room.

    uint64_t accepted{0};                       ///< Connections accepted.
    uint64_t refused{0};                        ///< Connections refused.
    uint64_t connectionsWaited{0};              ///< Connection requests that waited for a receive.
    uint64_t closed{0};                         ///< Connections ended.
    uint64_t replies{0};                        ///< Replies posted, RDMA_ERROR not counted.
    uint64_t sendWithInvalidate{0};             ///< Replies posted as Send with Invalidate.
    uint64_t continuedReplies{0};               ///< Replies sent in parts.
    uint64_t continuationSends{0};              ///< Parts of these.
    uint64_t errVers{0};                        ///< RDMA_ERROR with ERR_VERS sent.
    uint64_t errChunk{0};                       ///< RDMA_ERROR with ERR_CHUNK sent.
    uint64_t dropped{0};                        ///< Messages discarded without an answer.
    uint64_t readBytes{0};                      ///< Octets pulled from Read chunks.
    uint64_t writeBytes{0};                     ///< Octets written to Write and Reply chunks.
    uint64_t registrations{0};                  ///< Memory regions registered as RDMA Read sinks.
    uint64_t overruns{0};                       ///< Connections that ended for want of a receive.
    uint64_t receiveRefills{0};                 ///< Times that receives were posted again.
    uint64_t receiveOctets{0};                  ///< Of receive buffers, at present.
    uint64_t receiveOctetsPeak{0};              ///< The most there were.
    std::array<uint64_t, CALL_FAULTS> faults{}; ///< Messages not served, by CallFault.

    uint64_t exposedChunks{0};    ///< Replies provided as Read chunk.
    uint64_t exposedSegments{0};  ///< Segments of these, one memory region each.
    uint64_t exposedBytes{0};     ///< Octets exposed now: registered and not yet invalidated.
    uint64_t exposedBytesPeak{0}; ///< The most octets exposed at once.
    uint64_t exposedCopied{0};    ///< Octets copied together to be exposed.
    uint64_t exposedDone{0};      ///< Read chunks whose requester has notified.
    uint64_t exposedExpired{0};   ///< Read chunks given back when their time was over.
    uint64_t exposedLost{0};      ///< Read chunks pending when their connection ended.
    uint64_t doneUnknown{0};      ///< Notices for which nothing was pending, dropped.
    uint64_t regionWaits{0};      ///< Calls and replies that waited for a memory region.
    uint64_t exposureRefused{0};  ///< Replies not exposed: their connection has its share.

    std::array<uint64_t, CALL_FAULTS> discarded{}; ///< Of faults, those without an answer.
    uint64_t unknownReplies{0}; ///< Of dropped: replies to no reverse call that is known.
    uint64_t noCalls{0};        ///< Of dropped: payloads that are no RPC call.
    uint64_t unanswered{0};     ///< Of dropped: calls that the RPC server did not answer.

    uint64_t notices{0};        ///< RDMA_DONE that named a reply that was exposed.
    uint64_t reverseReplies{0}; ///< Messages that ended a reverse call.
    uint64_t uncredited{0};     ///< Calls that ended their connection, since no credit was left.
    uint64_t abandoned{0};      ///< Calls whose connection had ended before they had their answer.

    /// Connections that have ended, by what ended them.
    std::map<std::string, uint64_t> ends{};

    uint64_t creditOverruns{0};    ///< Connections closed for more calls than granted.
    uint64_t badMessagesClosed{0}; ///< Connections closed for messages that cannot be served.

    uint64_t released{0};        ///< Sends whose context a work queue has given back.
    uint64_t releasePeak{0};     ///< The most that waited for it, or were under way.
    uint64_t contextsLimited{0}; ///< Connections closed since they had too many Send contexts.
    uint64_t memoryRefused{0};   ///< Requests that server_memory_limit had no memory for.
    uint64_t memoryPeak{0};      ///< The most octets that counted for it.
    uint64_t memoryHeldPeak{0};  ///< The same without pages of replies.

    // What the guarantees of policies are held against, looked at at every change.

    uint64_t receivesPeak{0};       ///< The most receive buffers there were.
    uint32_t grantPeak{0};          ///< The most credits that a connection had.
    uint32_t grantLimit{0};         ///< The most that attribute Credits has been.
    uint64_t grantsUnasked{0};      ///< Replies that granted more than their calls had asked for.
    uint64_t creditsUncovered{0};   ///< Replies that granted more than there were Receives.
    uint64_t exposedHeldPeak{0};    ///< The most octets exposed on a connection.
    uint64_t exposedWaitingPeak{0}; ///< The most Read chunks of a connection without a notice.
    Time exposedTimePeak;           ///< The longest that one waited for its notice.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_SVC_STATISTICS_H
