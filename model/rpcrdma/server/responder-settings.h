/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_RESPONDER_SETTINGS_H
#define NFSRDMA_RPCRDMA_SERVER_RESPONDER_SETTINGS_H

#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/transport-header.h"
#include "rpcrdma/policy/inline-threshold.h"
#include "rpcrdma/policy/remote-invalidation.h"
#include "rpcrdma/policy/reply-chunk.h"
#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/server/call-header-check.h"
#include "rpcrdma/server/credit-pool.h"
#include "rpcrdma/server/failed-calls.h"
#include "rpcrdma/server/memory-limit.h"
#include "rpcrdma/server/read-chunk-settings.h"
#include "rpcrdma/server/release-queue.h"
#include "rpcrdma/server/reply-filter.h"
#include "rpcrdma/server/send-queue.h"
#include "rpcrdma/terminate-tally.h"
#include "settings/setting.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

struct RpcServiceTimes;

/// Which work requests of a reply are posted together, and complete as one.
enum class ReplyChaining
{
    NONE,        ///< Each Write chunk, the Reply chunk and the Send by themselves.
    REPLY_CHUNK, ///< The Send with the Writes into the Reply chunk.
    ALL          ///< All.
};

/// What becomes of data for a Write chunk that has no segments.
enum class EmptyChunkUse
{
    INLINE,  ///< They go inline (RFC 8267 section 6.4.1).
    FOREIGN, ///< They are written to what lies in memory behind the chunk.
    REFUSED  ///< The Call is answered with ERR_CHUNK.
};

/**
 * \brief Everything about a responder that can be set, which responder.def has, and what follows
 * from it when the responder begins to listen: what all its connections are run with.
 */
struct SvcRdmaSettings
{
#define SETTING(type, name, ...) type name{};
#include "rpcrdma/server/responder.def"
#undef SETTING

    CallHeaderRules rules;
    std::shared_ptr<SvcRdmaCreditPool> creditPool;
    std::shared_ptr<SvcRdmaFailedCalls> failedCalls;
    std::shared_ptr<TerminateTally> terminates{std::make_shared<TerminateTally>()};
    std::shared_ptr<RegistrationStatistics> registrations{
        std::make_shared<RegistrationStatistics>()};
    std::shared_ptr<RemoteInvalidationPolicy> invalidation;
    std::shared_ptr<ReplyChunkPolicy> replyChunks;
    std::shared_ptr<InlineThresholdPolicy> thresholds;
    std::shared_ptr<SvcRdmaReplyFilters> filters{std::make_shared<SvcRdmaReplyFilters>()};
    std::shared_ptr<const SvcReadChunkSettings> readChunks;
    std::shared_ptr<SvcRdmaReleaseQueue> releases; ///< Null: Sends give back as they complete.
    std::shared_ptr<SvcRdmaMemoryLimit> memory;    ///< Null: no limit.
    /// Told of each message that is not served.
    std::function<void(uint32_t xid, CallVerdict verdict, CallFault fault)> refused;
    /// Whether somebody wants to be told of replies by the next.
    std::function<bool()> isTimed;
    /// A reply has been given to the send queue.
    std::function<void(const RpcServiceTimes& times)> replied;

    [[nodiscard]] static const std::vector<Setting<SvcRdmaSettings>>& GetRows();

    /// \return where private data of a peer counts.
    [[nodiscard]] PrivateDataPlace GetPrivateDataPlace() const
    {
        return privateDataAtFront ? PrivateDataPlace::FRONT : PrivateDataPlace::ANYWHERE;
    }

    [[nodiscard]] CallLimits GetCallLimits() const;
    [[nodiscard]] RegistrationSettings GetRegistration() const;
};

/// What a responder keeps of a Call until it has replied.
struct SvcRdmaCall
{
    uint32_t xid{0};
    uint32_t requested{0}; ///< Credits.
    uint32_t credits{0};   ///< Granted with the reply.
    IpAddress client;      ///< Its address.
    RpcRdmaChunkLists chunks;
    std::shared_ptr<RpcServiceTimes> times; ///< Null: nobody wants them.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_RESPONDER_SETTINGS_H
