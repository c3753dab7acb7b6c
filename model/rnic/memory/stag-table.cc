/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/stag-table.h"

#include "rnic/memory/protection-domain.h"

#include "ns3/abort.h"

#include <limits>

namespace ns3::nfsrdma
{

void
StagTable::SetFirstIndex(uint32_t firstIndex)
{
    NS_ABORT_MSG_UNLESS(m_slots.empty(), "the STag table is in use");
    m_firstIndex = firstIndex;
}

void
StagTable::Scatter(const StagIndexPermutation& permutation)
{
    NS_ABORT_MSG_UNLESS(m_slots.empty(), "the STag table is in use");
    m_permutation = permutation;
}

uint32_t
StagTable::GetPosition(uint32_t index) const
{
    if (m_permutation && index != 0)
    {
        return m_permutation->GetPosition(index);
    }
    return index - m_firstIndex;
}

bool
StagTable::Insert(Ptr<TaggedBuffer> buffer,
                  Ptr<ProtectionDomain> domain,
                  TaggedBufferCount& count,
                  bool stepKey)
{
    const bool exhausted = m_slots.size() > MAX_INDEX - (m_permutation ? 1 : m_firstIndex);
    uint32_t position = m_slots.size();
    if (exhausted ? !m_freed.empty() : m_freed.size() > REUSE_DISTANCE)
    {
        position = m_freed.front();
        m_freed.pop_front();
    }
    else if (exhausted)
    {
        return false;
    }
    else
    {
        m_slots.emplace_back();
    }
    Slot& slot = m_slots[position];
    slot.buffer = buffer;
    slot.key = stepKey ? slot.key + 1 : 0;
    buffer->Enter(GetIndex(position), slot.key, domain, count);
    return true;
}

void
StagTable::Remove(TaggedBuffer& buffer)
{
    const uint32_t position = GetPosition(buffer.GetIndex());
    Slot& slot = m_slots[position];
    slot.key = static_cast<uint8_t>(buffer.GetStag());
    const Ptr<TaggedBuffer> removed = slot.buffer;
    slot.buffer = nullptr;
    m_freed.push_back(position);
    removed->Dispose();
}

void
StagTable::Clear()
{
    for (Slot& slot : m_slots)
    {
        if (slot.buffer)
        {
            slot.buffer->Dispose();
            slot.buffer = nullptr;
        }
    }
    m_slots.clear();
    m_freed.clear();
}

void
StagTable::InvalidateAll()
{
    for (const bool windows : {true, false})
    {
        for (const Slot& slot : m_slots)
        {
            const bool isWindow = DynamicCast<MemoryWindow>(slot.buffer) != nullptr;
            if (slot.buffer && isWindow == windows && slot.buffer->IsValid())
            {
                slot.buffer->Invalidate();
            }
        }
    }
}

TaggedBuffer*
StagTable::Find(Stag stag) const
{
    const uint32_t position = GetPosition(stag >> 8);
    return position < m_slots.size() ? PeekPointer(m_slots[position].buffer) : nullptr;
}

tl::expected<TaggedAccess, StagFault>
StagTable::Check(Stag stag, const StagUser& user, uint32_t access, uint64_t offset, uint64_t length)
    const
{
    TaggedBuffer* buffer = Find(stag);
    if (buffer == nullptr || buffer->GetStag() != stag)
    {
        return tl::unexpected(StagFault::UNKNOWN);
    }
    if (!buffer->IsValid())
    {
        return tl::unexpected(StagFault::NOT_VALID);
    }
    if (!buffer->IsAssociated(user))
    {
        return tl::unexpected(StagFault::NOT_ASSOCIATED);
    }
    if ((buffer->GetAccess() & access) != access)
    {
        return tl::unexpected(StagFault::ACCESS);
    }
    if (length > std::numeric_limits<uint64_t>::max() - offset)
    {
        return tl::unexpected(StagFault::WRAP);
    }
    if (!buffer->Covers(offset, length))
    {
        return tl::unexpected(StagFault::BOUNDS);
    }
    const TaggedLocation location = buffer->Locate(offset);
    if (location.region == nullptr)
    {
        return tl::unexpected(StagFault::NOT_VALID);
    }
    return TaggedAccess{buffer, location.region, location.offset};
}

tl::expected<TaggedAccess, StagFault>
StagTable::CheckLocal(Stag stag,
                      const ProtectionDomain& domain,
                      uint32_t access,
                      uint64_t offset,
                      uint64_t length) const
{
    const auto checked = Check(stag, {domain, 0}, access, offset, length);
    if (checked && checked->buffer != checked->region)
    {
        return tl::unexpected(StagFault::UNKNOWN);
    }
    return checked;
}

tl::expected<TaggedBuffer*, StagFault>
StagTable::CheckInvalidation(Stag stag, const StagUser& user) const
{
    TaggedBuffer* buffer = Find(stag);
    if (buffer == nullptr || (buffer->IsValid() && buffer->GetStag() != stag))
    {
        return tl::unexpected(StagFault::UNKNOWN);
    }
    if (!buffer->IsAssociated(user))
    {
        return tl::unexpected(StagFault::NOT_ASSOCIATED);
    }
    if (const auto allowed = buffer->CheckInvalidation(); !allowed)
    {
        return tl::unexpected(allowed.error());
    }
    return buffer;
}

} // namespace ns3::nfsrdma
