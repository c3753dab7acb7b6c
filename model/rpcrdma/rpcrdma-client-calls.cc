/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-client.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClientCalls");

void
RpcRdmaClient::Submit(std::unique_ptr<RpcTransportCall> call)
{
    m_queue.push_back(std::move(call));
    Pump();
}

void
RpcRdmaClient::Pump()
{
    while (m_connection && !m_queue.empty() && m_connection->MaySend() && SendNext())
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
        FailHead(RpcOutcome::TRANSPORT_ERROR);
        return true;
    }
    RpcRdmaRequest& request = TakeSlot();
    request.call = std::move(m_queue.front());
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
        FailHead(RpcOutcome::TRANSPORT_ERROR);
        return true;
    }
    return false;
}

void
RpcRdmaClient::CountSend(const RpcRecord& record)
{
    ++m_statistics.sends;
    m_statistics.reqU += m_statistics.sends - m_statistics.recvs;
    const std::size_t inSlots = m_slots - m_connection->GetRequestCount();
    m_statistics.bklogU += m_queue.size() > inSlots ? m_queue.size() - inSlots : 0;
    m_callSentTrace(record);
}

void
RpcRdmaClient::FailHead(RpcOutcome outcome)
{
    const std::unique_ptr<RpcTransportCall> call = std::move(m_queue.front());
    m_queue.pop_front();
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
RpcRdmaClient::HandleNoRegions()
{
    FailHead(RpcOutcome::TRANSPORT_ERROR);
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
    Pump();
    End(*call, std::move(message));
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleSendDone(RpcRdmaRequest& request)
{
    if (!request.call)
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
