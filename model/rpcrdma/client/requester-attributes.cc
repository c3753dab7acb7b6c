/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcRdmaClient);

TypeId
RpcRdmaClient::GetTypeId()
{
    static TypeId tid = AddReplyPullAttributes(
        TypeId("ns3::nfsrdma::RpcRdmaClient")
            .SetParent<RpcClientTransport>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcRdmaClient>()
            .AddAttribute("Slots",
                          "Calls outstanding at most, and credits requested in every call (count). "
                          "Default: rdma_slot_table_entries.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RpcRdmaClient::m_slots),
                          MakeUintegerChecker<uint32_t>(1, 16384))
            .AddAttribute("InlineSend",
                          "Largest Send to the server (octets). Default: rdma_max_inline_write.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RpcRdmaClient::m_inlineSend),
                          MakeUintegerChecker<uint32_t>(RpcRdmaPrivateData::MINIMUM_INLINE,
                                                        RpcRdmaPrivateData::MAXIMUM_INLINE))
            .AddAttribute("InlineReceive",
                          "Size of receive buffers (octets). Default: rdma_max_inline_read.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RpcRdmaClient::m_inlineReceive),
                          MakeUintegerChecker<uint32_t>(RpcRdmaPrivateData::MINIMUM_INLINE,
                                                        RpcRdmaPrivateData::MAXIMUM_INLINE))
            .AddAttribute("InlinePolicy",
                          "Name of an InlineThresholdPolicy of requesters; InlineSend and "
                          "InlineReceive are its maximum. Default: as Linux, the maximum.",
                          StringValue("fixed"),
                          MakeStringAccessor(&RpcRdmaClient::m_inlinePolicyName),
                          MakeStringChecker())
            .AddAttribute("InlineShare",
                          "Share of the messages up to the maximum that policy observed has go "
                          "inline, 0 to 1.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&RpcRdmaClient::m_inlineShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InlineReview",
                          "Replies after which the connection is made anew, when its calls have "
                          "ended, if the policy would have twice or half its thresholds; 0: they "
                          "change only when a connection is made for another reason.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcRdmaClient::m_inlineReviewPeriod),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "MaxDataPages",
                "Pages of the largest item (count). Default: RPCRDMA_MAX_DATA_SEGS, 1 MiB "
                "and one page.",
                UintegerValue(257),
                MakeUintegerAccessor(&RpcRdmaClient::m_maxDataPages),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxSegments",
                          "Segments reserved for in a header at most (count). Default: "
                          "RPCRDMA_MAX_HDR_SEGS.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RpcRdmaClient::m_maxSegments),
                          MakeUintegerChecker<uint32_t>(1, 32))
            .AddAttribute("RegionPages",
                          "Pages of a memory region (count); the device may allow fewer. Default: "
                          "MaxDataPages bounds it, as in frwr_query_device.",
                          UintegerValue(257),
                          MakeUintegerAccessor(&RpcRdmaClient::m_regionPages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BufferSize",
                          "Octets for an RPC message in a new slot's buffers; a call with an item "
                          "is copied together when it is shorter. Default: twice "
                          "RPCRDMA_V1_DEF_INLINE_SIZE.",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&RpcRdmaClient::m_bufferSize),
                          MakeUintegerChecker<uint32_t>(256))
            .AddAttribute("ReceiveBatch",
                          "Receives posted beyond those needed, at a time (count). Default: "
                          "RPCRDMA_MAX_RECV_BATCH.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RpcRdmaClient::m_receiveBatch),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("BackchannelCredits",
                          "Reverse-direction calls that receives are kept for, two each (count). "
                          "Default: none, as for NFSv3; NFSv4.1 has 16.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcRdmaClient::m_backchannelCredits),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("ReverseCredits",
                          "Credits granted to the server's calls (count), when a callback service "
                          "serves them (RFC 8167). Default: half of RPCRDMA_BACKWARD_WRS, as "
                          "captured with NFSv4.1.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RpcRdmaClient::m_reverseCredits),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("ReverseMessageSize",
                          "Largest message of the reverse direction that the client says it takes "
                          "(octets, transport header included); the inline thresholds bound it, "
                          "too. Default: a page, as Linux's xprt_rdma_bc_maxpayload().",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RpcRdmaClient::m_reverseMessageSize),
                          MakeUintegerChecker<uint32_t>(1024, 262144))
            .AddAttribute(
                "ResponderResources",
                "RDMA Reads the server may have outstanding (count); the device may allow "
                "fewer. Default: Linux's limit, a field of 8 bits.",
                UintegerValue(255),
                MakeUintegerAccessor(&RpcRdmaClient::m_responderResources),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RemoteInvalidation",
                          "R flag of the private data sent (RFC 8797). Default: as Linux.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RpcRdmaClient::m_remoteInvalidation),
                          MakeBooleanChecker())
            .AddAttribute("PrivateDataAtFront",
                          "Private data of RFC 8797 in an answer counts at its front only; else at "
                          "any offset (section 5.2). Default: as Linux, at the front "
                          "(rpcrdma_update_cm_private()).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RpcRdmaClient::m_privateDataAtFront),
                          MakeBooleanChecker())
            .AddAttribute("WritePadSegment",
                          "Adds a segment for the XDR pad to Write chunks whose length is not a "
                          "multiple of 4. Default: as Linux; RFC 8166 advises against it.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RpcRdmaClient::m_writePadSegment),
                          MakeBooleanChecker())
            .AddAttribute("MaxReadChunks",
                          "Read chunks of a call at other Positions than zero, at most (count). "
                          "Default: RFC 8267 section 6.4.2, and Linux's calls with one item.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RpcRdmaClient::m_maxReadChunks),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("MaxWriteChunks",
                          "Write chunks of a call at most, empty ones included (count). Default: "
                          "RFC 8267 section 6.4.2, and Linux's replies with one item.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RpcRdmaClient::m_maxWriteChunks),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("MaxChunkSegments",
                          "Segments of a chunk at most (count); a call that needs more fails. "
                          "Default: RFC 8267 section 6.4.2, RPCRDMA_MAX_HDR_SEGS.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RpcRdmaClient::m_maxChunkSegments),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ReadPad",
                          "XDR pad of an item in a Read chunk: none, in a segment of its own "
                          "(segment), or in the last one (last-segment). Default: none, as Linux "
                          "and RFC 8166.",
                          EnumValue(READ_PAD_NONE),
                          MakeEnumAccessor(&RpcRdmaClient::m_readPad),
                          MakeEnumChecker(READ_PAD_NONE,
                                          "none",
                                          READ_PAD_SEGMENT,
                                          "segment",
                                          READ_PAD_LAST_SEGMENT,
                                          "last-segment"))
            .AddAttribute("ProtectWritePad",
                          "Clears the R flag while WritePadSegment is on: the STag of the pad is "
                          "for all calls, and must not be invalidated (RFC 8797 section 3.2). "
                          "Default: as Linux, which sets R all the same.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RpcRdmaClient::m_protectWritePad),
                          MakeBooleanChecker())
            .AddAttribute("ReplyRules",
                          "Name of the ReplyHeaderRules: how strict to be with transport headers.",
                          StringValue("linux"),
                          MakeStringAccessor(&RpcRdmaClient::m_replyRulesName),
                          MakeStringChecker())
            .AddAttribute("RegionAllocationTime",
                          "Time to allocate a batch of memory regions when none is free. Default: "
                          "4 regions of 10 us (estimate).",
                          TimeValue(MicroSeconds(40)),
                          MakeTimeAccessor(&RpcRdmaClient::m_regionAllocationTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MapCost",
                          "Processor time (time) to map for DMA a piece of memory that is "
                          "registered for a chunk, or a page of an item that is sent from where it "
                          "is: 0.1 to 1 us with an IOMMU, about 20 ns without. Default: low end "
                          "with an IOMMU.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&RpcRdmaClient::m_mapCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CallForm",
                          "Name of a CallFormPolicy.",
                          StringValue("linux"),
                          MakeStringAccessor(&RpcRdmaClient::m_callFormName),
                          MakeStringChecker())
            .AddAttribute("ReplyMechanism",
                          "Name of a ReplyMechanismPolicy.",
                          StringValue("linux"),
                          MakeStringAccessor(&RpcRdmaClient::m_replyMechanismName),
                          MakeStringChecker())
            .AddAttribute("Registration",
                          "Name of a RegistrationPolicy: which region or window is next with "
                          "RegistrationStrategy \"frwr\" or \"memory-window\".",
                          StringValue("linux"),
                          MakeStringAccessor(&RpcRdmaClient::m_registrationName),
                          MakeStringChecker())
            .AddAttribute("RegistrationStrategy",
                          "How the memory of chunks is made known to the device: a name of "
                          "ChunkRegistrar. Default: as Linux.",
                          StringValue("frwr"),
                          MakeStringAccessor(&RpcRdmaClient::m_registrationStrategy),
                          MakeStringChecker())
            .AddAttribute("PoolBuffers",
                          "Buffers of a connection with RegistrationStrategy \"preregistered\" "
                          "(count). Default: one for each of Slots (assumption).",
                          UintegerValue(128),
                          MakeUintegerAccessor(&RpcRdmaClient::m_poolBuffers),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CacheCapacity",
                          "Regions of a connection with RegistrationStrategy \"cache\" (count). "
                          "Default: 1024 (assumption).",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&RpcRdmaClient::m_cacheCapacity),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Cancel",
                          "Name of a CancelPolicy.",
                          StringValue("linux"),
                          MakeStringAccessor(&RpcRdmaClient::m_cancelPolicyName),
                          MakeStringChecker())
            .AddAttribute("Reconnect",
                          "Makes a lost connection anew and sends calls again on it; else they end "
                          "with DISCONNECTED. Default: as Linux.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RpcRdmaClient::m_reconnect),
                          MakeBooleanChecker())
            .AddAttribute("RetryDelay",
                          "Wait (time) between an attempt to connect that failed and the next; 0: "
                          "ReconnectDelay counts. Default: sunrpc's delay in "
                          "call_connect_status(), seen in captures.",
                          TimeValue(Seconds(3)),
                          MakeTimeAccessor(&RpcRdmaClient::m_retryDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReconnectDelay",
                          "Time from the start of an attempt that could not be made for want of "
                          "verbs objects to the start of the next; doubles each time. Default: "
                          "RPCRDMA_INIT_REEST_TO.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&RpcRdmaClient::m_reconnectDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ReconnectDelayMaximum",
                          "Largest ReconnectDelay (time). Default: RPCRDMA_MAX_REEST_TO.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&RpcRdmaClient::m_reconnectDelayMaximum),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("IdleTimeout",
                          "Time without calls after which the connection is closed; 0: never. "
                          "Default: RPCRDMA_IDLE_DISC_TO.",
                          TimeValue(Seconds(300)),
                          MakeTimeAccessor(&RpcRdmaClient::m_idleTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Timeout",
                          "Time to wait for a reply before the connection is closed and the call "
                          "sent again; each time as much longer; 0: no call times out. Default: "
                          "mount option timeo=600 of NFS over RDMA.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&RpcRdmaClient::m_timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Retries",
                          "Times (count) a call is sent again before a major timeout: that comes "
                          "(Retries + 1) times Timeout after its start. Default: mount option "
                          "retrans=2.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RpcRdmaClient::m_retries),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("Soft",
                          "Calls end with TIMED_OUT at a major timeout; else they are tried "
                          "forever. Default: mount option hard.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RpcRdmaClient::m_soft),
                          MakeBooleanChecker())
            .AddAttribute("ProbePeriod",
                          "Time without a message from the server after which a NULL RPC is sent, "
                          "and once more until the connection is closed; 0: no probes. RFC 8267 "
                          "section 6.7.2. Default: Linux has none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RpcRdmaClient::m_probePeriod),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReservedCredits",
                          "Credits (count) that only probes use. RFC 8267 section 6.7.2 has one. "
                          "Default: Linux has none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RpcRdmaClient::m_reservedCredits),
                          MakeUintegerChecker<uint32_t>(0, 16384))
            .AddTraceSource("Connected",
                            "A connection is established.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_connectedTrace),
                            "ns3::nfsrdma::RpcRdmaClient::ConnectedTracedCallback")
            .AddTraceSource("Disconnected",
                            "The connection has ended, or could not be made.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_disconnectedTrace),
                            "ns3::nfsrdma::RpcRdmaClient::DisconnectedTracedCallback")
            .AddTraceSource("ConnectionEnded",
                            "The connection has ended, or could not be made: what has ended it.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_endedTrace),
                            "ns3::nfsrdma::RpcRdmaClient::ConnectionEndedTracedCallback")
            .AddTraceSource("Retry",
                            "A connection is to be made for calls that wait.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_retryTrace),
                            "ns3::nfsrdma::RpcRdmaClient::RetryTracedCallback")
            .AddTraceSource("CallRefused",
                            "A call can never be sent, and ends: why.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_callRefusedTrace),
                            "ns3::nfsrdma::RpcRdmaClient::CallRefusedTracedCallback")
            .AddTraceSource("TimedOut",
                            "A call has waited too long; its connection is being closed.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_timedOutTrace),
                            "ns3::nfsrdma::RpcRdmaClient::TimedOutTracedCallback")
            .AddTraceSource("CallSent",
                            "A call was posted.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_callSentTrace),
                            "ns3::nfsrdma::RpcRdmaClient::CallSentTracedCallback")
            .AddTraceSource("CallHeader",
                            "Transport header of a call that was posted.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_callHeaderTrace),
                            "ns3::nfsrdma::RpcRdmaClient::HeaderTracedCallback")
            .AddTraceSource("ReplyHeader",
                            "Transport header of a reply that has ended its call.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_replyHeaderTrace),
                            "ns3::nfsrdma::RpcRdmaClient::HeaderTracedCallback")
            .AddTraceSource("BadMessage",
                            "A received message is not what it should be; the RPC may fail.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_badMessageTrace),
                            "ns3::nfsrdma::RpcRdmaClient::BadMessageTracedCallback")
            .AddTraceSource("Credits",
                            "Credits granted by the server.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_credits),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("Outstanding",
                            "Calls that hold a credit have changed: before, now.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_outstanding),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("CreditEnd",
                            "A call has given its credit back: how long it had it.",
                            MakeTraceSourceAccessor(&RpcRdmaClient::m_creditEndTrace),
                            "ns3::nfsrdma::RpcRdmaClient::CreditEndTracedCallback"));
    return tid;
}

} // namespace ns3::nfsrdma
