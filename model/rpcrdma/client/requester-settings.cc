/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester-settings.h"

#include <cstdint>

namespace ns3::nfsrdma
{

void
RpcRdmaClientSettings::AddAttributes(SettingAttributes<RpcRdmaClientSettings> settings)
{
    using Connection = RpcRdmaConnectionSettings;
    auto connection = settings.Of(&RpcRdmaClientSettings::connection);
    auto registration = connection.Of(&Connection::registration);
    auto pull = connection.Of(&Connection::replyPull);
    auto backoff = settings.Of(&RpcRdmaClientSettings::backoff);
    auto timeout = settings.Of(&RpcRdmaClientSettings::timeout);
    auto watch = settings.Of(&RpcRdmaClientSettings::watch);
    connection.Add(&Connection::slots,
                   "Slots",
                   "Calls outstanding at most, and credits requested in every call (count). "
                   "Default: rdma_slot_table_entries.",
                   {128, 1, 16384});
    connection.Add(&Connection::inlineSend,
                   "InlineSend",
                   "Largest Send to the server (octets). Default: rdma_max_inline_write.",
                   {4096, RpcRdmaPrivateData::MINIMUM_INLINE, RpcRdmaPrivateData::MAXIMUM_INLINE});
    connection.Add(&Connection::inlineReceive,
                   "InlineReceive",
                   "Size of receive buffers (octets). Default: rdma_max_inline_read.",
                   {4096, RpcRdmaPrivateData::MINIMUM_INLINE, RpcRdmaPrivateData::MAXIMUM_INLINE});
    settings.Add(&RpcRdmaClientSettings::inlinePolicy,
                 "InlinePolicy",
                 "Name of an InlineThresholdPolicy of requesters; InlineSend and InlineReceive are "
                 "its maximum. Default: as Linux, the maximum.",
                 "fixed");
    settings.Add(
        &RpcRdmaClientSettings::inlineShare,
        "InlineShare",
        "Share of the messages up to the maximum that policy observed has go inline, 0 to 1.",
        0.95,
        0,
        1);
    settings.Add(&RpcRdmaClientSettings::inlineReview,
                 "InlineReview",
                 "Replies after which the connection is made anew, when its calls have ended, if "
                 "the policy would have twice or half its thresholds; 0: they change only when a "
                 "connection is made for another reason.",
                 0);
    connection.Add(
        &Connection::maxDataPages,
        "MaxDataPages",
        "Pages of the largest item (count). Default: RPCRDMA_MAX_DATA_SEGS, 1 MiB and one page.",
        {257, 1});
    connection.Add(
        &Connection::maxSegments,
        "MaxSegments",
        "Segments reserved for in a header at most (count). Default: RPCRDMA_MAX_HDR_SEGS.",
        {16, 1, 32});
    registration.Add(&RegistrationSettings::regionPages,
                     "RegionPages",
                     "Pages of a memory region (count); the device may allow fewer. Default: "
                     "MaxDataPages bounds it, as in frwr_query_device.",
                     {257, 1});
    connection.Add(&Connection::bufferSize,
                   "BufferSize",
                   "Octets for an RPC message in a new slot's buffers; a call with an item is "
                   "copied together when it is shorter. Default: twice RPCRDMA_V1_DEF_INLINE_SIZE.",
                   {2048, 256});
    connection.Add(
        &Connection::receiveBatch,
        "ReceiveBatch",
        "Receives posted beyond those needed, at a time (count). Default: RPCRDMA_MAX_RECV_BATCH.",
        7);
    connection.Add(&Connection::backchannelCredits,
                   "BackchannelCredits",
                   "Reverse-direction calls that receives are kept for, two each (count). Default: "
                   "none, as for NFSv3; NFSv4.1 has 16.",
                   0);
    connection.Of(&Connection::reverse)
        .Add(&RpcRdmaReverseSettings::credits,
             "ReverseCredits",
             "Credits granted to the server's calls (count), when a callback service serves them "
             "(RFC 8167). Default: half of RPCRDMA_BACKWARD_WRS, as captured with NFSv4.1.",
             {16, 1, 1024});
    settings.Add(&RpcRdmaClientSettings::reverseMessageSize,
                 "ReverseMessageSize",
                 "Largest message of the reverse direction that the client says it takes (octets, "
                 "transport header included); the inline thresholds bound it, too. Default: a "
                 "page, as Linux's xprt_rdma_bc_maxpayload().",
                 {4096, 1024, 262144});
    connection.Add(&Connection::responderResources,
                   "ResponderResources",
                   "RDMA Reads the server may have outstanding (count); the device may allow "
                   "fewer. Default: Linux's limit, a field of 8 bits.",
                   {255, 1});
    connection.Add(&Connection::remoteInvalidation,
                   "RemoteInvalidation",
                   "R flag of the private data sent (RFC 8797). Default: as Linux.",
                   true);
    connection.Add(
        &Connection::privateDataAtFront,
        "PrivateDataAtFront",
        "Private data of RFC 8797 in an answer counts at its front only; else at any offset "
        "(section 5.2). Default: as Linux, at the front (rpcrdma_update_cm_private()).",
        true);
    connection.Add(&Connection::writePadSegment,
                   "WritePadSegment",
                   "Adds a segment for the XDR pad to Write chunks whose length is not a multiple "
                   "of 4. Default: as Linux; RFC 8166 advises against it.",
                   true);
    connection.Add(&Connection::maxReadChunks,
                   "MaxReadChunks",
                   "Read chunks of a call at other Positions than zero, at most (count). Default: "
                   "RFC 8267 section 6.4.2, and Linux's calls with one item.",
                   {1, 0, 64});
    connection.Add(&Connection::maxWriteChunks,
                   "MaxWriteChunks",
                   "Write chunks of a call at most, empty ones included (count). Default: RFC 8267 "
                   "section 6.4.2, and Linux's replies with one item.",
                   {1, 0, 64});
    connection.Add(&Connection::maxChunkSegments,
                   "MaxChunkSegments",
                   "Segments of a chunk at most (count); a call that needs more fails. Default: "
                   "RFC 8267 section 6.4.2, RPCRDMA_MAX_HDR_SEGS.",
                   {16, 1});
    connection.Add(&Connection::readPad,
                   "ReadPad",
                   "XDR pad of an item in a Read chunk: none, in a segment of its own (segment), "
                   "or in the last one (last-segment). Default: none, as Linux and RFC 8166.",
                   READ_PAD_NONE,
                   MakeEnumChecker(READ_PAD_NONE,
                                   "none",
                                   READ_PAD_SEGMENT,
                                   "segment",
                                   READ_PAD_LAST_SEGMENT,
                                   "last-segment"));
    connection.Add(&Connection::protectWritePad,
                   "ProtectWritePad",
                   "Clears the R flag while WritePadSegment is on: the STag of the pad is for all "
                   "calls, and must not be invalidated (RFC 8797 section 3.2). Default: as Linux, "
                   "which sets R all the same.",
                   false);
    settings.Add(&RpcRdmaClientSettings::replyRules,
                 "ReplyRules",
                 "Name of the ReplyHeaderRules: how strict to be with transport headers.",
                 "linux");
    connection.Add(&Connection::regionAllocationTime,
                   "RegionAllocationTime",
                   "Time to allocate a batch of memory regions when none is free. Default: 4 "
                   "regions of 10 us (estimate).",
                   MicroSeconds(40));
    connection.Add(&Connection::mapCost,
                   "MapCost",
                   "Processor time (time) to map for DMA a piece of memory that is registered for "
                   "a chunk, or a page of an item that is sent from where it is: 0.1 to 1 us with "
                   "an IOMMU, about 20 ns without. Default: low end with an IOMMU.",
                   NanoSeconds(100));
    settings.Add(&RpcRdmaClientSettings::callForm,
                 "CallForm",
                 "Name of a CallFormPolicy.",
                 "linux");
    settings.Add(&RpcRdmaClientSettings::replyMechanism,
                 "ReplyMechanism",
                 "Name of a ReplyMechanismPolicy.",
                 "linux");
    registration.Add(&RegistrationSettings::choice,
                     "Registration",
                     "Name of a RegistrationPolicy: which region or window is next with "
                     "RegistrationStrategy \"frwr\" or \"memory-window\".",
                     "linux");
    registration.Add(&RegistrationSettings::strategy,
                     "RegistrationStrategy",
                     "How the memory of chunks is made known to the device: a name of "
                     "ChunkRegistrar. Default: as Linux.",
                     "frwr");
    registration.Add(&RegistrationSettings::poolBuffers,
                     "PoolBuffers",
                     "Buffers of a connection with RegistrationStrategy \"preregistered\" (count). "
                     "Default: one for each of Slots (assumption).",
                     {128, 1});
    registration.Add(&RegistrationSettings::cacheCapacity,
                     "CacheCapacity",
                     "Regions of a connection with RegistrationStrategy \"cache\" (count). "
                     "Default: 1024 (assumption).",
                     {1024, 1});
    connection.Add(&Connection::cancelPolicyName, "Cancel", "Name of a CancelPolicy.", "linux");
    settings.Add(&RpcRdmaClientSettings::reconnect,
                 "Reconnect",
                 "Makes a lost connection anew and sends calls again on it; else they end with "
                 "DISCONNECTED. Default: as Linux.",
                 true);
    backoff.Add(
        &ReconnectBackoff::Settings::retryDelay,
        "RetryDelay",
        "Wait (time) between an attempt to connect that failed and the next; 0: ReconnectDelay "
        "counts. Default: sunrpc's delay in call_connect_status(), seen in captures.",
        Seconds(3));
    backoff.Add(
        &ReconnectBackoff::Settings::reconnectDelay,
        "ReconnectDelay",
        "Time from the start of an attempt that could not be made for want of verbs objects to the "
        "start of the next; doubles each time. Default: RPCRDMA_INIT_REEST_TO.",
        Seconds(5),
        NanoSeconds(1));
    backoff.Add(&ReconnectBackoff::Settings::reconnectDelayMaximum,
                "ReconnectDelayMaximum",
                "Largest ReconnectDelay (time). Default: RPCRDMA_MAX_REEST_TO.",
                Seconds(30));
    watch.Add(&RpcRdmaConnectionWatch::Settings::idleTimeout,
              "IdleTimeout",
              "Time without calls after which the connection is closed; 0: never. Default: "
              "RPCRDMA_IDLE_DISC_TO.",
              Seconds(300));
    timeout.Add(&RpcTimeout::initial,
                "Timeout",
                "Time to wait for a reply before the connection is closed and the call sent again; "
                "each time as much longer; 0: no call times out. Default: mount option timeo=600 "
                "of NFS over RDMA.",
                Seconds(60));
    timeout.Add(&RpcTimeout::retries,
                "Retries",
                "Times (count) a call is sent again before a major timeout: that comes (Retries + "
                "1) times Timeout after its start. Default: mount option retrans=2.",
                {2, 0, 1000});
    timeout.Add(&RpcTimeout::soft,
                "Soft",
                "Calls end with TIMED_OUT at a major timeout; else they are tried forever. "
                "Default: mount option hard.",
                false);
    watch.Add(&RpcRdmaConnectionWatch::Settings::probePeriod,
              "ProbePeriod",
              "Time without a message from the server after which a NULL RPC is sent, and once "
              "more until the connection is closed; 0: no probes. RFC 8267 section 6.7.2. Default: "
              "Linux has none.",
              Time(0));
    connection.Add(&Connection::reservedCredits,
                   "ReservedCredits",
                   "Credits (count) that only probes use. RFC 8267 section 6.7.2 has one. Default: "
                   "Linux has none.",
                   {0, 0, 16384});
    pull.Add(&ReplyPullSettings::supported,
             "ReadChunkExtension",
             "Offers to pull replies that come as Read chunks, in private data "
             "(ReadChunkExtension). Default: Linux knows of none.",
             false);
    pull.Add(
        &ReplyPullSettings::notifyUnexpected,
        "NotifyUnexpectedReadChunks",
        "Tells the server of a reply with a Read chunk that was not agreed on, as section 4.1.3 of "
        "the draft says; the RPC fails either way. Default: as Linux, which says nothing.",
        false);
    pull.Add(&ReplyPullSettings::reads,
             "PullReads",
             "RDMA Reads of replies outstanding (count); server and device may allow fewer. "
             "Without ReadChunkExtension 0, as Linux offers. Default: as svc_rdma's own.",
             {16, 1});
    pull.Add(&ReplyPullSettings::maxBytes,
             "MaxPulledBytes",
             "Largest reply that is pulled (octets); a larger one fails its RPC. Default: "
             "RPCSVC_MAXPAGES pages, as much as Linux's server builds.",
             {uint64_t{259} * 4096, 1});
    pull.Add(&ReplyPullSettings::noticePolicy,
             "PullNotice",
             "Name of a PullNoticePolicy: how RDMA_DONE goes with credits.",
             "outstanding-until-reply");
    pull.Add(&ReplyPullSettings::piggybackDelay,
             "PiggybackDelay",
             "Time that a notice waits for a Call to ride on, with the policy \"piggyback\" "
             "(time). Default: a few round trips of a busy connection, so that the server's memory "
             "is not held long (estimate).",
             MicroSeconds(500));
    pull.Add(&ReplyPullSettings::remoteInvalidation,
             "DoneInvalidates",
             "Notices of pull completion invalidate a tag of the Read chunk, where the server also "
             "lets them and both sides have announced remote invalidation (RFC 8797).",
             true);
}

} // namespace ns3::nfsrdma
