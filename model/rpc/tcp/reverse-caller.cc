/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/reverse-caller.h"

#include "rpc/flatten.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcTcpReverseCaller);

TypeId
RpcTcpReverseCaller::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcTcpReverseCaller")
            .SetParent<RpcClientTransport>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcTcpReverseCaller>()
            .AddAttribute("CallTimeout",
                          "Time (Time) from a call's submission to TIMED_OUT; 0: never. Default: "
                          "Linux's for TCP (xs_tcp_default_timeout).",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&RpcTcpReverseCaller::m_timeout),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
RpcTcpReverseCaller::DoDispose()
{
    for (auto& [order, pending] : m_calls)
    {
        pending.timer.Cancel();
    }
    m_calls.clear();
    m_byXid.clear();
    m_memory = nullptr;
    RpcClientTransport::DoDispose();
}

void
RpcTcpReverseCaller::Submit(std::unique_ptr<RpcTransportCall> call)
{
    call->record.handed = Simulator::Now();
    call->record.slot = call->record.handed;
    const uint32_t xid = call->record.xid;
    call->order = m_nextOrder++;
    m_byXid[xid] = call->order;
    Pending& pending = m_calls[call->order];
    pending.call = std::move(call);
    if (!m_timeout.IsZero())
    {
        pending.timer =
            Simulator::Schedule(m_timeout, [self = Ptr<RpcTcpReverseCaller>(this), xid] {
                self->Finish(xid, RpcOutcome::TIMED_OUT, {});
            });
    }
    Send(*pending.call);
}

void
RpcTcpReverseCaller::Send(RpcTransportCall& call)
{
    const auto carrier = m_carrier.lock();
    if (!carrier)
    {
        return;
    }
    if (call.record.transmissions > 0 && call.reencode)
    {
        call.reencode(call);
    }
    const ByteVector message = Flatten(call.call, m_memory);
    call.record.sent = Simulator::Now();
    if (++call.record.transmissions == 1)
    {
        call.record.connected = call.record.sent;
        call.record.credit = call.record.sent;
        call.record.firstSent = call.record.sent;
    }
    call.record.callInlineBytes = message.size() + RpcFragmentHeader::SIZE;
    carrier->Send(message);
}

void
RpcTcpReverseCaller::Attach(uint64_t connection, const std::shared_ptr<RpcRecordCarrier>& carrier)
{
    m_connection = connection;
    m_carrier = carrier;
    for (auto& [order, pending] : m_calls)
    {
        Send(*pending.call);
    }
}

void
RpcTcpReverseCaller::Detach(uint64_t connection)
{
    if (m_connection == connection)
    {
        m_connection = 0;
        m_carrier.reset();
    }
}

void
RpcTcpReverseCaller::HandleReply(uint32_t xid, const ByteVector& record)
{
    const auto found = m_byXid.find(xid);
    if (found == m_byXid.end())
    {
        return;
    }
    RpcRecord& ended = m_calls.at(found->second).call->record;
    ended.replied = Simulator::Now();
    ended.replyInlineBytes = record.size() + RpcFragmentHeader::SIZE;
    RpcReceivedMessage message;
    message.octets = record;
    Finish(xid, RpcOutcome::SUCCESS, std::move(message));
}

bool
RpcTcpReverseCaller::Cancel(uint32_t xid)
{
    if (m_byXid.count(xid) == 0)
    {
        return false;
    }
    Finish(xid, RpcOutcome::CANCELLED, {});
    return true;
}

void
RpcTcpReverseCaller::Finish(uint32_t xid, RpcOutcome outcome, RpcReceivedMessage&& message)
{
    const auto found = m_byXid.find(xid);
    const auto entry = m_calls.find(found->second);
    entry->second.timer.Cancel();
    const std::unique_ptr<RpcTransportCall> call = std::move(entry->second.call);
    m_calls.erase(entry);
    m_byXid.erase(found);
    call->record.outcome = outcome;
    call->record.completed = Simulator::Now();
    call->completed(call->record, std::move(message));
}

std::vector<std::string>
RpcTcpReverseCaller::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [order, pending] : m_calls)
    {
        lines.push_back("XID " + std::to_string(pending.call->record.xid) +
                        " of the server waits for " +
                        (IsAttached() ? "its reply by TCP" : "a connection of the client"));
    }
    return lines;
}

} // namespace ns3::nfsrdma
