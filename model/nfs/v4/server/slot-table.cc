/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/slot-table.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4SlotTable::Nfs4SlotTable(uint32_t slots, uint32_t ceiling)
    : m_count(slots),
      m_target(slots),
      m_ceiling(ceiling)
{
}

uint32_t
Nfs4SlotTable::Reduce(uint32_t slots)
{
    const uint32_t reduced = std::min(slots, std::max(m_target, 1U) - 1);
    m_target -= reduced;
    ++m_generation;
    return reduced;
}

void
Nfs4SlotTable::Acknowledge(uint32_t slot, uint32_t highest)
{
    if (m_target >= GetCount() || highest >= m_target || Get(slot).generation != m_generation)
    {
        return;
    }
    uint32_t kept = GetCount();
    while (kept > m_target && kept > slot + 1 && !Get(kept - 1).inUse)
    {
        --kept;
    }
    m_past.resize(std::max<std::size_t>(m_past.size(), GetCount()));
    for (uint32_t gone = kept; gone < GetCount(); ++gone)
    {
        m_past[gone] = Get(gone).sequence;
    }
    m_slots.resize(std::min<std::size_t>(kept, m_slots.size()));
    m_count = kept;
}

void
Nfs4SlotTable::Grow(uint32_t slot)
{
    constexpr uint32_t SHARE = 5;
    const uint32_t count = GetCount();
    if (slot + 1 != count || m_target < count || count >= m_ceiling)
    {
        return;
    }
    const uint32_t grown = std::min(count + (count + SHARE - 1) / SHARE, m_ceiling);
    const auto again = static_cast<uint32_t>(std::min<std::size_t>(grown, m_past.size()));
    for (uint32_t more = count; more < again; ++more)
    {
        m_slots.resize(more + 1);
        m_slots[more].sequence = m_past[more];
        m_slots[more].isReused = true;
    }
    m_count = grown;
    m_target = grown;
}

Nfs4Status
Nfs4SlotTable::CheckSequence(uint32_t sequence, uint32_t last, bool inUse, bool& replay)
{
    replay = false;
    if (inUse)
    {
        return sequence == last ? Nfs4Status::DELAY : Nfs4Status::SEQ_MISORDERED;
    }
    if (sequence == last + 1)
    {
        return Nfs4Status::OK;
    }
    replay = sequence == last;
    return replay ? Nfs4Status::OK : Nfs4Status::SEQ_MISORDERED;
}

Nfs4SlotTable::Verdict
Nfs4SlotTable::Check(const Request& request) const
{
    if (request.slot >= GetCount())
    {
        return {Nfs4Status::BADSLOT, nullptr};
    }
    const Slot& slot = Get(request.slot);
    if (slot.isReused && request.sequence == 1)
    {
        return {Nfs4Status::OK, nullptr};
    }
    bool replay = false;
    const Nfs4Status status = CheckSequence(request.sequence, slot.sequence, slot.inUse, replay);
    if (!replay)
    {
        return {status, nullptr};
    }
    if (!slot.answered)
    {
        return {Nfs4Status::SEQ_MISORDERED, nullptr};
    }
    const bool fewer = slot.reply.operations < request.operations;
    if (slot.cacheThis != request.cacheThis || slot.principal != request.principal ||
        slot.reply.operations > request.operations ||
        (fewer && slot.reply.status == Nfs4Status::OK))
    {
        return {Nfs4Status::SEQ_FALSE_RETRY, nullptr};
    }
    if (!slot.reply.kept && request.operations == 1)
    {
        return {Nfs4Status::SEQ_FALSE_RETRY, nullptr};
    }
    return {Nfs4Status::OK, &slot.reply};
}

void
Nfs4SlotTable::Begin(const Request& request)
{
    m_slots.resize(std::max<std::size_t>(m_slots.size(), request.slot + 1));
    Slot& slot = m_slots[request.slot];
    slot.sequence = request.sequence;
    slot.inUse = true;
    slot.isReused = false;
    slot.generation = m_generation;
    slot.cacheThis = request.cacheThis;
    slot.solo = request.operations == 1;
    slot.principal = request.principal;
}

void
Nfs4SlotTable::End(uint32_t slot, Nfs4Status status, uint32_t operations, const RpcPayload& results)
{
    Slot& ended = m_slots.at(slot);
    ended.inUse = false;
    ended.answered = true;
    ended.reply.status = status;
    ended.reply.operations = operations;
    ended.reply.kept = ended.cacheThis || ended.solo;
    ended.reply.results = ended.reply.kept ? results : RpcPayload();
}

const Nfs4SlotTable::Slot&
Nfs4SlotTable::Get(uint32_t slot) const
{
    static const Slot UNUSED{};
    return slot < m_slots.size() ? m_slots[slot] : UNUSED;
}

uint32_t
Nfs4SlotTable::GetInUse() const
{
    return static_cast<uint32_t>(
        std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& s) { return s.inUse; }));
}

} // namespace ns3::nfsrdma
