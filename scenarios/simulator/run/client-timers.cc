/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/client-timers.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

ClientTimers::ClientTimers(std::string host, Time attempt, const Ptr<RpcRdmaClient>& transport)
    : m_host(std::move(host)),
      m_attemptLimit(attempt),
      m_transport(transport),
      m_isConnected([transport] { return transport->IsConnected(); }),
      m_keys{"rpcrdma.client_timeout, client_soft",
             "tcp.connect_timeout, tcp.connect_attempts, rnic.mpa_reply_timeout",
             "rpcrdma.client_retry_delay"}
{
    Listen();
}

ClientTimers::ClientTimers(std::string host, Time attempt, const Ptr<RpcTcpClient>& transport)
    : m_host(std::move(host)),
      m_attemptLimit(attempt),
      m_transport(transport),
      m_isConnected([transport] { return transport->IsConnected(); }),
      m_keys{"nfs.tcp_timeout", "tcp.connect_timeout, tcp.connect_attempts", "nfs.tcp_retry_delay"}
{
    Listen();
}

void
ClientTimers::Listen()
{
    m_transport->TraceConnectWithoutContext("CallSent",
                                            MakeCallback(&ClientTimers::TakeSent, this));
    m_transport->TraceConnectWithoutContext("Retry", MakeCallback(&ClientTimers::TakeRetry, this));
}

ClientTimers::~ClientTimers()
{
    m_transport->TraceDisconnectWithoutContext("CallSent",
                                               MakeCallback(&ClientTimers::TakeSent, this));
    m_transport->TraceDisconnectWithoutContext("Retry",
                                               MakeCallback(&ClientTimers::TakeRetry, this));
}

void
ClientTimers::TakeSent(const RpcRecord& /* record */)
{
    m_lastSent = Simulator::Now();
}

void
ClientTimers::TakeRetry(Time delay)
{
    m_nextAttempt = Simulator::Now() + delay;
}

void
ClientTimers::AddPending(std::vector<PendingTimer>& pending) const
{
    if (m_transport->GetPending() == 0)
    {
        return;
    }
    const Time now = Simulator::Now();
    TimeValue timeout;
    BooleanValue soft;
    m_transport->GetAttribute("Timeout", timeout);
    m_transport->GetAttribute("Soft", soft);
    const auto add = [this, &pending](Time time, const char* what, const char* keys, bool again) {
        std::ostringstream text;
        text << m_host << ": " << what << " (" << keys << ")";
        pending.push_back({time, text.str(), again});
    };
    if (soft.Get() && !timeout.Get().IsZero())
    {
        // Each ends in the end, with TIMED_OUT at the latest.
        add(Max(now, m_lastSent + timeout.Get()), "calls without reply end", m_keys.timeout, false);
    }
    if (!m_isConnected())
    {
        const bool tries = m_nextAttempt <= now;
        add(Max(now, m_nextAttempt + (tries ? m_attemptLimit : Time(0))),
            tries ? "an attempt to connect ends" : "connects again",
            tries ? m_keys.attempt : m_keys.retryDelay,
            true);
    }
    else if (!timeout.Get().IsZero())
    {
        add(m_lastSent + timeout.Get(),
            "calls without reply are sent again on a new connection",
            m_keys.timeout,
            true);
    }
}

} // namespace ns3::nfsrdma
