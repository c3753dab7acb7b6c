/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/stall-watchdog.h"

#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t CHECKS_PER_LIMIT = 8;

} // namespace

std::string
ToString(const PendingTimer& timer)
{
    std::ostringstream text;
    text << "at " << std::fixed << std::setprecision(6)
         << static_cast<double>(timer.at.GetNanoSeconds()) / 1e9 << " s " << timer.what;
    return text.str();
}

StallWatchdog::StallWatchdog(const Limits& limits, Probe probe)
    : m_limits(limits),
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
    m_check = Simulator::Schedule(std::max(m_limits.idle / CHECKS_PER_LIMIT, NanoSeconds(1)),
                                  &StallWatchdog::Check,
                                  this);
}

void
StallWatchdog::Progress(bool further)
{
    m_lastCompletion = Simulator::Now();
    m_connections = 0;
    m_replaced = 0;
    if (further)
    {
        m_lastProgress = m_lastCompletion;
        m_retries = 0;
        m_waitsUntil = Time(0);
        m_putOff = 0;
        return;
    }
    if (++m_putOff >= PUT_OFF_RPCS && IsPending(m_check) && m_probe.hasWork())
    {
        EndRun(std::to_string(m_putOff) + " RPCs in a row got no operation further");
    }
}

void
StallWatchdog::Displaced()
{
    ++m_displaced;
}

void
StallWatchdog::Connected()
{
    if (m_displaced > 0)
    {
        --m_displaced;
        const uint64_t most = DISPLACED_LIMITS * m_limits.connections;
        if (++m_replaced == most && IsPending(m_check) && m_probe.hasWork())
        {
            EndRun(std::to_string(m_replaced) +
                   " connections were closed for newcomers and made anew without an RPC that ended "
                   "(10 times cluster.stall_connections for each client)");
        }
        return;
    }
    ++m_connections;
    if (IsPending(m_check) && m_connections == m_limits.connections && m_probe.hasWork())
    {
        EndRun(std::to_string(m_connections) +
               " connections were made and lost without an RPC that ended "
               "(cluster.stall_connections for each client)");
    }
}

std::vector<PendingTimer>
StallWatchdog::FindPending() const
{
    std::vector<PendingTimer> pending;
    if (m_probe.pending)
    {
        pending = m_probe.pending();
    }
    const Time now = Simulator::Now();
    pending.erase(std::remove_if(pending.begin(),
                                 pending.end(),
                                 [now](const auto& timer) { return timer.at < now; }),
                  pending.end());
    std::stable_sort(pending.begin(), pending.end(), [](const auto& one, const auto& other) {
        return one.at < other.at;
    });
    return pending;
}

bool
StallWatchdog::WaitForTimer()
{
    Time once;
    Time repeated;
    bool repeats = false;
    for (const auto& timer : FindPending())
    {
        (timer.repeats ? repeated : once) = timer.at;
        repeats = repeats || timer.repeats;
    }
    if (once > m_waitsUntil)
    {
        m_waitsUntil = once;
        m_retries = 0; // What was tried in vain until then may succeed.
        return true;
    }
    if (!repeats || m_retries == m_limits.retries)
    {
        return false;
    }
    ++m_retries;
    m_waitsUntil = repeated;
    return true;
}

void
StallWatchdog::EndRun(std::string reason)
{
    m_stalled = true;
    m_reason = std::move(reason);
    m_pending = FindPending();
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
    if (const uint64_t octets = m_probe.octets ? m_probe.octets() : 0; octets != m_octets)
    {
        m_octets = octets;
        m_lastCompletion = now;
    }
    if (nothingLeft)
    {
        EndRun("no event is left");
        return;
    }
    const bool idle = now - Max(m_lastCompletion, m_waitsUntil) >= m_limits.idle;
    const bool putOff = (now - Max(m_lastProgress, m_waitsUntil)) / PUT_OFF_LIMITS >= m_limits.idle;
    if ((idle || putOff) && !WaitForTimer())
    {
        EndRun(idle ? "nothing has happened for cluster.stall_limit, after " +
                          std::to_string(m_retries) +
                          " timers that come again were waited for (cluster.stall_retries)"
                    : "RPCs were only put off for " + std::to_string(PUT_OFF_LIMITS) +
                          " times cluster.stall_limit");
        return;
    }
    m_check = Simulator::Schedule(std::max(m_limits.idle / CHECKS_PER_LIMIT, NanoSeconds(1)),
                                  &StallWatchdog::Check,
                                  this);
}

bool
StallWatchdog::HasStalled() const
{
    return m_stalled;
}

const std::string&
StallWatchdog::GetReason() const
{
    return m_reason;
}

const std::vector<PendingTimer>&
StallWatchdog::GetPending() const
{
    return m_pending;
}

Time
StallWatchdog::GetLastProgress() const
{
    return m_lastProgress;
}

} // namespace ns3::nfsrdma
