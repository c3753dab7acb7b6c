/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClientCalls");

void
RpcRdmaClient::Submit(std::unique_ptr<RpcTransportCall> call)
{
    call->order = m_nextOrder++;
    m_program = call->record.program;
    m_version = call->record.version;
    GetTimeout().Start(call->times, Simulator::Now());
    m_queue.push_back(std::move(call));
    WatchTimeouts(m_timeout);
    Pump();
    ConnectIfNeeded();
}

bool
RpcRdmaClient::Cancel(uint32_t xid)
{
    const auto queued = std::find_if(m_queue.begin(), m_queue.end(), [xid](const auto& call) {
        return call->record.xid == xid;
    });
    if (queued != m_queue.end())
    {
        EndQueued(queued - m_queue.begin(), RpcOutcome::CANCELLED);
        return true;
    }
    return m_connection && m_connection->Cancel(xid);
}

void
RpcRdmaClient::Pump()
{
    while (m_connection && !m_renegotiates && !m_queue.empty() && m_connection->MaySend() &&
           SendNext())
    {
    }
}

RpcRdmaRequest&
RpcRdmaClient::TakeSlot()
{
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(m_requests.size());
        m_requests.push_back(std::make_unique<RpcRdmaRequest>());
        m_requests.back()->slot = m_freeSlots.back();
    }
    RpcRdmaRequest& request = *m_requests[m_freeSlots.back()];
    m_freeSlots.pop_back();
    return request;
}

void
RpcRdmaClient::ReleaseSlot(RpcRdmaRequest& request)
{
    m_freeSlots.push_back(request.slot);
}

bool
RpcRdmaClient::SendNext()
{
    const uint32_t xid = m_queue.front()->record.xid;
    if (m_connection->IsOutstanding(xid))
    {
        NS_LOG_WARN("XID " << xid << " is in use: its second call fails");
        m_callRefusedTrace(m_queue.front()->record, "its XID is in use");
        EndQueued(0, RpcOutcome::TRANSPORT_ERROR);
        return true;
    }
    RpcRdmaRequest& request = TakeSlot();
    request.call = std::move(m_queue.front());
    if (request.call->record.transmissions > 0 && request.call->reencode)
    {
        request.call->reencode(*request.call);
    }
    const auto result = m_connection->Send(request);
    if (result == RpcRdmaConnection::SendResult::SENT ||
        result == RpcRdmaConnection::SendResult::REFUSED)
    {
        m_queue.pop_front();
        if (result == RpcRdmaConnection::SendResult::SENT)
        {
            m_callHeaderTrace(request.header);
            CountSend(request.call->record);
        }
        return result == RpcRdmaConnection::SendResult::SENT;
    }
    m_queue.front() = std::move(request.call);
    ReleaseSlot(request);
    if (result == RpcRdmaConnection::SendResult::TOO_LONG)
    {
        m_callRefusedTrace(m_queue.front()->record, m_connection->DescribeRefusal());
        EndQueued(0, RpcOutcome::TRANSPORT_ERROR);
        return true;
    }
    m_refusedXid = xid;
    return false;
}

void
RpcRdmaClient::CountSend(const RpcRecord& record)
{
    ++m_statistics.sends;
    m_statistics.reqU += m_statistics.sends + m_reverseStatistics->replies - m_statistics.recvs;
    const std::size_t inSlots = m_slots - m_connection->GetRequestCount();
    m_statistics.bklogU += m_queue.size() > inSlots ? m_queue.size() - inSlots : 0;
    m_callSentTrace(record);
}

void
RpcRdmaClient::EndQueued(std::size_t position, RpcOutcome outcome)
{
    const auto at = m_queue.begin() + static_cast<std::ptrdiff_t>(position);
    const std::unique_ptr<RpcTransportCall> call = std::move(*at);
    m_queue.erase(at);
    call->record.outcome = outcome;
    End(*call, {});
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleGrant(uint32_t credits)
{
    m_credits = credits;
}

void
RpcRdmaClient::HandleOutstanding(uint32_t calls)
{
    m_outstanding = calls;
}

void
RpcRdmaClient::HandleCreditEnd(Time held)
{
    m_creditEndTrace(held);
}

void
RpcRdmaClient::HandleFault(uint32_t xid, ReplyVerdict verdict, ReplyFault fault)
{
    m_badMessageTrace(xid, verdict, fault);
}

void
RpcRdmaClient::HandleRegions()
{
    Pump();
}

void
RpcRdmaClient::HandleNoRegions(const std::string& what)
{
    if (!m_queue.empty() && m_queue.front()->record.xid == m_refusedXid)
    {
        NS_LOG_WARN(DescribeXid(m_refusedXid) << " cannot be sent: it needs " << what);
        m_callRefusedTrace(m_queue.front()->record, "it needs " + what);
        EndQueued(0, RpcOutcome::TRANSPORT_ERROR);
    }
}

void
RpcRdmaClient::HandleReply(RpcRdmaRequest& request, RpcReceivedMessage&& message)
{
    if (request.checked.header)
    {
        m_replyHeaderTrace(*request.checked.header);
    }
    const std::unique_ptr<RpcTransportCall> call = std::move(request.call);
    if (!request.sendPending)
    {
        ReleaseSlot(request);
    }
    if (call->order == 0)
    {
        --m_probes;
    }
    else if (call->record.outcome == RpcOutcome::SUCCESS)
    {
        m_inlineReview.Count(*call, m_limits);
        m_renegotiates = m_renegotiates || (m_reconnect && m_inlineReview.WantsOthers());
    }
    Pump();
    End(*call, std::move(message));
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleCancelled(RpcRdmaRequest& request)
{
    request.call->record.outcome = RpcOutcome::CANCELLED;
    End(*request.call, {});
    if (request.cancellation == RpcCancellation::SET_ASIDE)
    {
        request.call->completed = nullptr;
        Pump();
        DisconnectIfIdle();
    }
    else
    {
        HandleRelease(request);
    }
}

void
RpcRdmaClient::HandleRelease(RpcRdmaRequest& request)
{
    request.call = nullptr;
    HandleSendDone(request);
    Pump();
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleSendDone(RpcRdmaRequest& request)
{
    if (!request.call && !request.sendPending)
    {
        ReleaseSlot(request);
    }
}

void
RpcRdmaClient::End(RpcTransportCall& call, RpcReceivedMessage&& message)
{
    call.record.completed = Simulator::Now();
    call.completed(call.record, std::move(message));
}

} // namespace ns3::nfsrdma
