/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-client.h"
#include "rpcrdma/rpcrdma-reply-decoder.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClientCalls");

namespace
{

/// RFC 8167: a reverse-direction Call carries msg_type 0 right after its XID.
bool
IsReverseCall(const RpcRdmaFixedHeader& header, ByteSpan message)
{
    const uint32_t typeOffset = RpcRdmaHeader::MINIMUM_SIZE + 4;
    return header.proc == static_cast<uint32_t>(RpcRdmaProc::MSG) &&
           message.size() >= typeOffset + 4 &&
           boost::endian::load_big_u32(message.data() + RpcRdmaHeader::MINIMUM_SIZE) ==
               header.xid &&
           boost::endian::load_big_u32(message.data() + typeOffset) == 0;
}

} // namespace

void
RpcRdmaClient::Submit(std::unique_ptr<RpcTransportCall> call)
{
    m_queue.push_back(std::move(call));
    Pump();
}

void
RpcRdmaClient::Pump()
{
    while (m_state == State::CONNECTED && !m_waitingForRegions && !m_queue.empty() &&
           m_window.MaySend() && SendNext())
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
    if (m_slotOfXid.count(xid) != 0)
    {
        NS_LOG_WARN("XID " << xid << " is in use: its second call fails");
        FailHead(RpcOutcome::TRANSPORT_ERROR);
        return true;
    }
    RpcRdmaRequest& request = TakeSlot();
    request.call = std::move(m_queue.front());
    auto chain = m_encoder->Encode(request);
    if (chain)
    {
        m_reclaimed = false;
        m_queue.pop_front();
        PostSend(request, std::move(*chain));
        return m_state == State::CONNECTED;
    }
    m_queue.front() = std::move(request.call);
    ReleaseSlot(request);
    if (chain.error() == RpcRdmaCallEncoder::Failure::NO_REGIONS)
    {
        WaitForRegions();
        return false;
    }
    FailHead(RpcOutcome::TRANSPORT_ERROR);
    return true;
}

void
RpcRdmaClient::FailHead(RpcOutcome outcome)
{
    std::unique_ptr<RpcTransportCall> call = std::move(m_queue.front());
    m_queue.pop_front();
    call->record.outcome = outcome;
    call->record.completed = Simulator::Now();
    call->completed(call->record, {});
    DisconnectIfIdle();
}

void
RpcRdmaClient::WaitForRegions()
{
    m_waitingForRegions = true;
    m_refresh = Simulator::Schedule(m_regionAllocationTime, &RpcRdmaClient::RefreshRegions, this);
}

void
RpcRdmaClient::RefreshRegions()
{
    if (m_registrar->Grow(m_limits.segments) > 0)
    {
        m_waitingForRegions = false;
    }
    else if (!m_reclaimed && m_registrar->Reclaim())
    {
        m_reclaimed = true;
        m_waitingForRegions = false;
    }
    else if (m_slotOfXid.empty())
    {
        m_reclaimed = false;
        m_waitingForRegions = false;
        FailHead(RpcOutcome::TRANSPORT_ERROR);
    }
    Pump();
}

bool
RpcRdmaClient::ChooseSignaling(std::vector<SendWorkRequest>& chain)
{
    const uint32_t batch = m_slots / 8;
    const auto count = static_cast<uint32_t>(chain.size());
    SendWorkRequest& send = chain.back();
    const bool takesProgramMemory = send.signaled;
    if (takesProgramMemory || count > m_unsignaledLeft)
    {
        send.signaled = true;
        m_unsignaledLeft = batch;
    }
    else
    {
        m_unsignaledLeft -= count;
    }
    return takesProgramMemory;
}

void
RpcRdmaClient::PostSend(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain)
{
    const bool tracked = ChooseSignaling(chain);
    for (SendWorkRequest& workRequest : chain)
    {
        workRequest.id = UNTRACKED_WORK;
    }
    chain.back().id = tracked ? request.slot : UNTRACKED_WORK;
    request.replied = false;
    request.invalidationPending = false;
    request.sendPending = tracked;
    RpcRecord& record = request.call->record;
    m_slotOfXid[record.xid] = request.slot;
    m_window.OnSent();
    record.sent = Simulator::Now();
    m_lastUsed = record.sent;

    if (const auto posted = m_endpoint->GetQueuePair()->PostSend(chain); !posted)
    {
        NS_LOG_WARN("a call cannot be posted: " << ToString(posted.error()));
        m_cm->Disconnect();
        m_state = State::CLOSING;
        return;
    }
    ++m_statistics.sends;
    m_statistics.reqU += m_statistics.sends - m_statistics.recvs;
    const std::size_t inSlots = m_slots - m_slotOfXid.size();
    m_statistics.bklogU += m_queue.size() > inSlots ? m_queue.size() - inSlots : 0;
    m_callSentTrace(record);
}

void
RpcRdmaClient::HandleSendCompletion(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS || completion.id == UNTRACKED_WORK)
    {
        return;
    }
    RpcRdmaRequest& request = *m_requests[completion.id];
    if (completion.opcode == WorkCompletionOpcode::LOCAL_INVALIDATE)
    {
        request.invalidationPending = false;
    }
    else
    {
        request.sendPending = false;
    }
    EndIfDone(request);
}

void
RpcRdmaClient::PostReceives(uint32_t needed, uint32_t batch)
{
    if (m_receives->GetPosted() <= needed)
    {
        m_receives->Post(needed - m_receives->GetPosted() + batch);
    }
}

void
RpcRdmaClient::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    m_receives->Take(completion, m_scratch);
    ByteReader reader(m_scratch);
    const auto header = RpcRdmaFixedHeader::Decode(reader);
    const bool isError = header && header->proc == static_cast<uint32_t>(RpcRdmaProc::ERROR);
    if (!header || (header->version != RpcRdmaHeader::VERSION && !isError))
    {
        ++m_statistics.badReply;
        PostReceives(m_window.GetGranted() + 2 * m_backchannelCredits, m_receiveBatch);
        return;
    }
    const auto found = m_slotOfXid.find(header->xid);
    if (found == m_slotOfXid.end() || m_requests[found->second]->replied ||
        IsReverseCall(*header, m_scratch))
    {
        ++m_statistics.badXids;
        PostReceives(m_window.GetGranted() + 2 * m_backchannelCredits, m_receiveBatch);
        return;
    }
    m_window.OnGrant(header->credit);
    m_credits = m_window.GetGranted();
    PostReceives(m_window.GetGranted() + 2 * m_backchannelCredits, m_receiveBatch);
    HandleReply(*m_requests[found->second], completion);
}

void
RpcRdmaClient::HandleReply(RpcRdmaRequest& request, const WorkCompletion& completion)
{
    ++m_statistics.recvs;
    m_lastUsed = Simulator::Now();
    request.replied = true;
    std::swap(request.reply, m_scratch);
    RpcRecord& record = request.call->record;
    record.replied = Simulator::Now();
    record.replyInlineBytes = completion.length;
    if (completion.withInvalidate)
    {
        const auto invalidated =
            std::find_if(request.registrations.begin(),
                         request.registrations.end(),
                         [&completion](const ChunkRegistrar::Registration& registration) {
                             return registration.segment.handle == completion.invalidatedStag;
                         });
        if (invalidated != request.registrations.end())
        {
            record.remotelyInvalidated = true;
            m_registrar->Release(request.slot, *invalidated);
            request.registrations.erase(invalidated);
        }
    }
    if (!request.registrations.empty())
    {
        Invalidate(request);
    }
    if (request.sendPending)
    {
        ++m_statistics.replyWaitsForSend;
    }
    EndIfDone(request);
}

void
RpcRdmaClient::Invalidate(RpcRdmaRequest& request)
{
    std::vector<SendWorkRequest> chain;
    chain.reserve(request.registrations.size());
    for (const ChunkRegistrar::Registration& registration : request.registrations)
    {
        m_registrar->Invalidate(registration, chain);
        chain.back().id = UNTRACKED_WORK;
    }
    chain.back().signaled = true;
    chain.back().id = request.slot;
    request.invalidationPending = true;
    m_statistics.localInvNeeded += chain.size();
    if (const auto posted = m_endpoint->GetQueuePair()->PostSend(chain); !posted)
    {
        NS_LOG_WARN("chunks cannot be invalidated: " << ToString(posted.error()));
        m_state = State::CLOSING;
        m_cm->Disconnect();
    }
}

void
RpcRdmaClient::EndIfDone(RpcRdmaRequest& request)
{
    if (!request.call || !request.replied || request.invalidationPending || request.sendPending)
    {
        return;
    }
    while (!request.registrations.empty())
    {
        m_registrar->Release(request.slot, request.registrations.back());
        request.registrations.pop_back();
    }
    End(request, DecodeReply(request, *m_device->GetHostMemory(), m_statistics));
}

void
RpcRdmaClient::End(RpcRdmaRequest& request, RpcReceivedMessage&& message)
{
    std::unique_ptr<RpcTransportCall> call = std::move(request.call);
    m_slotOfXid.erase(call->record.xid);
    m_window.OnEnded();
    ReleaseSlot(request);
    if (!m_refresh.IsRunning())
    {
        m_waitingForRegions = false;
    }
    call->record.completed = Simulator::Now();
    Pump();
    call->completed(call->record, std::move(message));
    DisconnectIfIdle();
}

} // namespace ns3::nfsrdma
