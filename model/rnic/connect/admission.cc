/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/admission.h"

#include "mpa/internet-address.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ConnectionAdmission::ConnectionAdmission(const AdmissionLimits& limits)
    : m_limits(limits),
      m_interval(limits.rate == 0 ? Time(0) : Seconds(1) / static_cast<int64_t>(limits.rate))
{
}

Address
ConnectionAdmission::GetHost(const Address& endPoint)
{
    const auto end = ReadSocketAddress(endPoint);
    return end ? ToHostAddress(end->address) : endPoint;
}

AdmissionVerdict
ConnectionAdmission::Judge(const Peer& peer, Time now) const
{
    if (now < peer.ignoredUntil)
    {
        return AdmissionVerdict::IGNORED;
    }
    if (m_limits.startups != 0 && peer.startups >= m_limits.startups)
    {
        return AdmissionVerdict::TOO_MANY_STARTUPS;
    }
    if (m_limits.connections != 0 && peer.connections >= m_limits.connections)
    {
        return AdmissionVerdict::TOO_MANY_CONNECTIONS;
    }
    const Time room = m_interval * static_cast<int64_t>(m_limits.burst - 1);
    if (m_limits.rate != 0 && peer.bucketFull > now + room)
    {
        return AdmissionVerdict::TOO_OFTEN;
    }
    return AdmissionVerdict::ADMIT;
}

AdmissionVerdict
ConnectionAdmission::Admit(const Address& peer, Time now)
{
    if (m_peers.size() >= m_forgetAt)
    {
        Forget(now);
    }
    Peer& entry = m_peers[peer];
    const AdmissionVerdict verdict = Judge(entry, now);
    if (verdict == AdmissionVerdict::ADMIT)
    {
        ++entry.startups;
        ++entry.connections;
        entry.bucketFull = std::max(entry.bucketFull, now) + m_interval;
    }
    return verdict;
}

void
ConnectionAdmission::End(const Address& peer, Time now)
{
    Peer& entry = m_peers.at(peer);
    --entry.connections;
    if (IsQuiet(entry, now))
    {
        m_peers.erase(peer);
    }
}

void
ConnectionAdmission::CountFault(const Address& peer, Time now)
{
    if (m_limits.faults == 0)
    {
        return;
    }
    Peer& entry = m_peers[peer];
    if (now > entry.lastFault + m_limits.ignoreTime)
    {
        entry.faults = 0;
    }
    ++entry.faults;
    entry.lastFault = now;
    if (entry.faults >= m_limits.faults)
    {
        entry.faults = 0;
        entry.ignoredUntil = now + m_limits.ignoreTime;
    }
}

bool
ConnectionAdmission::IsQuiet(const Peer& peer, Time now) const
{
    return peer.connections == 0 && peer.bucketFull <= now && peer.ignoredUntil <= now &&
           (peer.faults == 0 || now > peer.lastFault + m_limits.ignoreTime);
}

void
ConnectionAdmission::Forget(Time now)
{
    for (auto peer = m_peers.begin(); peer != m_peers.end();)
    {
        peer = IsQuiet(peer->second, now) ? m_peers.erase(peer) : std::next(peer);
    }
    m_forgetAt = std::max<std::size_t>(2 * m_peers.size(), m_forgetAt);
}

} // namespace ns3::nfsrdma
