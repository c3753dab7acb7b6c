/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REPLY_PULL_SETTINGS_H
#define NFSRDMA_RPCRDMA_CLIENT_REPLY_PULL_SETTINGS_H

#include "rpcrdma/message/read-chunk-extension.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/// What a requester counts of replies that come as Read chunks.
struct ReplyPullStatistics
{
    uint64_t replies{0};         ///< Replies pulled.
    uint64_t segments{0};        ///< Segments of their Read chunks.
    uint64_t bytes{0};           ///< Octets pulled.
    uint64_t registrations{0};   ///< Memory regions registered as sinks.
    uint64_t readsInvalidate{0}; ///< RDMA Reads that have invalidated their sink.
    uint64_t refused{0};         ///< Read chunks not pulled: not agreed, too large, no region.
    uint64_t discarded{0};   ///< Read chunks of replies discarded: RPCs not, or no longer, known.
    uint64_t doneSent{0};    ///< RDMA_DONE sent.
    uint64_t doneOnCalls{0}; ///< Notices that rode on a Call.
    uint64_t doneInvalidates{0}; ///< Notices sent with Invalidate.
};

/// How a requester takes replies that come as Read chunks. See the attributes of RpcRdmaClient.
struct ReplyPullSettings
{
    bool supported{false};        ///< The extension is sent.
    bool notifyUnexpected{false}; ///< Notifies of a Read chunk that was not agreed on.
    uint32_t reads{0};            ///< RDMA Reads that it may have outstanding.
    uint32_t maxBytes{0};         ///< Largest reply that is pulled.
    bool remoteInvalidation{false};
    bool readsInvalidate{false}; ///< The last Read into a sink invalidates it.
    std::string noticePolicy;
    Time piggybackDelay; ///< A notice waits for a Call that long.
    std::shared_ptr<ReplyPullStatistics> statistics;
    std::function<void(uint32_t xid, uint32_t segments, uint64_t octets)> replyPulled;
    std::function<void(uint32_t xid, bool onCall)> doneSent;
    std::function<void(Time held)> doneEnded;

    /// \return whether connections of these settings need a ReplyPullSession.
    [[nodiscard]] bool IsEnabled() const
    {
        return supported || notifyUnexpected;
    }

    /// \return what the requester tells of itself.
    [[nodiscard]] ReadChunkExtension MakeExtension() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REPLY_PULL_SETTINGS_H
