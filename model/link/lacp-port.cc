/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/lacp-port.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

using Info = LacpPortInfo;

// Seconds, section 5.4.4.
constexpr double FAST_PERIOD = 1;
constexpr double SLOW_PERIOD = 30;
constexpr double SHORT_TIMEOUT = 3;
constexpr double LONG_TIMEOUT = 90;
constexpr double AGGREGATE_WAIT = 2;
constexpr std::size_t MOST_IN_FAST_PERIOD = 3;
constexpr uint8_t HEARD = Info::ACTIVITY | Info::TIMEOUT | Info::AGGREGATION | Info::SYNC;

/// What is taken for the partner when none is heard: one that makes an individual port work.
Info
MakeDefaultPartner()
{
    Info partner;
    partner.state = Info::SYNC | Info::COLLECTING | Info::DISTRIBUTING;
    return partner;
}

} // namespace

LacpPort::LacpPort(const LacpPortInfo& actor)
    : m_actor(actor)
{
    RecordDefault();
    m_partner.Set(Info::SYNC, false);
}

void
LacpPort::SetEnabled(bool enabled, Time now)
{
    if (enabled == IsEnabled())
    {
        return;
    }
    if (enabled)
    {
        Expire(now);
    }
    else
    {
        m_receive = ReceiveState::PORT_DISABLED;
        m_currentUntil = Time::Max();
        m_partner.Set(Info::SYNC, false);
        m_actor.Set(Info::EXPIRED, false);
        m_selected = false;
    }
    Advance(now);
    m_needToTransmit = m_needToTransmit && enabled;
}

void
LacpPort::Expire(Time now)
{
    m_receive = ReceiveState::EXPIRED;
    m_partner.Set(Info::SYNC, false);
    m_partner.Set(Info::TIMEOUT, true);
    m_actor.Set(Info::EXPIRED, true);
    m_currentUntil = now + Seconds(SHORT_TIMEOUT);
}

void
LacpPort::RecordDefault()
{
    m_partner = MakeDefaultPartner();
    m_actor.Set(Info::DEFAULTED, true);
}

void
LacpPort::UpdateSelected(const LacpPortInfo& partner)
{
    m_selected = m_selected && m_partner.IsLike(partner, Info::AGGREGATION);
}

void
LacpPort::Receive(const Lacpdu& pdu, Time now)
{
    if (!IsEnabled())
    {
        return;
    }
    UpdateSelected(pdu.actor);
    m_needToTransmit = m_needToTransmit || !pdu.partner.IsLike(m_actor, HEARD);
    RecordPdu(pdu);
    m_receive = ReceiveState::CURRENT;
    m_actor.Set(Info::EXPIRED, false);
    m_currentUntil = now + Seconds(m_actor.Has(Info::TIMEOUT) ? SHORT_TIMEOUT : LONG_TIMEOUT);
    Advance(now);
}

void
LacpPort::RecordPdu(const Lacpdu& pdu)
{
    const bool knowsUs = pdu.partner.IsLike(m_actor, Info::AGGREGATION);
    const bool isKeptAlive = pdu.actor.Has(Info::ACTIVITY) || m_actor.Has(Info::ACTIVITY);
    m_partner = pdu.actor;
    m_partner.Set(Info::SYNC,
                  pdu.actor.Has(Info::SYNC) && isKeptAlive &&
                      (knowsUs || !pdu.actor.Has(Info::AGGREGATION)));
    m_actor.Set(Info::DEFAULTED, false);
}

void
LacpPort::Advance(Time now)
{
    if (m_currentUntil <= now)
    {
        if (m_receive == ReceiveState::CURRENT)
        {
            Expire(now);
        }
        else
        {
            m_receive = ReceiveState::DEFAULTED;
            m_currentUntil = Time::Max();
            UpdateSelected(MakeDefaultPartner());
            RecordDefault();
            m_actor.Set(Info::EXPIRED, false);
        }
    }
    RunMux(now);
    RunPeriodic(now);
}

void
LacpPort::RunPeriodic(Time now)
{
    const auto wanted =
        !IsEnabled() || (!m_actor.Has(Info::ACTIVITY) && !m_partner.Has(Info::ACTIVITY))
            ? PeriodicState::NO_PERIODIC
        : m_partner.Has(Info::TIMEOUT) ? PeriodicState::FAST
                                       : PeriodicState::SLOW;
    const bool isDue = m_periodicAt <= now;
    if (wanted == m_periodic && !isDue)
    {
        return;
    }
    m_needToTransmit = m_needToTransmit || isDue ||
                       (m_periodic == PeriodicState::SLOW && wanted == PeriodicState::FAST);
    m_periodic = wanted;
    m_periodicAt = wanted == PeriodicState::NO_PERIODIC ? Time::Max()
                   : wanted == PeriodicState::FAST      ? now + Seconds(FAST_PERIOD)
                                                        : now + Seconds(SLOW_PERIOD);
}

void
LacpPort::RunMux(Time now)
{
    while (StepMux(now))
    {
    }
}

bool
LacpPort::StepMux(Time now)
{
    const bool isInSync = m_selected && m_partner.Has(Info::SYNC);
    switch (m_mux)
    {
    case MuxState::DETACHED:
        m_selected = IsEnabled();
        return m_selected && EnterMux(MuxState::WAITING, now);
    case MuxState::WAITING:
        if (!m_selected)
        {
            return EnterMux(MuxState::DETACHED, now);
        }
        return m_waitUntil <= now && EnterMux(MuxState::ATTACHED, now);
    case MuxState::ATTACHED:
        if (!m_selected)
        {
            return EnterMux(MuxState::DETACHED, now);
        }
        return isInSync && EnterMux(MuxState::COLLECTING, now);
    case MuxState::COLLECTING:
        if (!isInSync)
        {
            return EnterMux(MuxState::ATTACHED, now);
        }
        return m_partner.Has(Info::COLLECTING) && EnterMux(MuxState::DISTRIBUTING, now);
    case MuxState::DISTRIBUTING:
        return (!isInSync || !m_partner.Has(Info::COLLECTING)) &&
               EnterMux(MuxState::COLLECTING, now);
    }
    return false;
}

bool
LacpPort::EnterMux(MuxState state, Time now)
{
    m_needToTransmit =
        m_needToTransmit || (state != MuxState::WAITING && state != MuxState::DISTRIBUTING);
    m_mux = state;
    m_waitUntil = state == MuxState::WAITING ? now + Seconds(AGGREGATE_WAIT) : Time::Max();
    m_actor.Set(Info::SYNC, state >= MuxState::ATTACHED);
    m_actor.Set(Info::COLLECTING, state >= MuxState::COLLECTING);
    m_actor.Set(Info::DISTRIBUTING, state == MuxState::DISTRIBUTING);
    return true;
}

std::optional<Lacpdu>
LacpPort::TakePdu(Time now)
{
    if (GetNextPdu() > now)
    {
        return std::nullopt;
    }
    m_needToTransmit = false;
    if (m_sent.size() == MOST_IN_FAST_PERIOD)
    {
        m_sent.pop_front();
    }
    m_sent.push_back(now);
    Lacpdu pdu;
    pdu.actor = m_actor;
    pdu.partner = m_partner;
    return pdu;
}

Time
LacpPort::GetNextPdu() const
{
    if (!m_needToTransmit || m_periodic == PeriodicState::NO_PERIODIC)
    {
        return Time::Max();
    }
    return m_sent.size() < MOST_IN_FAST_PERIOD ? Time::Min()
                                               : m_sent.front() + Seconds(FAST_PERIOD);
}

Time
LacpPort::GetNext() const
{
    return std::min({m_currentUntil, m_periodicAt, m_waitUntil, GetNextPdu()});
}

} // namespace ns3::nfsrdma
