/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/stall-watchdog.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t CHECKS_PER_LIMIT = 8;

} // namespace

StallWatchdog::StallWatchdog(Time limit, uint64_t connections, Probe probe)
    : m_limit(limit),
      m_maxConnections(connections),
      m_probe(std::move(probe))
{
}

StallWatchdog::~StallWatchdog()
{
    Stop();
}

void
StallWatchdog::Start()
{
    m_lastCompletion = Simulator::Now();
    m_lastProgress = m_lastCompletion;
    m_check = Simulator::Schedule(std::max(m_limit / CHECKS_PER_LIMIT, NanoSeconds(1)),
                                  &StallWatchdog::Check,
                                  this);
}

void
StallWatchdog::Progress(bool further)
{
    m_lastCompletion = Simulator::Now();
    m_lastProgress = further ? m_lastCompletion : m_lastProgress;
    m_connections = 0;
}

void
StallWatchdog::Connected()
{
    ++m_connections;
    if (m_check.IsRunning() && m_connections == m_maxConnections && m_probe.hasWork())
    {
        EndRun();
    }
}

void
StallWatchdog::EndRun()
{
    m_stalled = true;
    m_check.Cancel();
    Simulator::Stop();
}

void
StallWatchdog::Stop()
{
    m_check.Cancel();
}

void
StallWatchdog::Check()
{
    const bool nothingLeft = Simulator::IsFinished();
    if (!m_probe.hasWork())
    {
        return;
    }
    const Time now = Simulator::Now();
    if (!m_probe.isWaiting())
    {
        m_lastCompletion = now;
    }
    if (!m_probe.isAsked())
    {
        m_lastProgress = now;
    }
    if (nothingLeft || now - m_lastCompletion >= m_limit ||
        (now - m_lastProgress) / PUT_OFF_LIMITS >= m_limit)
    {
        EndRun();
        return;
    }
    m_check = Simulator::Schedule(std::max(m_limit / CHECKS_PER_LIMIT, NanoSeconds(1)),
                                  &StallWatchdog::Check,
                                  this);
}

bool
StallWatchdog::HasStalled() const
{
    return m_stalled;
}

Time
StallWatchdog::GetLastProgress() const
{
    return m_lastProgress;
}

} // namespace ns3::nfsrdma
