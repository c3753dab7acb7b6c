/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_XPRT_STATISTICS_H
#define NFSRDMA_RPCRDMA_CLIENT_XPRT_STATISTICS_H

#include "rpcrdma/client/reply-header-check.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief What Linux's client counts per RDMA transport, under the names and in the order of the
 * line "xprt: rdma" of /proc/self/mountstats.
 */
struct XprtRdmaStatistics
{
    uint64_t port{0};      ///< Source port: always 0.
    uint64_t bindCount{0}; ///< Binds: always 0.
    uint64_t connectCount{0};
    uint64_t connectTime{0};      ///< Seconds spent connecting.
    uint64_t idleTime{0};         ///< Seconds since the transport was last used.
    uint64_t sends{0};            ///< Calls sent.
    uint64_t recvs{0};            ///< Replies matched.
    uint64_t badXids{0};          ///< Replies with an unknown XID.
    uint64_t reqU{0};             ///< Sum over sends of the calls then outstanding.
    uint64_t bklogU{0};           ///< Sum over sends of the calls then waiting for a slot.
    uint64_t readChunk{0};        ///< Read segments sent.
    uint64_t writeChunk{0};       ///< Write segments sent.
    uint64_t replyChunk{0};       ///< Reply chunk segments sent.
    uint64_t totalRdmaRequest{0}; ///< Octets offered in Write and Reply chunks.
    uint64_t totalRdmaReply{0};   ///< Octets received in Write and Reply chunks.
    uint64_t pullupCopy{0};       ///< Octets of items and tails copied into send buffers.
    uint64_t fixupCopy{0};        ///< Octets of inline replies copied to where the item belongs.
    uint64_t hardwayRegister{0};  ///< Octets of buffers allocated beyond the pre-allocated size.
    uint64_t failedMarshal{0};    ///< Attempts to encode a call that failed, for want of MRs too.
    uint64_t badReply{0};         ///< Malformed replies, RDMA_ERROR included.
    uint64_t nomsgCall{0};        ///< RDMA_NOMSG calls.
    uint64_t mrsRecycled{0};      ///< MRs thrown away after errors.
    uint64_t mrsOrphaned{0};      ///< MRs lost at release.
    uint64_t mrsAllocated{0};
    uint64_t localInvNeeded{0};    ///< MRs invalidated locally.
    uint64_t emptySendctxQ{0};     ///< A call found no send context.
    uint64_t replyWaitsForSend{0}; ///< Always 0: since 6.1.178 no reply waits for its Send.

    // Not in mountstats: calls that the transport has got, and how each has ended. Probes are none.

    uint64_t submitted{0};
    uint64_t succeeded{0}; ///< With a reply.
    uint64_t failed{0};    ///< Without, or with one that is no reply.
    uint64_t cancelled{0};
    uint64_t repeated{0}; ///< Of sends: calls that had been sent before.

    uint64_t requestsUnsent{0}; ///< Requests given back whose Send was not known to have completed.
    uint64_t requestWaits{0};   ///< Calls that found no request in the pool.

    /// Not in mountstats: received messages that are not what they should be, by ReplyFault.
    std::array<uint64_t, REPLY_FAULTS> replyFaults{};

    /// \return "\txprt:\trdma " and the 27 values, as Linux prints it, without a line end.
    [[nodiscard]] std::string Format() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_XPRT_STATISTICS_H
