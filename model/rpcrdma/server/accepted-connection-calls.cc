/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/server/accepted-connection.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaSvcRdmaConnectionCalls");

void
SvcRdmaConnection::Remember(const std::shared_ptr<SvcRdmaCall>& call)
{
    const uint32_t capacity = m_settings->failedCalls->GetCapacity();
    if (capacity == 0 || call->chunks.IsEmpty())
    {
        return;
    }
    if (m_recentCalls.size() == capacity)
    {
        m_recentCalls.pop_front();
    }
    m_recentCalls.push_back(call);
}

void
SvcRdmaConnection::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    ++m_statistics->recv;
    m_old = false;
    m_receives->Take(completion, m_message);
    PostReceives();
    if (m_exposer)
    {
        TakeNotices(completion);
    }
    HandleMessage();
}

void
SvcRdmaConnection::TakeNotices(const WorkCompletion& completion)
{
    if (completion.withInvalidate)
    {
        m_exposer->HandleInvalidated(completion.invalidatedStag);
    }
    if (!m_noticesOnCalls || !PullNoticeList::IsIn(m_message))
    {
        return;
    }
    if (const auto notices = PullNoticeList::TakeFrom(m_message))
    {
        for (const uint32_t xid : notices->xids)
        {
            m_exposer->HandleDone(xid);
        }
    }
}

void
SvcRdmaConnection::HandleMessage()
{
    CheckedCall checked = m_check.Check(m_message);
    switch (checked.verdict)
    {
    case CallVerdict::REPLY:
        if (m_reverse)
        {
            HandleReverseReply(checked);
            return;
        }
        [[fallthrough]];
    case CallVerdict::CALL:
        if (const CallFault fault = CheckService(checked); fault != CallFault::NONE)
        {
            const bool silent = fault == CallFault::DUPLICATE_XID;
            Refuse(checked.fixed, silent ? CallVerdict::DISCARD : CallVerdict::ERR_CHUNK, fault);
            return;
        }
        HandleCall(std::move(checked.header), checked.payloadOffset);
        break;
    case CallVerdict::DONE:
        if (m_exposer && m_exposer->HandleDone(checked.fixed.xid))
        {
            return;
        }
        Refuse(checked.fixed, checked.verdict, checked.fault);
        break;
    case CallVerdict::ERROR:
        if (m_reverse && m_reverse->HandleError(checked.fixed))
        {
            return;
        }
        [[fallthrough]];
    case CallVerdict::ERR_VERS:
    case CallVerdict::ERR_CHUNK:
    case CallVerdict::DISCARD:
        Refuse(checked.fixed, checked.verdict, checked.fault);
        break;
    }
}

void
SvcRdmaConnection::HandleReverseReply(const CheckedCall& checked)
{
    const ByteSpan payload = ByteSpan(m_message).subspan(checked.payloadOffset);
    if (!m_reverse->HandleReply(checked.fixed, payload))
    {
        ++m_statistics->unknownReplies;
        ++m_statistics->dropped;
    }
}

void
SvcRdmaConnection::Refuse(const RpcRdmaFixedHeader& header, CallVerdict verdict, CallFault fault)
{
    NS_LOG_LOGIC("XID " << header.xid << ": " << ToString(verdict) << ", " << ToString(fault));
    ++m_statistics->faults.at(static_cast<std::size_t>(fault));
    if (verdict == CallVerdict::ERR_VERS || verdict == CallVerdict::ERR_CHUNK)
    {
        m_writer->SendError(header.xid,
                            header.version,
                            Grant(header.credit),
                            verdict == CallVerdict::ERR_VERS ? RpcRdmaErrorCode::ERR_VERS
                                                             : RpcRdmaErrorCode::ERR_CHUNK);
    }
    else
    {
        ++m_statistics->discarded.at(static_cast<std::size_t>(fault));
        ++m_statistics->dropped;
    }
    if (m_settings->refused)
    {
        m_settings->refused(header.xid, verdict, fault);
    }
    if (fault != CallFault::NONE && ++m_badMessages == m_settings->badMessageLimit)
    {
        ++m_statistics->badMessagesClosed;
        Close("messages that cannot be served (server_bad_message_limit)");
    }
}

CallFault
SvcRdmaConnection::CheckService(const CheckedCall& checked) const
{
    if (m_settings->headerRules.discardDuplicates && m_xidsInService.count(checked.header.xid) != 0)
    {
        return CallFault::DUPLICATE_XID;
    }
    if (!m_settings->failedCalls->IsEmpty() &&
        m_settings->failedCalls->Take(m_source, checked.header.xid))
    {
        return CallFault::FAILED_BEFORE;
    }
    if (m_settings->programLimits && !checked.header.chunks.IsEmpty())
    {
        const ByteSpan payload = ByteSpan(m_message).subspan(checked.payloadOffset);
        return CallHeaderCheck::CheckSizes(checked.header.chunks,
                                           m_rpcServer->GetMessageLimits(payload));
    }
    return CallFault::NONE;
}

uint32_t
SvcRdmaConnection::Grant(uint32_t requested)
{
    const uint32_t grant = m_settings->creditPool->Grant(requested,
                                                         m_granted,
                                                         m_inService,
                                                         m_receives->GetBufferSize());
    SetGranted(grant > m_granted ? PostForGrant(grant) : grant);
    NS_ASSERT_MSG(m_receives->GetPosted() >= m_granted ||
                      m_endpoint->GetQueuePair()->GetState() != QueuePairState::RTS,
                  "credits without a receive");
    return m_granted;
}

void
SvcRdmaConnection::SetGranted(uint32_t credits)
{
    m_settings->creditPool->ChangeGrant(m_granted, credits);
    m_granted = credits;
    m_mostGranted = std::max(m_mostGranted, m_granted);
}

uint32_t
SvcRdmaConnection::PostForGrant(uint32_t grant)
{
    PostUpTo(grant + GetExtraReceives());
    const bool bounded = m_settings->creditPool->IsBounded() || m_fewReceives;
    const uint32_t others = bounded ? GetExtraReceives() : 0;
    const uint32_t posted = m_receives->GetPosted();
    return std::max(std::min(grant, posted > others ? posted - others : 0), m_granted);
}

void
SvcRdmaConnection::PostUpTo(uint32_t needed)
{
    const uint32_t posted = m_receives->GetPosted();
    if (posted >= needed)
    {
        return;
    }
    const uint32_t held = m_receives->GetAllocated();
    uint32_t count = needed - posted;
    const uint32_t free = held - posted;
    if (count > free && m_settings->creditPool->IsBounded())
    {
        count =
            free +
            m_settings->creditPool->LimitGrowth(count - free, held, m_receives->GetBufferSize());
    }
    m_receives->Post(count);
    ReportMemory();
}

void
SvcRdmaConnection::HandleCall(RpcRdmaHeader&& header, std::size_t payloadOffset)
{
    if (m_settings->enforceCredits && m_inService >= m_mostGranted)
    {
        m_statistics->creditOverruns += m_overrun ? 0 : 1;
        m_overrun = true;
        Close("more calls than credits (server_enforce_credits)");
        return;
    }
    auto call = std::make_shared<SvcRdmaCall>();
    call->xid = header.xid;
    call->client = m_source;
    call->requested = header.credit;
    call->chunks = std::move(header.chunks);
    ByteVector inlineMessage(m_message.begin() + static_cast<std::ptrdiff_t>(payloadOffset),
                             m_message.end());
    ++m_inService;
    Remember(call);
    if (m_settings->headerRules.discardDuplicates)
    {
        m_xidsInService.insert(call->xid);
    }
    if (call->chunks.readList.empty())
    {
        RpcReceivedMessage message;
        message.octets = std::move(inlineMessage);
        Deliver(call, std::move(message));
        return;
    }
    m_puller->Pull(
        call->chunks.readList,
        std::move(inlineMessage),
        [this, call](RpcReceivedMessage&& message) { Deliver(call, std::move(message)); },
        [this, call](const std::string& reason) {
            NS_LOG_WARN("XID " << call->xid << " cannot be pulled: it needs " << reason);
            m_writer->SendError(call->xid,
                                RpcRdmaHeader::VERSION,
                                Grant(call->requested),
                                RpcRdmaErrorCode::ERR_CHUNK);
            EndService(*call);
        });
}

void
SvcRdmaConnection::Deliver(std::shared_ptr<SvcRdmaCall> call, RpcReceivedMessage&& message)
{
    ++m_delivered;
    const bool isCall = m_rpcServer->Receive(
        std::move(message),
        [self = Ptr<SvcRdmaConnection>(this), call](RpcPayload&& payload) {
            --self->m_delivered;
            if (payload.octets.empty())
            {
                ++self->m_statistics->unanswered;
                ++self->m_statistics->dropped;
            }
            else if (self->m_writer)
            {
                call->credits = self->Grant(call->requested);
                self->m_writer->Reply(*call, std::move(payload));
            }
            self->EndService(*call);
        },
        m_source,
        m_number);
    if (!isCall)
    {
        --m_delivered;
        EndService(*call);
        ++m_statistics->noCalls;
        ++m_statistics->dropped;
    }
}

void
SvcRdmaConnection::EndService(const SvcRdmaCall& call)
{
    --m_inService;
    m_xidsInService.erase(call.xid);
}

} // namespace ns3::nfsrdma
