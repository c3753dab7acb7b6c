/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/slot-table.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4SlotTable::Nfs4SlotTable(uint32_t slots)
    : m_slots(slots)
{
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
    if (request.slot >= m_slots.size())
    {
        return {Nfs4Status::BADSLOT, nullptr};
    }
    const Slot& slot = m_slots[request.slot];
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
    Slot& slot = m_slots.at(request.slot);
    slot.sequence = request.sequence;
    slot.inUse = true;
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

uint32_t
Nfs4SlotTable::GetInUse() const
{
    return static_cast<uint32_t>(
        std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& s) { return s.inUse; }));
}

} // namespace ns3::nfsrdma
