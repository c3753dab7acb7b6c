/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester.h"
#include "rpcrdma/connection-end.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
RpcRdmaClient::Connect()
{
    if (!m_open)
    {
        Open();
    }
    m_disconnectWhenIdle = false;
    if (!m_connection && !m_attempt.IsRunning())
    {
        StartConnection();
    }
}

void
RpcRdmaClient::Open()
{
    NS_ABORT_MSG_UNLESS(m_device, "RpcRdmaClient has no device");
    MakePolicies();
    m_open = true;
    if (!m_queue.empty())
    {
        WatchTimeouts(m_timeout);
    }
}

void
RpcRdmaClient::StartConnection()
{
    m_connectStart = Simulator::Now();
    m_wasEstablished = false;
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
        m_connection = nullptr;
        m_nextAttempt =
            m_backoff.OnFailure({m_retryDelay, m_reconnectDelay, m_reconnectDelayMaximum},
                                false,
                                m_connectStart,
                                Simulator::Now());
        m_open = m_reconnect;
        NoteEnd(DescribeMissingObjects(*m_device));
        m_disconnectedTrace(CmEventType::CONNECT_ERROR);
        ConnectIfNeeded();
    }
}

void
RpcRdmaClient::ConnectIfNeeded()
{
    if (!m_open || m_connection || m_queue.empty() || m_attempt.IsRunning())
    {
        return;
    }
    const Time delay = std::max(m_nextAttempt - Simulator::Now(), Time(0));
    m_retryTrace(delay);
    m_attempt = Simulator::Schedule(delay, [this] {
        if (m_open && !m_connection && !m_queue.empty())
        {
            StartConnection();
        }
    });
}

void
RpcRdmaClient::Disconnect()
{
    m_disconnectWhenIdle = true;
    DisconnectIfIdle();
}

void
RpcRdmaClient::RenegotiateIfIdle()
{
    if (m_renegotiates && m_connection && m_connection->GetRequestCount() == 0)
    {
        m_renegotiates = false;
        m_connection->Drop("another inline threshold is to be agreed on");
    }
}

void
RpcRdmaClient::DisconnectIfIdle()
{
    RenegotiateIfIdle();
    if (!m_disconnectWhenIdle || GetPending() != 0)
    {
        return;
    }
    if (!m_connection)
    {
        Close();
    }
    else if (IsConnected())
    {
        Close();
        m_connection->Disconnect("the client needs it no longer");
    }
}

void
RpcRdmaClient::Close()
{
    m_open = false;
    m_disconnectWhenIdle = false;
    RemoveTimers();
}

void
RpcRdmaClient::RemoveTimers()
{
    for (EventId* timer : {&m_attempt, &m_timeoutCheck, &m_idleCheck, &m_healthCheck})
    {
        timer->Remove();
    }
}

void
RpcRdmaClient::HandleEstablished()
{
    m_limits = m_connection->GetInlineLimits();
    m_wasEstablished = true;
    m_backoff.OnConnected();
    m_nextAttempt = Simulator::Now();
    m_probePending = false;
    m_probes = 0;
    ++m_statistics.connectCount;
    m_statistics.connectTime +=
        static_cast<uint64_t>((Simulator::Now() - m_connectStart).ToInteger(Time::S));
    if (!m_idleTimeout.IsZero())
    {
        m_idleCheck = Simulator::Schedule(m_idleTimeout, &RpcRdmaClient::CheckIdle, this);
    }
    if (!m_probePeriod.IsZero())
    {
        m_healthCheck = Simulator::Schedule(m_probePeriod, &RpcRdmaClient::CheckHealth, this);
    }
    m_connectedTrace(m_limits.send, m_limits.receive);
    Pump();
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleEnd(CmEventType reason)
{
    const Ptr<RpcRdmaConnection> ended = m_connection;
    m_connection = nullptr;
    m_renegotiates = false;
    m_probes = 0;
    m_idleCheck.Remove();
    m_healthCheck.Remove();
    if (!m_wasEstablished)
    {
        m_nextAttempt =
            m_backoff.OnFailure({m_retryDelay, m_reconnectDelay, m_reconnectDelayMaximum},
                                true,
                                m_connectStart,
                                Simulator::Now());
    }
    m_open = m_open && m_reconnect;
    if (!m_open)
    {
        m_disconnectWhenIdle = false;
        m_timeoutCheck.Remove();
    }
    NoteEnd(ended->GetEndReason());
    m_disconnectedTrace(reason);
    TakeBack(ended->TakeRequests());
    DisconnectIfIdle();
    ConnectIfNeeded();
}

void
RpcRdmaClient::NoteEnd(const std::string& reason)
{
    ++m_ends[reason];
    m_endedTrace(reason);
}

const std::map<std::string, uint64_t>&
RpcRdmaClient::GetEnds() const
{
    return m_ends;
}

void
RpcRdmaClient::TakeBack(const std::vector<RpcRdmaRequest*>& requests)
{
    std::vector<std::unique_ptr<RpcTransportCall>> sent;
    std::vector<std::unique_ptr<RpcTransportCall>> cancelled;
    std::vector<std::unique_ptr<RpcTransportCall>> timedOut;
    std::vector<RpcRdmaRequest*> inOrder(requests);
    std::sort(inOrder.begin(),
              inOrder.end(),
              [](const RpcRdmaRequest* one, const RpcRdmaRequest* other) {
                  return one->call->order > other->call->order;
              });
    for (RpcRdmaRequest* request : inOrder)
    {
        const RpcCancellation cancellation = request->cancellation;
        std::unique_ptr<RpcTransportCall> call = std::move(request->call);
        ReleaseSlot(*request);
        if (cancellation == RpcCancellation::FENCING)
        {
            cancelled.push_back(std::move(call));
        }
        else if (cancellation != RpcCancellation::NONE || call->order == 0)
        {
            continue;
        }
        else if (call->times.over)
        {
            timedOut.push_back(std::move(call));
        }
        else
        {
            sent.push_back(std::move(call));
        }
    }
    if (m_open)
    {
        for (auto& call : sent)
        {
            m_queue.push_front(std::move(call));
        }
        sent.clear();
    }
    EndAll(std::move(timedOut), RpcOutcome::TIMED_OUT);
    EndAll(std::move(cancelled), RpcOutcome::CANCELLED);
    EndAll(std::move(sent), RpcOutcome::DISCONNECTED);
}

void
RpcRdmaClient::EndAll(std::vector<std::unique_ptr<RpcTransportCall>>&& calls, RpcOutcome outcome)
{
    while (!calls.empty())
    {
        const std::unique_ptr<RpcTransportCall> call = std::move(calls.back());
        calls.pop_back();
        call->record.outcome = outcome;
        End(*call, {});
    }
}

} // namespace ns3::nfsrdma
