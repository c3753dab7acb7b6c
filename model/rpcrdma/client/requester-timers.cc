/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/message.h"
#include "rpcrdma/client/requester.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClientTimers");

RpcTimeout
RpcRdmaClient::GetTimeout() const
{
    return {m_timeout, m_retries, m_soft};
}

void
RpcRdmaClient::WatchTimeouts(Time delay)
{
    if (m_open && !m_timeout.IsZero() && !m_timeoutCheck.IsRunning())
    {
        m_timeoutCheck = Simulator::Schedule(delay, &RpcRdmaClient::CheckTimeouts, this);
    }
}

void
RpcRdmaClient::CheckTimeouts()
{
    const RpcTimeout timeout = GetTimeout();
    const Time now = Simulator::Now();
    Time next = now + m_timeout;
    bool drop = false;
    if (m_connection)
    {
        m_connection->ForEachCall([&](RpcTransportCall& call) {
            if (call.order == 0)
            {
                return;
            }
            const Time deadline = RpcTimeout::GetDeadline(call.times, call.record.sent);
            if (deadline > now)
            {
                next = std::min(next, deadline);
                return;
            }
            drop = true;
            m_timedOutTrace(call.record);
            call.times.over = timeout.Expire(call.times, now) && timeout.soft;
        });
        const Time owed = m_connection->GetOldestOwed();
        drop = drop || (owed != Time::Max() && owed + timeout.GetMaximum() <= now);
    }
    std::vector<std::unique_ptr<RpcTransportCall>> over;
    for (auto& call : m_queue)
    {
        const bool major = call->times.major <= now && timeout.Expire(call->times, now);
        if (major && timeout.soft)
        {
            over.insert(over.begin(), std::move(call));
            continue;
        }
        next = std::min(next, timeout.soft ? call->times.major : Time::Max());
    }
    m_queue.erase(std::remove(m_queue.begin(), m_queue.end(), nullptr), m_queue.end());
    if (drop)
    {
        NS_LOG_LOGIC("no reply in time: the connection is dropped");
        m_connection->Drop("no reply in client_timeout");
    }
    if (GetPending() > 0)
    {
        m_timeoutCheck = Simulator::Schedule(next - now, &RpcRdmaClient::CheckTimeouts, this);
    }
    EndAll(std::move(over), RpcOutcome::TIMED_OUT);
    DisconnectIfIdle();
}

void
RpcRdmaClient::CheckIdle()
{
    const Time idle = Simulator::Now() - m_connection->GetLastUsed();
    if (GetPending() == 0 && idle >= m_idleTimeout)
    {
        m_connection->Drop("no calls for client_idle_timeout");
        return;
    }
    const Time left = GetPending() == 0 ? m_idleTimeout - idle : m_idleTimeout;
    m_idleCheck = Simulator::Schedule(left, &RpcRdmaClient::CheckIdle, this);
}

void
RpcRdmaClient::CheckHealth()
{
    const Time silent = Simulator::Now() - m_connection->GetLastHeard();
    if (silent < m_probePeriod)
    {
        m_probePending = false;
        m_healthCheck =
            Simulator::Schedule(m_probePeriod - silent, &RpcRdmaClient::CheckHealth, this);
        return;
    }
    if (m_probePending)
    {
        NS_LOG_LOGIC("a health probe has had no answer: the connection is dropped");
        m_connection->Drop("no answer to a probe in client_probe_period");
        return;
    }
    m_probePending = true;
    SendProbe();
    m_healthCheck = Simulator::Schedule(m_probePeriod, &RpcRdmaClient::CheckHealth, this);
}

void
RpcRdmaClient::SendProbe()
{
    if (!m_connection->MaySendProbe() || m_program == 0)
    {
        return;
    }
    auto call = std::make_unique<RpcTransportCall>();
    RpcCallHeader header;
    header.xid = TakeXid();
    header.program = m_program;
    header.version = m_version;
    XdrWriter writer;
    header.Encode(writer);
    call->call.octets = writer.Take();
    call->reply.head = RpcReplyHeader::ACCEPTED_SIZE;
    call->record.xid = header.xid;
    call->record.program = m_program;
    call->record.version = m_version;
    call->record.submitted = Simulator::Now();
    call->completed = [](RpcRecord&, RpcReceivedMessage&&) {};
    RpcRdmaRequest& request = TakeSlot();
    request.call = std::move(call);
    const auto result = m_connection->Send(request);
    if (result == RpcRdmaConnection::SendResult::NO_REGIONS ||
        result == RpcRdmaConnection::SendResult::TOO_LONG)
    {
        request.call = nullptr;
        ReleaseSlot(request);
        return;
    }
    ++m_probes;
    CountSend(request.call->record);
}

} // namespace ns3::nfsrdma
