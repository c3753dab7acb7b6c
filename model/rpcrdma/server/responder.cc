/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/responder.h"

#include "mpa/internet-address.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/named-policy.h"
#include "wire/ns3-version.h"

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

namespace
{

void
StopAll(const std::vector<Ptr<CmId>>& listeners)
{
    for (const auto& listener : listeners)
    {
        listener->SetEventCallback(CmId::EventCallback());
        listener->Disconnect();
    }
}

} // namespace

TypeId
RpcRdmaServer::GetTypeId()
{
    static TypeId tid = [] {
        TypeId made =
            TypeId("ns3::nfsrdma::RpcRdmaServer")
                .SetParent<Object>()
                .SetGroupName("NfsRdma")
                .AddConstructor<RpcRdmaServer>()
                .AddTraceSource("ConnectionEnded",
                                "A connection has ended: the client's address, and why.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_endedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ConnectionEndedTracedCallback")
                .AddTraceSource(
                    "Refused",
                    "A message is answered with RDMA_ERROR for its header, or discarded.",
                    MakeTraceSourceAccessor(&RpcRdmaServer::m_refusedTrace),
                    "ns3::nfsrdma::RpcRdmaServer::RefusedTracedCallback")
                .AddTraceSource("Replied",
                                "A call is answered: when it was where on its way through.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_repliedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::RepliedTracedCallback")
                .AddTraceSource("Releases",
                                "Sends whose context waits for the work queue that gives it back, "
                                "or is under way there: before, now.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_releasesTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ReleasesTracedCallback")
                .AddTraceSource("MemoryRefused",
                                "MemoryLimit has no room for what a connection wants: its octets, "
                                "and those that are held.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_memoryRefusedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::MemoryRefusedTracedCallback")
                .AddTraceSource("ReadChunkExposed",
                                "A reply is provided as Read chunk.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_readChunkExposedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ReadChunkExposedTracedCallback")
                .AddTraceSource("ReadChunkReleased",
                                "A Read chunk is not pending any more: notified, expired, or its "
                                "connection has ended; and how long it was.",
                                MakeTraceSourceAccessor(&RpcRdmaServer::m_readChunkReleasedTrace),
                                "ns3::nfsrdma::RpcRdmaServer::ReadChunkReleasedTracedCallback");
        AddAttributes(made,
                      SvcRdmaSettings::GetRows(),
                      &RpcRdmaServer::m_settings,
                      &RpcRdmaServer::ApplyCredits);
        return AddAttributes(made, SvcReadChunkSettings::GetRows(), &RpcRdmaServer::m_readChunks);
    }();
    return tid;
}

void
RpcRdmaServer::DoDispose()
{
    for (const auto& listener : std::exchange(m_listeners, {}))
    {
        listener->SetEventCallback(CmId::EventCallback());
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
    m_inForce = nullptr;
    m_rpcServer = nullptr;
    m_device = nullptr;
    Object::DoDispose();
}

void
RpcRdmaServer::RemoveReplyFilter(SvcRdmaReplyFilter* filter)
{
    auto& filters = *m_settings.filters;
    filters.erase(std::remove(filters.begin(), filters.end(), filter), filters.end());
}

std::shared_ptr<const SvcRdmaSettings>
RpcRdmaServer::MakeSettings()
{
    auto settings = std::make_shared<SvcRdmaSettings>(m_settings);
    settings->rules = *CreateNamed<CallHeaderRules>(settings->headerRules, "header rules");
    settings->rules.needsSegments = settings->emptyChunks == EmptyChunkUse::REFUSED;
    settings->rules.answerEmptyNomsg |= settings->refuseEmptyNomsg;
    settings->failedCalls = std::make_shared<SvcRdmaFailedCalls>(settings->failedCallMemory);
    settings->refused = [this](uint32_t xid, CallVerdict verdict, CallFault fault) {
        m_refusedTrace(xid, verdict, fault);
    };
    settings->isTimed = [this] { return !m_repliedTrace.IsEmpty(); };
    settings->replied = [this](const RpcServiceTimes& times) { m_repliedTrace(times); };
    settings->readChunks = MakeReadChunkSettings();
    settings->invalidation =
        CreateNamed<RemoteInvalidationPolicy>(settings->remoteInvalidationPolicy,
                                              "remote invalidation policy");
    settings->replyChunks =
        CreateNamed<ReplyChunkPolicy>(settings->replyChunk, "Reply chunk policy");
    settings->thresholds =
        CreateNamed<InlineThresholdPolicy>(settings->inlinePolicy, "inline threshold policy");
    SvcRdmaCreditLimits limits;
    limits.maximum = settings->credits;
    limits.receives = settings->sharedReceives;
    limits.memory = settings->receiveMemoryLimit;
    limits.connections = settings->expectedConnections;
    limits.leastSize = settings->thresholds->GetLeastReceive(settings->inlineReceive);
    m_creditPool = std::make_shared<SvcRdmaCreditPool>(
        CreateNamed<CreditGrantPolicy>(settings->creditGrant, "credit grant policy"),
        limits);
    settings->creditPool = m_creditPool;
    if (settings->sendRelease == SvcRdmaRelease::WORK_QUEUE)
    {
        settings->releases = std::make_shared<SvcRdmaReleaseQueue>(
            m_device->GetHostCpu(),
            settings->releaseCost,
            settings->releaseWorkers,
            m_statistics,
            [this](uint32_t before, uint32_t now) { m_releasesTrace(before, now); });
    }
    if (settings->memoryLimit != 0)
    {
        settings->memory = std::make_shared<SvcRdmaMemoryLimit>(
            m_device->GetHostMemory(),
            settings->memoryLimit,
            m_statistics,
            [this](uint64_t octets, uint64_t held) { m_memoryRefusedTrace(octets, held); });
    }
    return settings;
}

std::shared_ptr<const SvcReadChunkSettings>
RpcRdmaServer::MakeReadChunkSettings()
{
    auto settings = std::make_shared<SvcReadChunkSettings>(m_readChunks);
    settings->policy = CreateNamed<ReadChunkPolicy>(settings->readChunkPolicy, "Read chunk policy");
    settings->readChunkExtension = settings->readChunkExtension && settings->policy->IsEnabled();
    settings->extension.responder = true;
    settings->exposed = [this](uint32_t xid, uint32_t segments, uint64_t octets) {
        m_readChunkExposedTrace(xid, segments, octets);
    };
    settings->released = [this](uint32_t xid, ReadChunkRelease reason, Time waited) {
        m_readChunkReleasedTrace(xid, reason, waited);
    };
    return settings;
}

bool
RpcRdmaServer::Listen(uint16_t port)
{
    NS_ABORT_MSG_UNLESS(m_device && m_rpcServer, "RpcRdmaServer has no device or RPC server");
    m_inForce = MakeSettings();
    std::vector<std::optional<IpAddress>> locals(m_addresses.begin(), m_addresses.end());
    if (locals.empty())
    {
        locals.emplace_back();
    }
    std::vector<Ptr<CmId>> listeners;
    for (const auto& local : locals)
    {
        Ptr<CmId> listener = CmId::Create(m_device);
        listener->SetEventCallback(MakeCallback(&RpcRdmaServer::HandleEvent, this));
        if (local)
        {
            listener->Bind(*local);
        }
        if (!listener->Listen(port))
        {
            StopAll(listeners);
            return false;
        }
        listeners.push_back(listener);
    }
    m_listeners = std::move(listeners);
    return true;
}

void
RpcRdmaServer::StopListening()
{
    StopAll(std::exchange(m_listeners, {}));
}

void
RpcRdmaServer::Stop()
{
    StopListening();
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
    for (const auto& listener : std::exchange(m_listeners, {}))
    {
        listener->Destroy();
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
        const IpAddress peer = connection->GetPeer();
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
    auto connection = Create<SvcRdmaConnection>(m_device, m_rpcServer, m_inForce, m_statistics);
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
    auto connection = Create<SvcRdmaConnection>(m_device, m_rpcServer, m_inForce, m_statistics);
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
    const uint64_t number =
        m_rpcServer->OpenConnection([this](uint64_t closed, const std::string& reason) {
            if (const auto found = m_connections.find(closed); found != m_connections.end())
            {
                found->second->Close(reason);
            }
        });
    const IpAddress peer = GetHostOf(event.newId->GetPeerAddress());
    const bool accepted =
        connection->Accept(event, number, [this, number, peer] { HandleClosed(number, peer); });
    if (!accepted)
    {
        ++m_statistics->refused;
        m_rpcServer->EndConnection(number);
        NoteEnd(peer, connection->GetEndReason());
        return;
    }
    ++m_statistics->accepted;
    m_connections.emplace(number, connection);
    if (!m_settings.agePeriod.IsZero() && !IsPending(m_aging))
    {
        m_aging = Simulator::Schedule(m_settings.agePeriod, &RpcRdmaServer::AgeConnections, this);
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
        m_aging = Simulator::Schedule(m_settings.agePeriod, &RpcRdmaServer::AgeConnections, this);
    }
}

void
RpcRdmaServer::NoteEnd(IpAddress peer, const std::string& reason)
{
    ++m_statistics->ends[reason];
    m_endedTrace(peer, reason);
    if (m_connections.empty())
    {
        m_aging.Remove();
    }
}

void
RpcRdmaServer::HandleClosed(uint64_t number, IpAddress peer)
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
RpcRdmaServer::CarryOnNewest(IpAddress client, const Ptr<SvcRdmaReverseTransport>& reverse)
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
RpcRdmaServer::GetReverseTransport(IpAddress client, uint64_t connection)
{
    Reverse& reverse = m_reverse[client];
    const auto chosen = m_connections.find(connection);
    const bool isThere = chosen != m_connections.end() && chosen->second->GetPeer() == client;
    if (!reverse.transport)
    {
        reverse.transport = CreateObject<SvcRdmaReverseTransport>();
        reverse.transport->SetAttribute("Credits",
                                        UintegerValue(std::max(m_settings.backchannelCredits, 1U)));
        reverse.transport->SetAttribute("WaitForConnection",
                                        BooleanValue(m_settings.reverseWaitForConnection));
        reverse.transport->SetAttribute("CallTimeout", TimeValue(m_settings.reverseTimeout));
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
    m_settings.credits = credits;
    ApplyCredits();
}

void
RpcRdmaServer::ApplyCredits()
{
    if (m_creditPool)
    {
        m_creditPool->SetMaximum(m_settings.credits);
    }
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

} // namespace ns3::nfsrdma
