/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/active-connection.h"
#include "rpcrdma/client/reply-decoder.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaConnectionCalls");

namespace
{

uint32_t
LoadWord(ByteSpan message, std::size_t offset)
{
    return boost::endian::load_big_u32(message.data() + offset);
}

/// RFC 8167: a reverse-direction Call carries msg_type 0 right after its XID.
bool
IsReverseCall(const RpcRdmaFixedHeader& header, ByteSpan message)
{
    const uint32_t typeOffset = RpcRdmaHeader::MINIMUM_SIZE + 4;
    return header.proc == static_cast<uint32_t>(RpcRdmaProc::MSG) &&
           message.size() >= typeOffset + 4 &&
           LoadWord(message, RpcRdmaHeader::MINIMUM_SIZE) == header.xid &&
           LoadWord(message, typeOffset) == 0;
}

bool
HasReadList(const RpcRdmaFixedHeader& header, ByteSpan message)
{
    return (header.proc == static_cast<uint32_t>(RpcRdmaProc::MSG) ||
            header.proc == static_cast<uint32_t>(RpcRdmaProc::NOMSG)) &&
           message.size() >= RpcRdmaFixedHeader::SIZE + 4 &&
           LoadWord(message, RpcRdmaFixedHeader::SIZE) != 0;
}

/// \return octets that the reply says were written to \p segment of a Write or Reply chunk.
uint32_t
CountWritten(const RpcRdmaHeader& reply, const RpcRdmaSegment& segment)
{
    const auto find = [&segment](const RpcRdmaWriteChunk& chunk) {
        const auto found =
            std::find_if(chunk.begin(), chunk.end(), [&segment](const RpcRdmaSegment& returned) {
                return returned.handle == segment.handle && returned.offset == segment.offset;
            });
        return found == chunk.end() ? 0 : found->length;
    };
    uint32_t written = reply.chunks.replyChunk ? find(*reply.chunks.replyChunk) : 0;
    for (const RpcRdmaWriteChunk& chunk : reply.chunks.writeList)
    {
        written = std::max(written, find(chunk));
    }
    return written;
}

} // namespace

bool
RpcRdmaConnection::MaySend() const
{
    return m_state == State::ESTABLISHED && !m_waitingForRegions && m_window.MaySend() &&
           (!m_pull || m_pull->GetNotifier().MayCall());
}

bool
RpcRdmaConnection::MaySendProbe() const
{
    return m_state == State::ESTABLISHED && !m_waitingForRegions && m_window.MaySendProbe();
}

bool
RpcRdmaConnection::IsOutstanding(uint32_t xid) const
{
    return m_requests.count(xid) != 0;
}

RpcRdmaConnection::SendResult
RpcRdmaConnection::Send(RpcRdmaRequest& request)
{
    if (m_solo && !m_registrar->GetBroker()->Enter(this, *m_registrar))
    {
        WaitForRegions();
        return SendResult::NO_REGIONS;
    }
    auto chain = m_encoder->Encode(request);
    if (!chain)
    {
        LeaveIfIdle();
        if (chain.error() == RpcRdmaCallEncoder::Failure::NO_REGIONS)
        {
            WaitForRegions();
            return SendResult::NO_REGIONS;
        }
        return SendResult::TOO_LONG;
    }
    m_reclaimed = false;
    m_registrar->GetBroker()->EndTurn(*m_registrar);
    if (m_pull)
    {
        m_pull->GetNotifier().PrepareCall(request, chain->back());
    }
    Post(request, std::move(*chain));
    return m_state == State::ESTABLISHED ? SendResult::SENT : SendResult::REFUSED;
}

void
RpcRdmaConnection::LeaveIfIdle()
{
    if (m_solo && m_requests.empty() && m_fencing.empty())
    {
        m_registrar->GetBroker()->Leave(this);
    }
}

void
RpcRdmaConnection::WaitForRegions()
{
    m_waitingForRegions = true;
    if (m_registrar->GetBroker()->HasTurn(*m_registrar))
    {
        return;
    }
    m_refresh = Simulator::Schedule(m_settings.regionAllocationTime,
                                    &RpcRdmaConnection::RefreshRegions,
                                    this);
}

void
RpcRdmaConnection::RefreshRegions()
{
    using Shortage = ChunkRegistrar::Shortage;
    const Shortage shortage = m_registrar->GetShortage();
    const bool pages = shortage == Shortage::PINNED || shortage == Shortage::PRESSURE;
    if (m_solo || m_registrar->GetBroker()->HasWaiters())
    {
        AwaitTurn();
        return;
    }
    if (pages ? shortage == Shortage::PRESSURE : m_registrar->Grow(m_limits.segments) > 0)
    {
        m_waitingForRegions = false;
    }
    else if (!m_reclaimed && m_registrar->Reclaim())
    {
        m_reclaimed = true;
        m_waitingForRegions = false;
    }
    else if (m_registrar->GetShortage() == Shortage::REFUSED)
    {
        WaitForRegions();
        return;
    }
    else
    {
        AwaitTurn();
        return;
    }
    m_owner.HandleRegions();
}

void
RpcRdmaConnection::AwaitTurn()
{
    RegionBroker::Waiter waiter;
    waiter.owner = this;
    waiter.registrar = m_registrar.get();
    waiter.attempt = [this] {
        m_waitingForRegions = false;
        m_owner.HandleRegions();
        if (!m_waitingForRegions || m_refresh.IsRunning())
        {
            return RegionBroker::Attempt::SERVED;
        }
        return m_registrar->IsShortForNow() ? RegionBroker::Attempt::DELAYED
                                            : RegionBroker::Attempt::SHORT;
    };
    waiter.never = [this] {
        m_waitingForRegions = false;
        m_reclaimed = false;
        m_owner.HandleNoRegions(m_registrar->DescribeShortage());
        m_owner.HandleRegions();
    };
    m_registrar->GetBroker()->Wait(RegionUse::OFFER, std::move(waiter));
}

void
RpcRdmaConnection::ChooseSignaling(std::vector<SendWorkRequest>& chain)
{
    const uint32_t batch = m_settings.slots / SEND_BATCHES;
    const auto count = static_cast<uint32_t>(chain.size());
    SendWorkRequest& send = chain.back();
    if (send.signaled || count > m_sendCount)
    {
        send.signaled = true;
        m_sendCount = std::min(batch, count - m_sendCount);
    }
    else
    {
        m_sendCount -= count;
    }
}

void
RpcRdmaConnection::Post(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain)
{
    const bool mapped = chain.back().signaled; // It takes octets from the program's memory.
    ChooseSignaling(chain);
    for (SendWorkRequest& workRequest : chain)
    {
        workRequest.id = UNTRACKED_WORK;
    }
    chain.back().id = request.slot;
    request.replied = false;
    request.invalidationPending = false;
    request.hostPending = false;
    request.sendPending = true;
    request.sendMapped = mapped;
    request.cancellation = RpcCancellation::NONE;
    m_sendQueue.push_back(&request);
    request.pullPending = false;
    request.pulled.reset();
    RpcRecord& record = request.call->record;
    ++record.transmissions;
    m_requests[record.xid] = &request;
    if (m_requestOfSlot.size() <= request.slot)
    {
        m_requestOfSlot.resize(request.slot + 1);
    }
    m_requestOfSlot[request.slot] = &request;
    m_window.OnSent();
    record.sent = Simulator::Now();
    NoteUse(*request.call);

    if (const auto posted = m_room->Post(std::move(chain)); !posted)
    {
        Disconnect(std::string("the queue pair refuses a call: ") + ToString(posted.error()));
    }
}

void
RpcRdmaConnection::HandleSendCompletion(const WorkCompletion& completion)
{
    m_room->HandleCompletion(completion);
    if (completion.status != WorkCompletionStatus::SUCCESS || completion.id == UNTRACKED_WORK ||
        (m_reverse && m_reverse->HandleCompletion(completion)) ||
        (m_pull && m_pull->HandleCompletion(completion)))
    {
        return;
    }
    RpcRdmaRequest& request = *m_requestOfSlot[completion.id];
    if (completion.opcode == WorkCompletionOpcode::LOCAL_INVALIDATE)
    {
        request.invalidationPending = false;
        EndIfDone(request);
    }
    else
    {
        EndSends(&request);
    }
}

void
RpcRdmaConnection::EndSends(const RpcRdmaRequest* last)
{
    while (!m_sendQueue.empty())
    {
        RpcRdmaRequest& request = *m_sendQueue.front();
        m_sendQueue.pop_front();
        request.sendPending = false;
        m_owner.HandleSendDone(request);
        if (request.cancellation == RpcCancellation::FENCING)
        {
            EndCancelled(request);
        }
        if (&request == last)
        {
            return;
        }
    }
}

void
RpcRdmaConnection::PostReceives()
{
    const uint32_t needed = m_window.GetGranted() + m_reverseReceives;
    if (m_receives->GetPosted() <= needed)
    {
        m_receives->Post(needed - m_receives->GetPosted() + m_settings.receiveBatch);
    }
}

void
RpcRdmaConnection::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    m_receives->Take(completion, m_message);
    m_lastHeard = Simulator::Now();
    HandleMessage(completion);
}

bool
RpcRdmaConnection::IsServedReverseCall(const RpcRdmaFixedHeader& header) const
{
    return RpcRdmaReverseResponder::IsCall(m_message) &&
           (header.proc == static_cast<uint32_t>(RpcRdmaProc::MSG) || !IsTakenForReply(header.xid));
}

bool
RpcRdmaConnection::IsTakenForReply(uint32_t xid) const
{
    return (m_pull && m_pull->IsAgreed()) || IsOutstanding(xid) || m_givenUp.count(xid) != 0;
}

RpcRdmaConnection::MessageKind
RpcRdmaConnection::Classify(const Decoded<RpcRdmaFixedHeader>& header) const
{
    if (!header || header->version != RpcRdmaHeader::VERSION)
    {
        return MessageKind::MALFORMED;
    }
    if (m_reverse ? IsServedReverseCall(*header) : IsReverseCall(*header, m_message))
    {
        return MessageKind::REVERSE_CALL;
    }
    const auto found = m_requests.find(header->xid);
    if (found == m_requests.end() || found->second->replied ||
        found->second->cancellation != RpcCancellation::NONE)
    {
        return MessageKind::UNKNOWN_XID;
    }
    return HasReadList(*header, m_message) ? MessageKind::REPLY_WITH_READ_LIST : MessageKind::REPLY;
}

void
RpcRdmaConnection::HandleMessage(const WorkCompletion& completion)
{
    ByteReader reader(m_message);
    const auto header = RpcRdmaFixedHeader::Decode(reader);
    switch (Classify(header))
    {
    case MessageKind::MALFORMED:
        ++m_statistics.badReply;
        Report(header ? header->xid : 0,
               ReplyVerdict::DISCARD,
               header ? ReplyFault::VERSION : ReplyFault::TOO_SHORT);
        PostReceives();
        return;
    case MessageKind::REVERSE_CALL:
        if (m_reverse)
        {
            PostReceives();
            m_reverse->HandleCall(m_message);
            return;
        }
        [[fallthrough]]; // As Linux without a callback service.
    case MessageKind::UNKNOWN_XID:
        ++m_statistics.badXids;
        Report(header->xid, ReplyVerdict::DISCARD, ReplyFault::UNKNOWN_XID);
        TakeLateGrant(*header);
        PostReceives();
        if (!HandleLateReply(header->xid, completion) && completion.withInvalidate)
        {
            HandleForeignInvalidation(header->xid, ReplyVerdict::DISCARD);
        }
        if (m_pull)
        {
            m_pull->HandleDiscarded(m_message);
        }
        return;
    case MessageKind::REPLY_WITH_READ_LIST: // Without a session BAD_REPLY.
    case MessageKind::REPLY:
        break;
    }
    RpcRdmaRequest& request = *m_requests.at(header->xid);
    request.checked = m_check.Check(m_message, request.header.chunks);
    if (request.checked.fault != ReplyFault::NONE)
    {
        Report(header->xid, request.checked.verdict, request.checked.fault);
    }
    if (request.checked.verdict == ReplyVerdict::DISCARD)
    {
        ++m_statistics.badReply;
        ReleaseInvalidated(request, completion);
        PostReceives();
        if (m_pull)
        {
            m_pull->HandleDiscarded(m_message);
        }
        return;
    }
    if (header->credit == 0)
    {
        Report(header->xid, request.checked.verdict, ReplyFault::NO_CREDITS);
    }
    m_window.OnGrant(header->credit);
    m_owner.HandleGrant(m_window.GetGranted());
    PostReceives();
    HandleReply(request, completion);
}

void
RpcRdmaConnection::Report(uint32_t xid, ReplyVerdict verdict, ReplyFault fault)
{
    NS_LOG_LOGIC(DescribeXid(xid) << ": " << ToString(verdict) << ", " << ToString(fault));
    ++m_statistics.replyFaults.at(static_cast<std::size_t>(fault));
    m_owner.HandleFault(xid, verdict, fault);
}

void
RpcRdmaConnection::HandleForeignInvalidation(uint32_t xid, ReplyVerdict verdict)
{
    Report(xid, verdict, ReplyFault::FOREIGN_STAG);
    if (m_check.GetRules().closeOnForeignStag)
    {
        Disconnect("an STag that the reply had no right to was invalidated (client_reply_rules)");
    }
}

void
RpcRdmaConnection::HandleReply(RpcRdmaRequest& request, const WorkCompletion& completion)
{
    ++m_statistics.recvs;
    NoteUse(*request.call);
    request.replied = true;
    std::swap(request.reply, m_message);
    RpcRecord& record = request.call->record;
    record.replied = Simulator::Now();
    record.replyInlineBytes = completion.length;
    ReleaseInvalidated(request, completion);
    if (!request.registrations.empty())
    {
        RetireChunks(request);
    }
    if (m_pull)
    {
        m_pull->HandleReply(request, [this, &request] { EndIfDone(request); });
    }
    EndIfDone(request);
}

void
RpcRdmaConnection::ReleaseInvalidated(RpcRdmaRequest& request, const WorkCompletion& completion)
{
    if (!completion.withInvalidate)
    {
        return;
    }
    const auto invalidated =
        std::find_if(request.registrations.begin(),
                     request.registrations.end(),
                     [&completion](const ChunkRegistrar::Registration& registration) {
                         return registration.segment.handle == completion.invalidatedStag;
                     });
    if (invalidated == request.registrations.end())
    {
        HandleForeignInvalidation(request.call->record.xid, request.checked.verdict);
        return;
    }
    request.call->record.remotelyInvalidated = true;
    m_registrar->GiveUp(request.slot, *invalidated);
    request.registrations.erase(invalidated);
}

void
RpcRdmaConnection::RetireChunks(RpcRdmaRequest& request)
{
    std::vector<SendWorkRequest> chain;
    for (ChunkRegistrar::Registration& registration : request.registrations)
    {
        const uint32_t written =
            request.checked.header && request.cancellation == RpcCancellation::NONE
                ? CountWritten(*request.checked.header, registration.segment)
                : 0;
        m_registrar->Retire(registration, written, chain);
    }
    PostInvalidations(request, std::move(chain));
}

void
RpcRdmaConnection::PostInvalidations(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain)
{
    if (!m_registrar->IsReady())
    {
        request.hostPending = true;
        m_registrar->Await([this, &request] {
            request.hostPending = false;
            EndIfDone(request);
        });
    }
    if (chain.empty())
    {
        return;
    }
    for (SendWorkRequest& invalidation : chain)
    {
        invalidation.id = UNTRACKED_WORK;
    }
    chain.back().signaled = true;
    chain.back().id = request.slot;
    request.invalidationPending = true;
    m_statistics.localInvNeeded += chain.size();
    if (const auto posted = m_room->Post(std::move(chain)); !posted)
    {
        Disconnect(std::string("chunks cannot be invalidated: ") + ToString(posted.error()));
    }
}

void
RpcRdmaConnection::EndIfDone(RpcRdmaRequest& request)
{
    if (request.cancellation != RpcCancellation::NONE)
    {
        EndCancelled(request);
        return;
    }
    if (!request.replied || request.invalidationPending || request.hostPending)
    {
        return;
    }
    if (request.pullPending)
    {
        ReleaseRegions(request); // Its Read chunk may be in need of them.
        return;
    }
    ReleaseRegions(request);
    RpcReceivedMessage message = DecodeReply(request, *m_device->GetHostMemory(), m_statistics);
    const RpcRecord& record = request.call->record;
    if (record.outcome == RpcOutcome::SUCCESS)
    {
        m_replyMechanism.Observe({record.program, record.procedure, request.call->reply.kind},
                                 message.octets.size());
    }
    m_requests.erase(record.xid);
    LeaveIfIdle();
    EndCredit(record.sent);
    if (m_pull)
    {
        m_pull->GetNotifier().Pump();
    }
    m_owner.HandleReply(request, std::move(message));
}

void
RpcRdmaConnection::NoteUse(const RpcTransportCall& call)
{
    const bool isProbe = call.order == 0;
    if (!isProbe)
    {
        m_lastUsed = Simulator::Now();
    }
}

void
RpcRdmaConnection::EndCredit(Time sent)
{
    m_window.OnEnded();
    m_owner.HandleCreditEnd(Simulator::Now() - sent);
}

void
RpcRdmaConnection::ReleaseRegions(RpcRdmaRequest& request)
{
    while (!request.registrations.empty())
    {
        m_registrar->GiveUp(request.slot, request.registrations.back());
        request.registrations.pop_back();
        m_reclaimed = false;
    }
    if (!m_refresh.IsRunning() && !m_registrar->GetBroker()->IsWaiting(this))
    {
        m_waitingForRegions = false;
    }
}

} // namespace ns3::nfsrdma
