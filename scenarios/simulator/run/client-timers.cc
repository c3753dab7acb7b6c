/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/client-timers.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

ClientTimers::ClientTimers(std::string host, Time attempt, const Ptr<RpcRdmaClient>& transport)
    : m_host(std::move(host)),
      m_attemptLimit(attempt),
      m_transport(transport)
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
    if (soft.Get() && !timeout.Get().IsZero())
    {
        // Each ends in the end, with TIMED_OUT at the latest.
        pending.push_back({Max(now, m_lastSent + timeout.Get()),
                           m_host + ": calls without reply end (rpcrdma.client_timeout, "
                                    "client_soft)",
                           false});
    }
    if (!m_transport->IsConnected())
    {
        const bool tries = m_nextAttempt <= now;
        pending.push_back({Max(now, m_nextAttempt + (tries ? m_attemptLimit : Time(0))),
                           m_host + (tries ? ": an attempt to connect ends (tcp.connect_timeout, "
                                             "tcp.connect_attempts, rnic.mpa_reply_timeout)"
                                           : ": connects again (rpcrdma.client_retry_delay)"),
                           true});
    }
    else if (!timeout.Get().IsZero())
    {
        pending.push_back({m_lastSent + timeout.Get(),
                           m_host + ": calls without reply are sent again on a new connection "
                                    "(rpcrdma.client_timeout)",
                           true});
    }
}

} // namespace ns3::nfsrdma
