/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/connection-watch.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaConnectionWatch");

RpcRdmaConnectionWatch::RpcRdmaConnectionWatch(const Settings& settings, Subject subject)
    : m_settings(settings),
      m_subject(std::move(subject))
{
}

void
RpcRdmaConnectionWatch::Start()
{
    m_due = false;
    m_probes = 0;
    if (!m_settings.idleTimeout.IsZero())
    {
        m_idleCheck = Simulator::Schedule(m_settings.idleTimeout, [this] { CheckIdle(); });
    }
    if (!m_settings.probePeriod.IsZero())
    {
        m_healthCheck = Simulator::Schedule(m_settings.probePeriod, [this] { CheckHealth(); });
    }
}

void
RpcRdmaConnectionWatch::Stop()
{
    m_idleCheck.Remove();
    m_healthCheck.Remove();
}

void
RpcRdmaConnectionWatch::Reset()
{
    m_probes = 0;
    Stop();
}

void
RpcRdmaConnectionWatch::CheckIdle()
{
    const Time unused = Simulator::Now() - m_subject.lastUsed();
    const bool idle = m_subject.isIdle();
    if (idle && unused >= m_settings.idleTimeout)
    {
        m_subject.drop("no calls for client_idle_timeout");
        return;
    }
    const Time left = idle ? m_settings.idleTimeout - unused : m_settings.idleTimeout;
    m_idleCheck = Simulator::Schedule(left, [this] { CheckIdle(); });
}

void
RpcRdmaConnectionWatch::CheckHealth()
{
    const Time silent = Simulator::Now() - m_subject.lastHeard();
    Time next = m_settings.probePeriod;
    if (silent < m_settings.probePeriod)
    {
        m_due = false;
        next -= silent;
    }
    else if (m_due)
    {
        NS_LOG_LOGIC("a health probe has had no answer: the connection is dropped");
        m_subject.drop("no answer to a probe in client_probe_period");
        return;
    }
    else
    {
        m_due = true;
        m_probes += m_subject.probe() ? 1 : 0;
    }
    m_healthCheck = Simulator::Schedule(next, [this] { CheckHealth(); });
}

} // namespace ns3::nfsrdma
