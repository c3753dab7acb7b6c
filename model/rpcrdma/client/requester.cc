/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester.h"

#include "rpcrdma/message/transport-header.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

RpcRdmaClient::RpcRdmaClient()
    : m_server(Ipv4Address::GetAny(), 0),
      m_reverseStatistics(std::make_shared<RpcRdmaReverseStatistics>()),
      m_registrationStatistics(std::make_shared<RegistrationStatistics>()),
      m_pullStatistics(std::make_shared<ReplyPullStatistics>())
{
}

RpcRdmaClient::~RpcRdmaClient() = default;

void
RpcRdmaClient::DoDispose()
{
    RemoveTimers();
    m_open = false;
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
    RpcClientTransport::DoDispose();
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
RpcRdmaClient::InjectError()
{
    if (m_connection)
    {
        m_connection->InjectError();
    }
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

uint64_t
RpcRdmaClient::GetLargestRoom(const RpcReplyEstimate& reply) const
{
    return m_connection ? m_connection->GetLargestRoom(reply) : UINT64_MAX;
}

void
RpcRdmaClient::NoteRefusal(const RpcRecord& record, const std::string& reason)
{
    m_callRefusedTrace(record, reason);
}

RpcReverseLimits
RpcRdmaClient::GetReverseLimits() const
{
    const uint32_t threshold = std::min(m_limits.send, m_limits.receive);
    return {std::min(threshold, m_reverseMessageSize) - RpcRdmaHeader::MINIMUM_SIZE,
            m_reverseCredits};
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
    return m_queue.size() + (m_connection ? m_connection->GetRequestCount() - m_probes : 0);
}

XprtRdmaStatistics
RpcRdmaClient::GetStatistics() const
{
    XprtRdmaStatistics statistics = m_statistics;
    // Linux counts an answer to a callback as sent, and never as received: as in CountSend().
    const uint64_t replies = m_reverseStatistics->replies;
    statistics.sends += replies;
    statistics.reqU += replies * (replies + 1) / 2;
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
    const InlineThresholds thresholds = m_inlineReview.Start();
    settings.inlineSend = thresholds.send;
    settings.inlineReceive = thresholds.receive;
    settings.maxDataPages = m_maxDataPages;
    settings.maxSegments = m_maxSegments;
    settings.bufferSize = m_bufferSize;
    settings.receiveBatch = m_receiveBatch;
    settings.backchannelCredits = m_backchannelCredits;
    settings.responderResources = m_responderResources;
    settings.remoteInvalidation = m_remoteInvalidation;
    settings.privateDataPlace =
        m_privateDataAtFront ? PrivateDataPlace::FRONT : PrivateDataPlace::ANYWHERE;
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
    settings.registration = {m_registrationStrategy,
                             m_registrationName,
                             m_regionPages,
                             m_poolBuffers,
                             m_cacheCapacity,
                             m_registrationStatistics};
    settings.cancelPolicyName = m_cancelPolicyName;
    settings.reservedCredits = m_reservedCredits;
    settings.replyPull = MakeReplyPullSettings();
    settings.terminates = m_terminates;
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

const RegistrationStatistics&
RpcRdmaClient::GetRegistrationStatistics() const
{
    return *m_registrationStatistics;
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
    std::shared_ptr<const InlineThresholdPolicy> thresholds =
        InlineThresholdPolicy::Create(m_inlinePolicyName);
    NS_ABORT_MSG_UNLESS(thresholds, "no inline threshold policy " << m_inlinePolicyName);
    m_inlineReview.Configure({std::move(thresholds),
                              {m_inlineSend, m_inlineReceive},
                              m_inlineShare,
                              m_inlineReviewPeriod});
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
    if (!lines.empty())
    {
        const std::vector<std::string> ends = m_terminates->Describe();
        lines.insert(lines.end(), ends.begin(), ends.end());
    }
    return lines;
}

const TerminateTally&
RpcRdmaClient::GetTerminates() const
{
    return *m_terminates;
}

} // namespace ns3::nfsrdma
