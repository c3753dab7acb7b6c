/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/session-slots.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// Half of the difference, rounded away from zero, as Linux's nfs41_derivative_target_slotid.
int32_t
HalfDifference(int32_t a, int32_t b)
{
    const int32_t difference = a - b;
    if (difference == 0)
    {
        return 0;
    }
    return difference < 0 ? (difference - 2) / 2 : (difference + 1) / 2;
}

bool
SameSignOrZero(int32_t a, int32_t b)
{
    return a == 0 || b == 0 || (a < 0) == (b < 0);
}

} // namespace

void
Nfs4ClientSlotTable::Reset(uint32_t slots)
{
    NS_ASSERT_MSG(m_used == 0, "slots are in use");
    const uint32_t count = std::clamp(slots, 1U, MAXIMUM);
    m_slots.assign(count, Slot());
    m_limit = count;
    m_target = count - 1;
    m_serverHighest = count - 1;
    m_targetDifference = 0;
    m_targetSecondDifference = 0;
    ++m_generation;
    m_lost = 0;
}

std::optional<Nfs4SlotUse>
Nfs4ClientSlotTable::Allocate()
{
    for (uint32_t i = 0; i < m_limit; ++i)
    {
        if (i == m_slots.size())
        {
            m_slots.emplace_back();
        }
        Slot& slot = m_slots[i];
        if (slot.used || slot.lost)
        {
            continue;
        }
        slot.used = true;
        slot.generation = m_generation;
        m_highestUsed = m_used == 0 ? i : std::max(m_highestUsed, i);
        ++m_used;
        return Reuse(i);
    }
    return std::nullopt;
}

Nfs4SlotVerdict
Nfs4ClientSlotTable::Finish(uint32_t number, const Nfs4SlotReply& reply, bool probe)
{
    Slot& slot = m_slots.at(number);
    if (!reply.status)
    {
        slot.highestSent = slot.sequence;
        slot.done = true;
        return Nfs4SlotVerdict::DONE;
    }
    switch (*reply.status)
    {
    case Nfs4Status::OK:
        slot.highestSent = slot.sequence;
        slot.lastAcknowledged = slot.sequence;
        slot.done = true;
        TakeTargets(slot, reply);
        return Nfs4SlotVerdict::DONE;
    case Nfs4Status::DELAY:
        slot.highestSent = slot.sequence;
        slot.lastAcknowledged = slot.sequence;
        return Nfs4SlotVerdict::RETRY_LATER;
    case Nfs4Status::RETRY_UNCACHED_REP:
    case Nfs4Status::SEQ_FALSE_RETRY:
        slot.highestSent = slot.sequence;
        slot.lastAcknowledged = slot.sequence;
        ++slot.sequence;
        return probe ? Nfs4SlotVerdict::DONE : Nfs4SlotVerdict::RETRY;
    case Nfs4Status::BADSLOT:
        return number < m_target ? Nfs4SlotVerdict::RECOVER : Nfs4SlotVerdict::RETRY;
    case Nfs4Status::SEQ_MISORDERED:
        return FinishMisordered(slot, probe);
    case Nfs4Status::BADSESSION:
    case Nfs4Status::DEADSESSION:
    case Nfs4Status::CONN_NOT_BOUND_TO_SESSION:
        return Nfs4SlotVerdict::RECOVER;
    default:
        slot.done = true;
        return Nfs4SlotVerdict::DONE;
    }
}

Nfs4SlotVerdict
Nfs4ClientSlotTable::FinishMisordered(Slot& slot, bool probe)
{
    slot.highestSent = std::max(slot.highestSent, slot.sequence);
    if (slot.sequence - slot.lastAcknowledged > 1)
    {
        --slot.sequence;
        return Nfs4SlotVerdict::PROBE;
    }
    if (probe)
    {
        slot.lost = true;
        ++m_lost;
        return Nfs4SlotVerdict::LOST;
    }
    slot.sequence = slot.highestSent;
    return Nfs4SlotVerdict::RETRY_LATER;
}

bool
Nfs4ClientSlotTable::Release(uint32_t number)
{
    Slot& slot = m_slots.at(number);
    NS_ASSERT_MSG(slot.used, "slot " << number << " is free");
    if (slot.done)
    {
        ++slot.sequence;
        slot.done = false;
    }
    const bool above = m_highestUsed > m_target;
    slot.used = false;
    --m_used;
    FindHighestUsed();
    return above && m_used == 0;
}

void
Nfs4ClientSlotTable::FindHighestUsed()
{
    m_highestUsed = std::min<uint32_t>(m_highestUsed, m_slots.size() - 1);
    while (m_highestUsed > 0 && !m_slots[m_highestUsed].used)
    {
        --m_highestUsed;
    }
}

bool
Nfs4ClientSlotTable::IsOutlier(uint32_t target)
{
    const int32_t difference =
        HalfDifference(static_cast<int32_t>(target), static_cast<int32_t>(m_target));
    const int32_t second = HalfDifference(difference, m_targetDifference);
    const bool outlier = !SameSignOrZero(difference, m_targetDifference) &&
                         !SameSignOrZero(second, m_targetSecondDifference);
    m_targetDifference = difference;
    m_targetSecondDifference = second;
    return outlier;
}

void
Nfs4ClientSlotTable::TakeTargets(const Slot& slot, const Nfs4SlotReply& reply)
{
    const uint32_t target = std::min(reply.targetHighest, MAXIMUM - 1);
    const uint32_t highest = std::min(reply.highest, MAXIMUM - 1);
    const uint32_t generation = slot.generation;
    if (!IsOutlier(target) && target != m_target)
    {
        m_target = target;
        ++m_generation;
    }
    if (generation == m_generation && highest != m_serverHighest && m_highestUsed <= highest)
    {
        // Slots the server has given up start anew if ever it has them again.
        if (m_slots.size() > highest + 1)
        {
            m_slots.resize(highest + 1);
        }
        m_serverHighest = highest;
    }
    m_limit = target + 1;
}

void
Nfs4ClientSlotTable::SetTarget(uint32_t highest)
{
    m_target = std::min(highest, MAXIMUM - 1);
    m_targetDifference = 0;
    m_targetSecondDifference = 0;
    ++m_generation;
    m_limit = m_target + 1;
}

} // namespace ns3::nfsrdma
