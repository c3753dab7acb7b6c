/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/reverse-transport.h"

#include "rpcrdma/client/request.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaSvcRdmaReverseTransport");

NS_OBJECT_ENSURE_REGISTERED(SvcRdmaReverseTransport);

TypeId
SvcRdmaReverseTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::SvcRdmaReverseTransport")
            .SetParent<RpcClientTransport>()
            .SetGroupName("NfsRdma")
            .AddConstructor<SvcRdmaReverseTransport>()
            .AddAttribute("Credits",
                          "Credits asked for in every call, and calls outstanding at most "
                          "(count). Default: RPCRDMA_MAX_BC_REQUESTS of svc_rdma.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&SvcRdmaReverseTransport::m_credits),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("WaitForConnection",
                          "Calls without a connection wait for the client's next one; else they "
                          "end with DISCONNECTED. Default: as nfsd, which queues them again.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SvcRdmaReverseTransport::m_waitForConnection),
                          MakeBooleanChecker())
            .AddAttribute("CallTimeout",
                          "Time (Time) from a call's submission to TIMED_OUT; 0: never. Default: "
                          "xprt_rdma_bc_timeout of svc_rdma.",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&SvcRdmaReverseTransport::m_timeout),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("CallSent",
                            "A call was posted.",
                            MakeTraceSourceAccessor(&SvcRdmaReverseTransport::m_callSentTrace),
                            "ns3::nfsrdma::SvcRdmaReverseTransport::CallSentTracedCallback");
    return tid;
}

void
SvcRdmaReverseTransport::DoDispose()
{
    for (const PendingCall& pending : m_queue)
    {
        pending->timer.Cancel();
    }
    for (const auto& [xid, pending] : m_outstanding)
    {
        pending->timer.Cancel();
    }
    m_queue.clear();
    m_outstanding.clear();
    m_carrier = nullptr;
    RpcClientTransport::DoDispose();
}

void
SvcRdmaReverseTransport::Forget()
{
    Ring<PendingCall> lost;
    lost.swap(m_queue);
    for (auto& [xid, pending] : m_outstanding)
    {
        m_givenUp.insert(xid);
        lost.push_back(std::move(pending));
    }
    m_outstanding.clear();
    for (PendingCall& pending : lost)
    {
        End(std::move(pending), RpcOutcome::CANCELLED, {});
    }
}

void
SvcRdmaReverseTransport::Submit(std::unique_ptr<RpcTransportCall> call)
{
    auto pending = std::make_unique<Pending>();
    const uint32_t xid = call->record.xid;
    pending->call = std::move(call);
    pending->order = m_nextOrder++;
    if (!m_carrier && !m_waitForConnection)
    {
        End(std::move(pending), RpcOutcome::DISCONNECTED, {});
        return;
    }
    if (!m_timeout.IsZero())
    {
        pending->timer =
            Simulator::Schedule(m_timeout, &SvcRdmaReverseTransport::HandleTimeout, this, xid);
    }
    m_queue.push_back(std::move(pending));
    Pump();
}

void
SvcRdmaReverseTransport::Pump()
{
    while (m_carrier && !m_queue.empty() && m_window.MaySend() && m_carrier->HasReverseReceive())
    {
        PendingCall next = std::move(m_queue.front());
        m_queue.pop_front();
        Send(std::move(next));
    }
}

void
SvcRdmaReverseTransport::Send(PendingCall pending)
{
    RpcTransportCall& call = *pending->call;
    const uint32_t xid = call.record.xid;
    if (pending->sent && call.reencode)
    {
        call.reencode(call);
    }
    const uint32_t length = RpcRdmaHeader::MINIMUM_SIZE + call.call.GetLength();
    if (!call.call.items.empty() || length > m_carrier->GetReverseThreshold())
    {
        ++m_statistics.tooLarge;
        End(std::move(pending), RpcOutcome::TRANSPORT_ERROR, {});
        return;
    }
    if (m_outstanding.count(xid) != 0 || m_givenUp.count(xid) != 0)
    {
        NS_LOG_WARN(DescribeXid(xid) << " is in use: its second call fails");
        End(std::move(pending), RpcOutcome::TRANSPORT_ERROR, {});
        return;
    }
    RpcRdmaHeader header;
    header.xid = xid;
    header.credit = m_credits;
    ByteVector message(length);
    ByteWriter writer(message);
    header.Encode(writer);
    std::copy(call.call.octets.begin(),
              call.call.octets.end(),
              message.begin() + RpcRdmaHeader::MINIMUM_SIZE);
    ++m_statistics.sends;
    m_statistics.resends += pending->sent ? 1 : 0;
    pending->sent = true;
    call.record.sent = Simulator::Now();
    call.record.callInlineBytes = length;
    m_window.OnSent();
    m_callSentTrace(call.record);
    m_outstanding.emplace(xid, std::move(pending));
    m_carrier->SendReverse(std::move(message));
}

void
SvcRdmaReverseTransport::Attach(SvcRdmaReverseCarrier& carrier)
{
    if (m_carrier)
    {
        Detach(*m_carrier);
    }
    m_carrier = &carrier;
    m_window = CreditWindow(m_credits);
    ++m_statistics.connections;
    Pump();
}

void
SvcRdmaReverseTransport::Detach(SvcRdmaReverseCarrier& carrier)
{
    if (m_carrier != &carrier)
    {
        return;
    }
    m_carrier = nullptr;
    m_givenUp.clear();
    for (auto& [xid, pending] : m_outstanding)
    {
        m_queue.push_back(std::move(pending));
    }
    m_outstanding.clear();
    std::sort(m_queue.begin(), m_queue.end(), [](const PendingCall& one, const PendingCall& other) {
        return one->order < other->order;
    });
    if (m_waitForConnection)
    {
        return;
    }
    Ring<PendingCall> lost;
    lost.swap(m_queue);
    for (PendingCall& pending : lost)
    {
        End(std::move(pending), RpcOutcome::DISCONNECTED, {});
    }
}

bool
SvcRdmaReverseTransport::Resume()
{
    Pump();
    return !m_carrier || m_queue.empty() || !m_window.MaySend();
}

SvcRdmaReverseTransport::PendingCall
SvcRdmaReverseTransport::Match(const RpcRdmaFixedHeader& header)
{
    PendingCall pending;
    if (m_givenUp.erase(header.xid) == 0)
    {
        const auto found = m_outstanding.find(header.xid);
        if (found == m_outstanding.end())
        {
            ++m_statistics.badXids;
            return nullptr;
        }
        pending = std::move(found->second);
        m_outstanding.erase(found);
    }
    else
    {
        ++m_statistics.badXids;
    }
    m_window.OnEnded();
    m_window.OnGrant(header.credit);
    return pending;
}

bool
SvcRdmaReverseTransport::HandleReply(const RpcRdmaFixedHeader& header, ByteSpan payload)
{
    PendingCall pending = Match(header);
    const bool matched = pending != nullptr;
    if (matched)
    {
        ++m_statistics.replies;
        pending->call->record.replied = Simulator::Now();
        pending->call->record.replyInlineBytes = RpcRdmaHeader::MINIMUM_SIZE + payload.size();
        RpcReceivedMessage message;
        message.octets.assign(payload.data(), payload.data() + payload.size());
        End(std::move(pending), RpcOutcome::SUCCESS, std::move(message));
    }
    Pump();
    return matched;
}

bool
SvcRdmaReverseTransport::HandleError(const RpcRdmaFixedHeader& header)
{
    PendingCall pending = Match(header);
    const bool matched = pending != nullptr;
    if (matched)
    {
        ++m_statistics.errors;
        End(std::move(pending), RpcOutcome::TRANSPORT_ERROR, {});
    }
    Pump();
    return matched;
}

SvcRdmaReverseTransport::PendingCall
SvcRdmaReverseTransport::TakeQueued(uint32_t xid)
{
    const auto queued =
        std::find_if(m_queue.begin(), m_queue.end(), [xid](const PendingCall& pending) {
            return pending->call->record.xid == xid;
        });
    if (queued == m_queue.end())
    {
        return nullptr;
    }
    PendingCall pending = std::move(*queued);
    m_queue.erase(queued);
    return pending;
}

bool
SvcRdmaReverseTransport::Cancel(uint32_t xid)
{
    PendingCall pending = TakeQueued(xid);
    if (const auto found = m_outstanding.find(xid); !pending && found != m_outstanding.end())
    {
        pending = std::move(found->second);
        m_outstanding.erase(found);
        m_givenUp.insert(xid);
    }
    if (!pending)
    {
        return false;
    }
    End(std::move(pending), RpcOutcome::CANCELLED, {});
    return true;
}

void
SvcRdmaReverseTransport::HandleTimeout(uint32_t xid)
{
    PendingCall pending = TakeQueued(xid);
    if (const auto found = m_outstanding.find(xid); !pending && found != m_outstanding.end())
    {
        pending = std::move(found->second);
        m_outstanding.erase(found);
        m_givenUp.insert(xid);
    }
    if (pending)
    {
        ++m_statistics.timedOut;
        End(std::move(pending), RpcOutcome::TIMED_OUT, {});
    }
}

void
SvcRdmaReverseTransport::End(PendingCall pending, RpcOutcome outcome, RpcReceivedMessage&& message)
{
    pending->timer.Cancel();
    RpcRecord& record = pending->call->record;
    record.outcome = outcome;
    record.completed = Simulator::Now();
    pending->call->completed(record, std::move(message));
}

std::vector<std::string>
SvcRdmaReverseTransport::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [xid, pending] : m_outstanding)
    {
        lines.push_back("reverse " + DescribeXid(xid) + ": reply");
    }
    for (const PendingCall& pending : m_queue)
    {
        lines.push_back("reverse " + DescribeXid(pending->call->record.xid) + ": " +
                        (m_carrier ? "credit" : "connection"));
    }
    return lines;
}

} // namespace ns3::nfsrdma
