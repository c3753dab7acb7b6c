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
#include "rpcrdma/server/read-chunk-settings.h"
#include "rpcrdma/server/reply-filter.h"
#include "rpcrdma/terminate-tally.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/// What all connections of a responder are run with. See the attributes of RpcRdmaServer.
struct SvcRdmaSettings
{
    uint32_t creditCeiling{0};
    uint32_t backchannelCredits{0};
    uint32_t receiveBatch{0};
    uint32_t inlineSend{0};
    uint32_t inlineReceive{0};
    uint32_t maxOutboundReads{0};
    uint32_t sendQueueDepth{0};
    uint32_t writePages{0};
    RegistrationSettings registration;
    Time mapCost; ///< Of a processor, each sink of a Read.
    bool remoteInvalidation{false};
    PrivateDataPlace privateDataPlace{PrivateDataPlace::FRONT}; ///< Of a peer's.
    bool honoursSizes{false};    ///< Sends are at most as large as a peer's receives.
    bool careless{false};        ///< Does not look at sizes before it writes.
    bool programLimits{false};   ///< Refuses chunks larger than the program says.
    bool enforceCredits{false};  ///< Closes connections with more calls than granted.
    uint32_t badMessageLimit{0}; ///< Messages not served that end a connection; 0: any number.
    CallHeaderRules headerRules;
    CallLimits callLimits;
    std::shared_ptr<SvcRdmaCreditPool> creditPool;
    std::shared_ptr<SvcRdmaFailedCalls> failedCalls;
    std::shared_ptr<TerminateTally> terminates;
    std::unique_ptr<RemoteInvalidationPolicy> invalidation;
    std::unique_ptr<ReplyChunkPolicy> replyChunk;
    std::unique_ptr<InlineThresholdPolicy> thresholds;
    std::shared_ptr<const SvcRdmaReplyFilters> filters;
    std::shared_ptr<const SvcReadChunkSettings> readChunks;
    /// Told of each message that is not served.
    std::function<void(uint32_t xid, CallVerdict verdict, CallFault fault)> refused;
};

/// What a responder keeps of a Call until it has replied.
struct SvcRdmaCall
{
    uint32_t xid{0};
    uint32_t requested{0}; ///< Credits.
    uint32_t credits{0};   ///< Granted with the reply.
    uint64_t client{0};    ///< Its IPv4 address.
    RpcRdmaChunkLists chunks;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_RESPONDER_SETTINGS_H
