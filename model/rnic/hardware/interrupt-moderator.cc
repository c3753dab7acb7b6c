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
    if (!Heeds(solicited))
    {
        return Action::NONE;
    }
    const bool isHeldBack = HoldsBack();
    m_held++;
    if (!isHeldBack)
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
