/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-client.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClient");

RpcRdmaClient::RpcRdmaClient()
    : m_server(Ipv4Address::GetAny(), 0),
      m_reverseStatistics(std::make_shared<RpcRdmaReverseStatistics>()),
      m_pullStatistics(std::make_shared<ReplyPullStatistics>())
{
}

RpcRdmaClient::~RpcRdmaClient() = default;

void
RpcRdmaClient::DoDispose()
{
    if (m_connection)
    {
        m_connection->Abort();
        m_connection = nullptr;
    }
    m_queue.clear();
    m_requests.clear();
    m_freeSlots.clear();
    m_device = nullptr;
    m_reverseServer = nullptr;
    Object::DoDispose();
}

void
RpcRdmaClient::SetDevice(Ptr<RnicDevice> device)
{
    m_device = device;
}

void
RpcRdmaClient::SetServer(const InetSocketAddress& server)
{
    m_server = server;
}

void
RpcRdmaClient::SetReverseServer(Ptr<RpcServer> server)
{
    m_reverseServer = server;
}

const RpcRdmaReverseStatistics&
RpcRdmaClient::GetReverseStatistics() const
{
    return *m_reverseStatistics;
}

bool
RpcRdmaClient::IsConnected() const
{
    return m_connection && m_connection->IsEstablished();
}

bool
RpcRdmaClient::IsIdle() const
{
    return !m_connection;
}

const InlineLimits&
RpcRdmaClient::GetInlineLimits() const
{
    return m_limits;
}

uint32_t
RpcRdmaClient::GetCredits() const
{
    return m_connection ? m_connection->GetWindow().GetGranted() : 1;
}

uint32_t
RpcRdmaClient::GetOutstanding() const
{
    return m_connection ? m_connection->GetWindow().GetOutstanding() : 0;
}

uint32_t
RpcRdmaClient::GetPending() const
{
    return m_queue.size() + (m_connection ? m_connection->GetRequestCount() : 0);
}

XprtRdmaStatistics
RpcRdmaClient::GetStatistics() const
{
    XprtRdmaStatistics statistics = m_statistics;
    if (m_connection)
    {
        m_connection->AddLiveStatistics(statistics);
    }
    return statistics;
}

RpcRdmaConnectionSettings
RpcRdmaClient::MakeSettings()
{
    RpcRdmaConnectionSettings settings;
    settings.slots = m_slots;
    settings.inlineSend = m_inlineSend;
    settings.inlineReceive = m_inlineReceive;
    settings.maxDataPages = m_maxDataPages;
    settings.maxSegments = m_maxSegments;
    settings.regionPages = m_regionPages;
    settings.bufferSize = m_bufferSize;
    settings.receiveBatch = m_receiveBatch;
    settings.backchannelCredits = m_backchannelCredits;
    settings.responderResources = m_responderResources;
    settings.remoteInvalidation = m_remoteInvalidation;
    settings.writePadSegment = m_writePadSegment;
    settings.maxReadChunks = m_maxReadChunks;
    settings.maxWriteChunks = m_maxWriteChunks;
    settings.maxChunkSegments = m_maxChunkSegments;
    settings.readPad = m_readPad;
    settings.protectWritePad = m_protectWritePad;
    const auto rules = ReplyHeaderRules::Create(m_replyRulesName);
    NS_ABORT_MSG_UNLESS(rules, "no reply header rules " << m_replyRulesName);
    settings.replyRules = *rules;
    settings.regionAllocationTime = m_regionAllocationTime;
    settings.mapCost = m_mapCost;
    settings.registrationName = m_registrationName;
    settings.replyPull = MakeReplyPullSettings();
    if (m_reverseServer)
    {
        settings.backchannelCredits = std::max(m_backchannelCredits, m_reverseCredits);
        settings.reverse = {m_reverseServer, m_reverseCredits};
        settings.reverseStatistics = m_reverseStatistics;
    }
    return settings;
}

void
RpcRdmaClient::SetCallFormPolicy(std::unique_ptr<CallFormPolicy> policy)
{
    NS_ABORT_MSG_IF(m_connection, "the policies of a connection cannot be replaced");
    m_callForms = std::move(policy);
    m_callFormsMadeFor = m_callFormName;
}

void
RpcRdmaClient::SetReplyMechanismPolicy(std::unique_ptr<ReplyMechanismPolicy> policy)
{
    NS_ABORT_MSG_IF(m_connection, "the policies of a connection cannot be replaced");
    m_replyMechanism = std::move(policy);
    m_replyMechanismMadeFor = m_replyMechanismName;
}

void
RpcRdmaClient::MakePolicies()
{
    if (!m_callForms || m_callFormsMadeFor != m_callFormName)
    {
        m_callForms = CallFormPolicy::Create(m_callFormName);
        m_callFormsMadeFor = m_callFormName;
        NS_ABORT_MSG_UNLESS(m_callForms, "no call form policy " << m_callFormName);
    }
    if (!m_replyMechanism || m_replyMechanismMadeFor != m_replyMechanismName)
    {
        m_replyMechanism = ReplyMechanismPolicy::Create(m_replyMechanismName);
        m_replyMechanismMadeFor = m_replyMechanismName;
        NS_ABORT_MSG_UNLESS(m_replyMechanism, "no reply mechanism policy " << m_replyMechanismName);
    }
}

void
RpcRdmaClient::Connect()
{
    if (m_connection)
    {
        return;
    }
    NS_ABORT_MSG_UNLESS(m_device, "RpcRdmaClient has no device");
    MakePolicies();
    m_disconnectWhenIdle = false;
    m_connectStart = Simulator::Now();
    m_credits = 1;
    RpcRdmaConnectionOwner& owner = *this;
    m_connection = Create<RpcRdmaConnection>(m_device,
                                             MakeSettings(),
                                             *m_callForms,
                                             *m_replyMechanism,
                                             m_statistics,
                                             owner);
    if (!m_connection->Connect(m_server))
    {
        HandleEnd(CmEventType::CONNECT_ERROR);
    }
}

void
RpcRdmaClient::Disconnect()
{
    if (m_connection)
    {
        m_disconnectWhenIdle = true;
        DisconnectIfIdle();
    }
}

void
RpcRdmaClient::DisconnectIfIdle()
{
    if (m_disconnectWhenIdle && IsConnected() && GetPending() == 0)
    {
        m_connection->Disconnect();
    }
}

void
RpcRdmaClient::HandleEstablished()
{
    m_limits = m_connection->GetInlineLimits();
    ++m_statistics.connectCount;
    m_statistics.connectTime +=
        static_cast<uint64_t>((Simulator::Now() - m_connectStart).ToInteger(Time::S));
    m_connectedTrace(m_limits.send, m_limits.receive);
    Pump();
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleEnd(CmEventType reason)
{
    const Ptr<RpcRdmaConnection> ended = m_connection;
    m_connection = nullptr;
    m_disconnectWhenIdle = false;
    std::vector<std::unique_ptr<RpcTransportCall>> lost;
    for (RpcRdmaRequest* request : ended->TakeRequests())
    {
        lost.push_back(std::move(request->call));
        ReleaseSlot(*request);
    }
    m_disconnectedTrace(reason);
    for (const auto& call : lost)
    {
        call->record.outcome = RpcOutcome::DISCONNECTED;
        End(*call, {});
    }
}

std::vector<std::string>
RpcRdmaClient::DescribeWaiting() const
{
    std::vector<std::string> lines;
    std::string queued = "connection";
    if (m_connection)
    {
        lines = m_connection->DescribeWaiting();
        queued = "connection being made";
    }
    if (IsConnected())
    {
        const CreditWindow& window = m_connection->GetWindow();
        queued = m_connection->IsWaitingForRegions()
                     ? "memory regions"
                     : "credit (" + std::to_string(window.GetOutstanding()) + " of " +
                           std::to_string(window.GetGranted()) + " used)";
    }
    for (const auto& call : m_queue)
    {
        lines.push_back(DescribeXid(call->record.xid) + ": " + queued);
    }
    return lines;
}

} // namespace ns3::nfsrdma
