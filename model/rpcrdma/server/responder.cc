/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/responder.h"

#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/named-policy.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcRdmaServer);

TypeId
RpcRdmaServer::GetTypeId()
{
    static TypeId tid = [] {
        TypeId made =
            TypeId("ns3::nfsrdma::RpcRdmaServer")
                .SetParent<Object>()
                .SetGroupName("NfsRdma")
                .AddConstructor<RpcRdmaServer>()
                .AddAttribute(
                    "Credits",
                    "Credits granted at most, and receives posted for them (count). Default: "
                    "svc_rdma max_requests.",
                    UintegerValue(64),
                    MakeUintegerAccessor(&RpcRdmaServer::SetCredits, &RpcRdmaServer::GetCredits),
                    MakeUintegerChecker<uint32_t>(1, 16384))
                .AddAttribute(
                    "CreditCeiling",
                    "Credits that the receive queues of new connections have room for, if "
                    "more than Credits, which may grow up to it later (count). Default: "
                    "none, Linux's do not grow.",
                    UintegerValue(0),
                    MakeUintegerAccessor(&RpcRdmaServer::m_creditCeiling),
                    MakeUintegerChecker<uint32_t>(0, 16384))
                .AddAttribute(
                    "SharedReceives",
                    "Receives of all connections that CreditGrant \"fair-share\" shares "
                    "out, and which are never passed (count). Default: four connections as "
                    "Linux has them.",
                    UintegerValue(256),
                    MakeUintegerAccessor(&RpcRdmaServer::m_sharedReceives),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "ReceiveMemoryLimit",
                    "Receive buffers of all connections at most (octets): no credit is "
                    "granted that would pass it, and a connection that there is no receive "
                    "for waits; 0: any amount. Default: 0.",
                    UintegerValue(0),
                    MakeUintegerAccessor(&RpcRdmaServer::m_receiveMemoryLimit),
                    MakeUintegerChecker<uint64_t>())
                .AddAttribute(
                    "ExpectedConnections",
                    "Connections that are to come (count): with a bound on receives, one is "
                    "kept for each that is not there yet, and for one more in any case.",
                    UintegerValue(0),
                    MakeUintegerAccessor(&RpcRdmaServer::m_expectedConnections),
                    MakeUintegerChecker<uint32_t>())
                .AddAttribute(
                    "BackchannelCredits",
                    "Receives posted besides, and credits asked for in calls to a client (RFC "
                    "8167, count). Default: svc_rdma's backchannel requests.",
                    UintegerValue(2),
                    MakeUintegerAccessor(&RpcRdmaServer::m_backchannelCredits),
                    MakeUintegerChecker<uint32_t>(0))
                .AddAttribute(
                    "ReverseWaitForConnection",
                    "Calls to a client (RFC 8167) that has no connection wait for its next "
                    "one, else they end with DISCONNECTED. Default: as nfsd, which queues "
                    "them again.",
                    BooleanValue(true),
                    MakeBooleanAccessor(&RpcRdmaServer::m_reverseWaits),
                    MakeBooleanChecker())
                .AddAttribute("ReverseTimeout",
                              "Time (Time) from the submission of a call to a client (RFC 8167) to "
                              "TIMED_OUT; 0: never. Default: xprt_rdma_bc_timeout of svc_rdma.",
                              TimeValue(Seconds(60)),
                              MakeTimeAccessor(&RpcRdmaServer::m_reverseTimeout),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("ReceiveBatch",
                              "Receives posted at a time (count). Default: sc_recv_batch.",
                              UintegerValue(7),
                              MakeUintegerAccessor(&RpcRdmaServer::m_receiveBatch),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("InlineSend",
                              "Largest Send to a client (octets). Default: svc_rdma max_req_size.",
                              UintegerValue(4096),
                              MakeUintegerAccessor(&RpcRdmaServer::m_inlineSend),
                              MakeUintegerChecker<uint32_t>(RpcRdmaPrivateData::MINIMUM_INLINE,
                                                            RpcRdmaPrivateData::MAXIMUM_INLINE))
                .AddAttribute("InlineReceive",
                              "Size of receive buffers (octets). Default: svc_rdma max_req_size.",
                              UintegerValue(4096),
                              MakeUintegerAccessor(&RpcRdmaServer::m_inlineReceive),
                              MakeUintegerChecker<uint32_t>(RpcRdmaPrivateData::MINIMUM_INLINE,
                                                            RpcRdmaPrivateData::MAXIMUM_INLINE))
                .AddAttribute(
                    "MaxOutboundReads",
                    "RDMA Reads outstanding per connection (count); client and device may "
                    "allow fewer. Default: svc_rdma max_outbound_read_requests.",
                    UintegerValue(16),
                    MakeUintegerAccessor(&RpcRdmaServer::m_maxOutboundReads),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "SendQueueDepth",
                    "Send work requests outstanding per connection (count). Default: 66 Sends "
                    "and 3 work requests for each of 64 Reads, rounded down.",
                    UintegerValue(256),
                    MakeUintegerAccessor(&RpcRdmaServer::m_sendQueueDepth),
                    MakeUintegerChecker<uint32_t>(2))
                .AddAttribute("WritePages",
                              "Pages of one RDMA Write (count). Default: 20480 octets, as in every "
                              "capture of nfsd on siw (6 elements a work request).",
                              UintegerValue(5),
                              MakeUintegerAccessor(&RpcRdmaServer::m_writePages),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "RegionPages",
                    "Pages of a memory region (count); the device may allow fewer. Default: "
                    "siw's limit.",
                    UintegerValue(256),
                    MakeUintegerAccessor(&RpcRdmaServer::m_regionPages),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "RegistrationStrategy",
                    "How the sinks of RDMA Reads, and replies that go as Read chunk, are made "
                    "known to the device: a name of ChunkRegistrar. \"memory-window\" is \"frwr\" "
                    "here (ChunkRegistrar::GetSinkStrategy()). Default: as Linux.",
                    StringValue("frwr"),
                    MakeStringAccessor(&RpcRdmaServer::m_registrationStrategy),
                    MakeStringChecker())
                .AddAttribute("PoolBuffers",
                              "Buffers of a connection with RegistrationStrategy \"preregistered\" "
                              "(count). Default: two for each of 64 credits (assumption).",
                              UintegerValue(128),
                              MakeUintegerAccessor(&RpcRdmaServer::m_poolBuffers),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "CacheCapacity",
                    "Regions of a connection with RegistrationStrategy \"cache\" (count). "
                    "Default: 1024 (assumption).",
                    UintegerValue(1024),
                    MakeUintegerAccessor(&RpcRdmaServer::m_cacheCapacity),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "MaxCallBytes",
                    "Octets of a call's Read chunks (count). Default: RPCSVC_MAXPAGES pages.",
                    UintegerValue(uint64_t{259} * 4096),
                    MakeUintegerAccessor(&RpcRdmaServer::m_maxCallBytes),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "MaxReadChunks",
                    "Chunks of a Read list beside the one of Position zero (count). Default: "
                    "as Linux, no limit but that of segments; RFC 8267 section 6.4.2 has 1.",
                    UintegerValue(259),
                    MakeUintegerAccessor(&RpcRdmaServer::m_maxReadChunks),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "MaxReadSegments",
                    "Segments of a Read list (count). Default: one per page of the largest "
                    "call.",
                    UintegerValue(259),
                    MakeUintegerAccessor(&RpcRdmaServer::m_maxReadSegments),
                    MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("MaxWriteChunks",
                              "Chunks of a Write list (count). Default: what fits a header of 4096 "
                              "octets is not limited further.",
                              UintegerValue(512),
                              MakeUintegerAccessor(&RpcRdmaServer::m_maxWriteChunks),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("MaxChunkSegments",
                              "Segments of one chunk (count). Default: RPCSVC_MAXPAGES; RFC 8267 "
                              "section 6.4.2 has 16.",
                              UintegerValue(259),
                              MakeUintegerAccessor(&RpcRdmaServer::m_maxChunkSegments),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "HeaderRules",
                    "Name of the CallHeaderRules: how strict to be with transport headers.",
                    StringValue("linux"),
                    MakeStringAccessor(&RpcRdmaServer::m_headerRulesName),
                    MakeStringChecker())
                .AddAttribute(
                    "ProgramLimits",
                    "Answers ERR_CHUNK, before any RDMA operation, to chunks larger than the "
                    "program's messages can be. Default: as Linux, which has MaxCallBytes "
                    "only.",
                    BooleanValue(false),
                    MakeBooleanAccessor(&RpcRdmaServer::m_programLimits),
                    MakeBooleanChecker())
                .AddAttribute(
                    "Careless",
                    "Writes replies without a look at the size of chunks and thresholds: the "
                    "client's RNIC refuses them, and the connection is lost. Default: as any "
                    "careful responder.",
                    BooleanValue(false),
                    MakeBooleanAccessor(&RpcRdmaServer::m_careless),
                    MakeBooleanChecker())
                .AddAttribute(
                    "FailedCallMemory",
                    "Calls remembered whose RDMA operations have ended a connection (count): "
                    "when one of them comes again, it is answered with ERR_CHUNK (RFC 8166 "
                    "section 4.5.3). Default: as Linux, none.",
                    UintegerValue(0),
                    MakeUintegerAccessor(&RpcRdmaServer::m_failedCallMemory),
                    MakeUintegerChecker<uint32_t>())
                .AddAttribute(
                    "EnforceCredits",
                    "A connection with more calls in service than it was granted credits is "
                    "closed. Default: as Linux, which posts a new receive for each message, "
                    "so that the RNIC refuses a burst only.",
                    BooleanValue(false),
                    MakeBooleanAccessor(&RpcRdmaServer::m_enforceCredits),
                    MakeBooleanChecker())
                .AddAttribute(
                    "BadMessageLimit",
                    "Messages that cannot be served (count), answered or not, after which a "
                    "connection is closed; 0: any number. Default: as Linux, 0.",
                    UintegerValue(0),
                    MakeUintegerAccessor(&RpcRdmaServer::m_badMessageLimit),
                    MakeUintegerChecker<uint32_t>())
                .AddAttribute(
                    "RemoteInvalidation",
                    "R flag of the private data sent (RFC 8797). Default: as Linux, which "
                    "uses Send with Invalidate all the same.",
                    BooleanValue(false),
                    MakeBooleanAccessor(&RpcRdmaServer::m_remoteInvalidation),
                    MakeBooleanChecker())
                .AddAttribute(
                    "PrivateDataAtFront",
                    "Private data of RFC 8797 counts at the front of what the consumer gets "
                    "only; else at any offset (section 5.2), where another protocol's may "
                    "look like it (section 7). Default: as Linux, at the front.",
                    BooleanValue(true),
                    MakeBooleanAccessor(&RpcRdmaServer::m_privateDataAtFront),
                    MakeBooleanChecker())
                .AddAttribute(
                    "HonourSizes",
                    "Sends to a client have at most the receive size of its private data, "
                    "1024 octets when it sent none (RFC 8797 section 5.1). Default: as Linux, "
                    "which takes the R flag alone (svc_rdma_parse_connect_private()): what "
                    "has no chunk to go to is sent up to InlineSend, and a client with "
                    "smaller receives loses the connection.",
                    BooleanValue(false),
                    MakeBooleanAccessor(&RpcRdmaServer::m_honoursSizes),
                    MakeBooleanChecker())
                .AddAttribute(
                    "RefuseEmptyNomsg",
                    "Answers RDMA_NOMSG without any chunk with ERR_CHUNK, as RFC 8166 says. "
                    "Default: as Linux, which discards it.",
                    BooleanValue(false),
                    MakeBooleanAccessor(&RpcRdmaServer::m_refuseEmptyNomsg),
                    MakeBooleanChecker())
                .AddAttribute(
                    "MapCost",
                    "Processor time (time) to map for DMA a piece of memory that is "
                    "registered for a chunk, or a page of an item that is sent from where it "
                    "is: 0.1 to 1 us with an IOMMU, about 20 ns without. Default: low end "
                    "with an IOMMU.",
                    TimeValue(NanoSeconds(100)),
                    MakeTimeAccessor(&RpcRdmaServer::m_mapCost),
                    MakeTimeChecker(Time(0)))
                .AddAttribute("CreditGrant",
                              "Name of a CreditGrantPolicy.",
                              StringValue("fixed"),
                              MakeStringAccessor(&RpcRdmaServer::m_creditGrantName),
                              MakeStringChecker())
                .AddAttribute("InlinePolicy",
                              "Name of an InlineThresholdPolicy of responders; InlineSend and "
                              "InlineReceive are its maximum. Default: as Linux, the maximum.",
                              StringValue("fixed"),
                              MakeStringAccessor(&RpcRdmaServer::m_inlinePolicyName),
                              MakeStringChecker())
                .AddAttribute("ReplyChunk",
                              "Name of a ReplyChunkPolicy.",
                              StringValue("linux"),
                              MakeStringAccessor(&RpcRdmaServer::m_replyChunkName),
                              MakeStringChecker())
                .AddAttribute("RemoteInvalidationPolicy",
                              "Name of a RemoteInvalidationPolicy.",
                              StringValue("linux"),
                              MakeStringAccessor(&RpcRdmaServer::m_invalidationName),
                              MakeStringChecker())
                .AddAttribute(
                    "AgePeriod",
                    "Period (time) after which connections are looked at: one on which "
                    "nothing was received in a whole period is closed, unless a call of it "
                    "is being carried out; 0: never. Default: Linux's svc_conn_age_period, 6 "
                    "minutes.",
                    TimeValue(Minutes(6)),
                    MakeTimeAccessor(&RpcRdmaServer::m_agePeriod),
                    MakeTimeChecker(Time(0)))
                .AddTraceSource("ConnectionEnded",
                                "A connection has ended: the client's address, and why.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_endedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ConnectionEndedTracedCallback")
                .AddTraceSource(
                    "Refused",
                    "A message is answered with RDMA_ERROR for its header, or discarded.",
                    MakeTraceSourceAccessor(&RpcRdmaServer::m_refusedTrace),
                    "ns3::nfsrdma::RpcRdmaServer::RefusedTracedCallback")
                .AddTraceSource("ReadChunkExposed",
                                "A reply is provided as Read chunk.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_readChunkExposedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ReadChunkExposedTracedCallback")
                .AddTraceSource("ReadChunkReleased",
                                "A Read chunk is not pending any more: notified, expired, or its "
                                "connection has ended.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_readChunkReleasedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ReadChunkReleasedTracedCallback");
        SvcReadChunkSettings::AddAttributes({made, &RpcRdmaServer::m_readChunks});
        return made;
    }();
    return tid;
}

RpcRdmaServer::RpcRdmaServer()
    : m_filters(std::make_shared<SvcRdmaReplyFilters>()),
      m_statistics(std::make_shared<SvcRdmaStatistics>()),
      m_registrationStatistics(std::make_shared<RegistrationStatistics>())
{
}

RpcRdmaServer::~RpcRdmaServer() = default;

void
RpcRdmaServer::DoDispose()
{
    if (m_listener)
    {
        m_listener->SetEventCallback(CmId::EventCallback());
        m_listener = nullptr;
    }
    for (const auto& [number, connection] : m_connections)
    {
        connection->Abort();
    }
    m_connections.clear();
    for (const auto& [client, reverse] : m_reverse)
    {
        reverse.transport->Dispose();
    }
    m_reverse.clear();
    m_aging.Remove();
    m_rpcServer = nullptr;
    m_device = nullptr;
    Object::DoDispose();
}

void
RpcRdmaServer::SetDevice(Ptr<RnicDevice> device)
{
    m_device = device;
}

void
RpcRdmaServer::SetRpcServer(Ptr<RpcServer> server)
{
    m_rpcServer = server;
}

void
RpcRdmaServer::AddReplyFilter(SvcRdmaReplyFilter* filter)
{
    m_filters->push_back(filter);
}

void
RpcRdmaServer::RemoveReplyFilter(SvcRdmaReplyFilter* filter)
{
    m_filters->erase(std::remove(m_filters->begin(), m_filters->end(), filter), m_filters->end());
}

std::shared_ptr<const SvcRdmaSettings>
RpcRdmaServer::MakeSettings()
{
    auto settings = std::make_shared<SvcRdmaSettings>();
    settings->creditCeiling = m_creditCeiling;
    settings->backchannelCredits = m_backchannelCredits;
    settings->receiveBatch = m_receiveBatch;
    settings->inlineSend = m_inlineSend;
    settings->inlineReceive = m_inlineReceive;
    settings->maxOutboundReads = m_maxOutboundReads;
    settings->sendQueueDepth = m_sendQueueDepth;
    settings->writePages = m_writePages;
    settings->registration = {ChunkRegistrar::GetSinkStrategy(m_registrationStrategy),
                              "shared-fifo",
                              m_regionPages,
                              m_poolBuffers,
                              m_cacheCapacity,
                              m_registrationStatistics};
    settings->mapCost = m_mapCost;
    settings->remoteInvalidation = m_remoteInvalidation;
    settings->terminates = m_terminates;
    settings->privateDataPlace =
        m_privateDataAtFront ? PrivateDataPlace::FRONT : PrivateDataPlace::ANYWHERE;
    settings->honoursSizes = m_honoursSizes;
    const auto rules = CallHeaderRules::Create(m_headerRulesName);
    NS_ABORT_MSG_UNLESS(rules, "no header rules " << m_headerRulesName);
    settings->headerRules = *rules;
    settings->headerRules.answerEmptyNomsg |= m_refuseEmptyNomsg;
    settings->programLimits = m_programLimits;
    settings->careless = m_careless;
    settings->enforceCredits = m_enforceCredits;
    settings->badMessageLimit = m_badMessageLimit;
    settings->filters = m_filters;
    settings->failedCalls = std::make_shared<SvcRdmaFailedCalls>(m_failedCallMemory);
    settings->callLimits.lists.readSegments = m_maxReadSegments;
    settings->callLimits.lists.writeChunks = m_maxWriteChunks;
    settings->callLimits.lists.chunkSegments = m_maxChunkSegments;
    settings->callLimits.readChunks = m_maxReadChunks;
    settings->callLimits.readOctets = m_maxCallBytes;
    settings->refused = [this](uint32_t xid, CallVerdict verdict, CallFault fault) {
        m_refusedTrace(xid, verdict, fault);
    };
    settings->readChunks = MakeReadChunkSettings();
    auto grant = CreditGrantPolicy::Create(m_creditGrantName);
    settings->invalidation = RemoteInvalidationPolicy::Create(m_invalidationName);
    settings->replyChunk = ReplyChunkPolicy::Create(m_replyChunkName);
    settings->thresholds = InlineThresholdPolicy::Create(m_inlinePolicyName);
    NS_ABORT_MSG_UNLESS(settings->thresholds, "no inline threshold policy " << m_inlinePolicyName);
    NS_ABORT_MSG_UNLESS(settings->replyChunk, "no Reply chunk policy " << m_replyChunkName);
    NS_ABORT_MSG_UNLESS(grant, "no credit grant policy " << m_creditGrantName);
    SvcRdmaCreditLimits limits;
    limits.maximum = m_credits;
    limits.receives = m_sharedReceives;
    limits.memory = m_receiveMemoryLimit;
    limits.connections = m_expectedConnections;
    limits.leastSize = settings->thresholds->GetLeastReceive(m_inlineReceive);
    m_creditPool = std::make_shared<SvcRdmaCreditPool>(std::move(grant), limits);
    settings->creditPool = m_creditPool;
    NS_ABORT_MSG_UNLESS(settings->invalidation,
                        "no remote invalidation policy " << m_invalidationName);
    return settings;
}

std::shared_ptr<const SvcReadChunkSettings>
RpcRdmaServer::MakeReadChunkSettings()
{
    auto settings = std::make_shared<SvcReadChunkSettings>(m_readChunks);
    settings->policy = CreateNamed<ReadChunkPolicy>(settings->policyName, "Read chunk policy");
    settings->supported = settings->supported && settings->policy->IsEnabled();
    settings->extension.responder = true;
    settings->exposed = [this](uint32_t xid, uint32_t segments, uint64_t octets) {
        m_readChunkExposedTrace(xid, segments, octets);
    };
    settings->released = [this](uint32_t xid, ReadChunkRelease reason) {
        m_readChunkReleasedTrace(xid, reason);
    };
    return settings;
}

bool
RpcRdmaServer::Listen(uint16_t port)
{
    NS_ABORT_MSG_UNLESS(m_device && m_rpcServer, "RpcRdmaServer has no device or RPC server");
    m_settings = MakeSettings();
    Ptr<CmId> listener = CmId::Create(m_device);
    listener->SetEventCallback(MakeCallback(&RpcRdmaServer::HandleEvent, this));
    if (!listener->Listen(port))
    {
        return false;
    }
    m_listener = listener;
    return true;
}

void
RpcRdmaServer::Stop()
{
    if (m_listener)
    {
        m_listener->SetEventCallback(CmId::EventCallback());
        m_listener->Disconnect();
        m_listener = nullptr;
    }
    if (m_creditPool)
    {
        m_creditPool->Forget();
    }
    for (const CmEvent& request : std::exchange(m_requests, {}))
    {
        request.newId->Disconnect();
    }
    for (const auto& [number, connection] : m_connections)
    {
        connection->Close("the server stops");
    }
}

void
RpcRdmaServer::Crash()
{
    if (m_listener)
    {
        m_listener->Destroy();
        m_listener = nullptr;
    }
    if (m_creditPool)
    {
        m_creditPool->Forget();
    }
    for (const CmEvent& request : std::exchange(m_requests, {}))
    {
        request.newId->SetEventCallback(CmId::EventCallback());
        request.newId->Destroy();
    }
    const auto connections = std::move(m_connections);
    m_connections.clear();
    for (const auto& [number, connection] : connections)
    {
        const Ipv4Address peer = connection->GetPeer();
        connection->Abort();
        ++m_statistics->closed;
        NoteEnd(peer, "the server has crashed");
    }
    for (const auto& [client, reverse] : m_reverse)
    {
        reverse.transport->Forget();
    }
}

void
RpcRdmaServer::InjectError()
{
    for (const auto& [number, connection] : m_connections)
    {
        connection->InjectError();
    }
}

void
RpcRdmaServer::HandleEvent(Ptr<CmId> id, const CmEvent& event)
{
    if (event.type != CmEventType::CONNECT_REQUEST)
    {
        m_requests.erase(
            std::remove_if(m_requests.begin(),
                           m_requests.end(),
                           [&id](const CmEvent& request) { return request.newId == id; }),
            m_requests.end());
        return;
    }
    auto connection = Create<SvcRdmaConnection>(m_device, m_rpcServer, m_settings, m_statistics);
    if (connection->MustWait(event) || !m_requests.empty())
    {
        ++m_statistics->connectionsWaited;
        m_requests.push_back(event);
        m_creditPool->AwaitConnection([this, request = event] { return TryAgain(request); });
        return;
    }
    Accept(connection, event);
}

bool
RpcRdmaServer::TryAgain(const CmEvent& request)
{
    const auto waiting =
        std::find_if(m_requests.begin(), m_requests.end(), [&request](const CmEvent& candidate) {
            return candidate.newId == request.newId;
        });
    if (waiting == m_requests.end())
    {
        return true;
    }
    auto connection = Create<SvcRdmaConnection>(m_device, m_rpcServer, m_settings, m_statistics);
    if (connection->MustWait(request))
    {
        return false;
    }
    m_requests.erase(waiting);
    Accept(connection, request);
    return true;
}

void
RpcRdmaServer::Accept(const Ptr<SvcRdmaConnection>& connection, const CmEvent& event)
{
    const uint64_t number = m_rpcServer->OpenConnection();
    const Ipv4Address peer = SvcRdmaConnection::GetIpv4(event.newId->GetPeerAddress());
    const bool accepted =
        connection->Accept(event, number, [this, number, peer] { HandleClosed(number, peer); });
    if (!accepted)
    {
        ++m_statistics->refused;
        NoteEnd(peer, connection->GetEndReason());
        return;
    }
    ++m_statistics->accepted;
    m_connections.emplace(number, connection);
    if (!m_agePeriod.IsZero() && !m_aging.IsRunning())
    {
        m_aging = Simulator::Schedule(m_agePeriod, &RpcRdmaServer::AgeConnections, this);
    }
    const auto reverse = m_reverse.find(connection->GetPeer());
    if (reverse != m_reverse.end() && m_connections.count(reverse->second.chosen) == 0)
    {
        connection->CarryReverse(reverse->second.transport);
    }
}

void
RpcRdmaServer::AgeConnections()
{
    const auto connections = m_connections;
    for (const auto& [number, connection] : connections)
    {
        connection->Age();
    }
    if (!m_connections.empty())
    {
        m_aging = Simulator::Schedule(m_agePeriod, &RpcRdmaServer::AgeConnections, this);
    }
}

void
RpcRdmaServer::NoteEnd(Ipv4Address peer, const std::string& reason)
{
    ++m_statistics->ends[reason];
    m_endedTrace(peer, reason);
    if (m_connections.empty())
    {
        m_aging.Remove();
    }
}

void
RpcRdmaServer::HandleClosed(uint64_t number, Ipv4Address peer)
{
    const auto ended = m_connections.find(number);
    const std::string reason = ended->second->GetEndReason();
    m_connections.erase(ended);
    ++m_statistics->closed;
    NoteEnd(peer, reason);
    const auto reverse = m_reverse.find(peer);
    if (reverse != m_reverse.end() && !reverse->second.transport->IsAttached())
    {
        CarryOnNewest(peer, reverse->second.transport);
    }
    m_rpcServer->EndConnection(number);
}

void
RpcRdmaServer::CarryOnNewest(Ipv4Address client, const Ptr<SvcRdmaReverseTransport>& reverse)
{
    for (const auto& [number, connection] : m_connections)
    {
        if (connection->GetPeer() == client)
        {
            connection->CarryReverse(reverse);
        }
    }
}

Ptr<SvcRdmaReverseTransport>
RpcRdmaServer::GetReverseTransport(Ipv4Address client, uint64_t connection)
{
    Reverse& reverse = m_reverse[client];
    const auto chosen = m_connections.find(connection);
    const bool isThere = chosen != m_connections.end() && chosen->second->GetPeer() == client;
    if (!reverse.transport)
    {
        reverse.transport = CreateObject<SvcRdmaReverseTransport>();
        reverse.transport->SetAttribute("Credits",
                                        UintegerValue(std::max(m_backchannelCredits, 1U)));
        reverse.transport->SetAttribute("WaitForConnection", BooleanValue(m_reverseWaits));
        reverse.transport->SetAttribute("CallTimeout", TimeValue(m_reverseTimeout));
        if (!isThere)
        {
            CarryOnNewest(client, reverse.transport);
        }
    }
    if (isThere && reverse.chosen != connection)
    {
        reverse.chosen = connection;
        chosen->second->CarryReverse(reverse.transport);
    }
    return reverse.transport;
}

void
RpcRdmaServer::SetCredits(uint32_t credits)
{
    m_credits = credits;
    if (m_creditPool)
    {
        m_creditPool->SetMaximum(credits);
    }
}

uint32_t
RpcRdmaServer::GetCredits() const
{
    return m_credits;
}

std::vector<Ptr<const SvcRdmaConnection>>
RpcRdmaServer::GetConnections() const
{
    std::vector<Ptr<const SvcRdmaConnection>> connections;
    connections.reserve(m_connections.size());
    for (const auto& [number, connection] : m_connections)
    {
        connections.push_back(connection);
    }
    return connections;
}

const SvcRdmaStatistics&
RpcRdmaServer::GetStatistics() const
{
    return *m_statistics;
}

const RegistrationStatistics&
RpcRdmaServer::GetRegistrationStatistics() const
{
    return *m_registrationStatistics;
}

uint32_t
RpcRdmaServer::GetConnectionCount() const
{
    return m_connections.size();
}

std::vector<std::string>
RpcRdmaServer::DescribeWaiting() const
{
    std::vector<std::string> lines;
    if (!m_requests.empty())
    {
        lines.push_back(std::to_string(m_requests.size()) +
                        " connections wait for a receive: server_shared_receives or "
                        "server_receive_memory_limit are used up");
    }
    for (const auto& [number, connection] : m_connections)
    {
        if (connection->GetCallsInService() > 0 || connection->GetWaitingWork() > 0)
        {
            lines.push_back("connection " + std::to_string(number) + ": " +
                            std::to_string(connection->GetCallsInService()) +
                            " calls in service, " + std::to_string(connection->GetWaitingWork()) +
                            " work requests wait for room" +
                            (connection->GetWaitingForRegions() > 0
                                 ? ", " + std::to_string(connection->GetWaitingForRegions()) +
                                       " messages for memory regions (rnic.max_mrs)"
                                 : ""));
        }
    }
    return lines;
}

const TerminateTally&
RpcRdmaServer::GetTerminates() const
{
    return *m_terminates;
}

} // namespace ns3::nfsrdma
