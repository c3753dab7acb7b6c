/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_CONNECTION_SETTINGS_H
#define NFSRDMA_RPCRDMA_CLIENT_CONNECTION_SETTINGS_H

#include "host/memory-accounts.h"
#include "rnic/hardware/device.h"
#include "rpcrdma/client/call-encoder.h"
#include "rpcrdma/client/reply-header-check.h"
#include "rpcrdma/client/reply-pull-settings.h"
#include "rpcrdma/client/reverse-responder.h"
#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/terminate-tally.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/// What the queues of a requester's connection are made for.
struct RpcRdmaQueueSizes
{
    QueuePairCapabilities pair;
    uint32_t segments{0};        ///< Of a chunk of the largest item.
    uint32_t reverseReceives{0}; ///< Kept for reverse calls.
    bool hasSpareReceives{true}; ///< Beyond those: for late replies of calls that were cancelled.
};

/// After which messages a requester posts receives.
enum class ReceiveRefill : uint8_t
{
    EVERY_MESSAGE,
    AWAITED_REPLIES, ///< Replies that a call waits for.
};

/// When a requester posts receives, of a reply.
enum class ReceiveOrder : uint8_t
{
    BEFORE_COMPLETION, ///< Of its RPC.
    AFTER_COMPLETION,
};

/// Until when a request, with its buffer, belongs to a call.
enum class RequestRelease : uint8_t
{
    REPLY_AND_SEND, ///< Until the call has ended and its Send is known to have completed.
    REPLY,          ///< Until the call has ended, unless its Send takes the program's memory.
};

/// From when on a requester takes no grant for more than its window.
enum class GrantClamp : uint8_t
{
    PARSED, ///< At once, whatever message it is in.
    WINDOW, ///< When it becomes the window: receives for a message of an unknown XID are as many as
            ///< the message says.
};

/// What a requester's connections are run with. See the attributes of RpcRdmaClient.
struct RpcRdmaConnectionSettings
{
    uint32_t slots{0};
    uint32_t reservedCredits{0};
    uint32_t inlineSend{0};
    uint32_t inlineReceive{0};
    uint32_t replyMessages{1}; ///< Sends that a reply may take.
    uint32_t maxDataPages{0};
    uint32_t maxSegments{0};
    uint32_t bufferSize{0};
    uint32_t receiveBatch{0};
    ReceiveRefill receiveRefill{ReceiveRefill::EVERY_MESSAGE};
    ReceiveOrder receiveOrder{ReceiveOrder::BEFORE_COMPLETION};
    double requests{0}; ///< Of the pool, for each slot; 0: as many as are needed.
    RequestRelease requestRelease{RequestRelease::REPLY_AND_SEND};
    GrantClamp grantClamp{GrantClamp::PARSED};
    uint32_t backchannelCredits{0};
    uint32_t responderResources{0};
    bool remoteInvalidation{true};
    bool privateDataAtFront{true}; ///< The peer's counts at its front only.
    bool writePadSegment{true};
    uint32_t maxReadChunks{1};
    uint32_t maxWriteChunks{1};
    uint32_t maxChunkSegments{0};
    ReadPad readPad{READ_PAD_NONE};
    bool exactCallHeader{false};
    bool protectWritePad{false};
    ReplyHeaderRules replyRules;
    Time regionAllocationTime;
    Time mapCost;
    HostMemoryAccount memoryAccount{0}; ///< Of the host's memory, charged for the transport's.
    RegistrationSettings registration;  ///< Its regionPages are bounded by maxDataPages.
    std::string cancelPolicyName;
    ReplyPullSettings replyPull;
    RpcRdmaReverseSettings reverse;
    std::shared_ptr<RpcRdmaReverseStatistics> reverseStatistics; ///< With reverse.server.
    std::shared_ptr<TerminateTally> terminates;

    /// Takes of what is wanted what \p device has; where receives are few, half of them at most are
    /// for reverse calls, a reply has as many messages as there are receives for, and there are as
    /// many slots as receives are left.
    RpcRdmaQueueSizes FitTo(const RnicDevice& device);

    /// \return requests of the pool: at least 1; UINT32_MAX for as many as are needed.
    [[nodiscard]] uint32_t CountRequests() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_CONNECTION_SETTINGS_H
