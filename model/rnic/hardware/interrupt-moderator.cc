/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/interrupt-moderator.h"

namespace ns3::nfsrdma
{

void
InterruptModerator::SetModeration(uint32_t count, Time period)
{
    m_count = count;
    m_period = period;
}

void
InterruptModerator::Arm(NotifyKind kind)
{
    if (m_armed != NotifyKind::NEXT)
    {
        m_armed = kind;
    }
}

InterruptModerator::Action
InterruptModerator::Write(bool solicited)
{
    if (!m_armed || (m_armed == NotifyKind::SOLICITED && !solicited))
    {
        return Action::NONE;
    }
    m_held++;
    if (m_held >= m_count || m_period.IsZero())
    {
        Expire();
        return Action::INTERRUPT;
    }
    return m_held == 1 ? Action::START_TIMER : Action::NONE;
}

void
InterruptModerator::Expire()
{
    m_armed.reset();
    m_held = 0;
}

} // namespace ns3::nfsrdma
