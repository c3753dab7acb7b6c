/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/stag-table.h"

#include "rnic/protection-domain.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma
{

DdpError
ToDdpError(StagFault fault)
{
    switch (fault)
    {
    case StagFault::NOT_ASSOCIATED:
        return DdpError::TAGGED_NOT_ASSOCIATED;
    case StagFault::WRAP:
        return DdpError::TAGGED_WRAP;
    case StagFault::BOUNDS:
        return DdpError::TAGGED_BOUNDS;
    case StagFault::UNKNOWN:
    case StagFault::NOT_VALID:
    case StagFault::ACCESS:
        break;
    }
    return DdpError::TAGGED_INVALID_STAG;
}

RdmapError
ToRdmapError(StagFault fault)
{
    switch (fault)
    {
    case StagFault::NOT_ASSOCIATED:
        return RdmapError::PROTECTION_NOT_ASSOCIATED;
    case StagFault::ACCESS:
        return RdmapError::PROTECTION_ACCESS;
    case StagFault::WRAP:
        return RdmapError::PROTECTION_WRAP;
    case StagFault::BOUNDS:
        return RdmapError::PROTECTION_BOUNDS;
    case StagFault::UNKNOWN:
    case StagFault::NOT_VALID:
        break;
    }
    return RdmapError::PROTECTION_INVALID_STAG;
}

void
StagTable::SetFirstIndex(uint32_t firstIndex)
{
    NS_ABORT_MSG_UNLESS(m_regions.empty(), "the STag table is in use");
    m_firstIndex = firstIndex;
}

std::optional<uint32_t>
StagTable::Insert(Ptr<MemoryRegion> region)
{
    const bool exhausted = m_regions.size() > MAX_INDEX - m_firstIndex;
    if (exhausted ? !m_freed.empty() : m_freed.size() > REUSE_DISTANCE)
    {
        const uint32_t slot = m_freed.front();
        m_freed.pop_front();
        m_regions[slot] = region;
        m_count++;
        return m_firstIndex + slot;
    }
    if (exhausted)
    {
        return std::nullopt;
    }
    m_regions.push_back(region);
    m_count++;
    return m_firstIndex + m_regions.size() - 1;
}

void
StagTable::Remove(uint32_t index)
{
    const uint32_t slot = index - m_firstIndex;
    m_regions[slot] = nullptr;
    m_freed.push_back(slot);
    m_count--;
}

void
StagTable::Clear()
{
    for (Ptr<MemoryRegion>& region : m_regions)
    {
        if (region)
        {
            region->Dispose();
            region = nullptr;
        }
    }
    m_regions.clear();
    m_freed.clear();
    m_count = 0;
}

MemoryRegion*
StagTable::Find(Stag stag) const
{
    const uint32_t slot = (stag >> 8) - m_firstIndex;
    return slot < m_regions.size() ? PeekPointer(m_regions[slot]) : nullptr;
}

tl::expected<MemoryRegion*, StagFault>
StagTable::Check(Stag stag,
                 const ProtectionDomain& domain,
                 uint32_t access,
                 uint64_t offset,
                 uint64_t length) const
{
    MemoryRegion* region = Find(stag);
    if (region == nullptr || region->GetStag() != stag)
    {
        return tl::unexpected(StagFault::UNKNOWN);
    }
    if (!region->IsValid())
    {
        return tl::unexpected(StagFault::NOT_VALID);
    }
    if (PeekPointer(region->GetProtectionDomain()) != &domain)
    {
        return tl::unexpected(StagFault::NOT_ASSOCIATED);
    }
    if ((region->GetRegistration().access & access) != access)
    {
        return tl::unexpected(StagFault::ACCESS);
    }
    if (length > std::numeric_limits<uint64_t>::max() - offset)
    {
        return tl::unexpected(StagFault::WRAP);
    }
    if (!region->Covers(offset, length))
    {
        return tl::unexpected(StagFault::BOUNDS);
    }
    return region;
}

tl::expected<MemoryRegion*, StagFault>
StagTable::CheckInvalidation(Stag stag, const ProtectionDomain& domain) const
{
    MemoryRegion* region = Find(stag);
    if (region == nullptr)
    {
        return tl::unexpected(StagFault::UNKNOWN);
    }
    if (region->IsValid() && region->GetStag() != stag)
    {
        return tl::unexpected(StagFault::UNKNOWN);
    }
    if (PeekPointer(region->GetProtectionDomain()) != &domain)
    {
        return tl::unexpected(StagFault::NOT_ASSOCIATED);
    }
    return region;
}

uint32_t
StagTable::GetCount() const
{
    return m_count;
}

uint32_t
StagTable::GetValidCount() const
{
    return std::count_if(m_regions.begin(), m_regions.end(), [](const auto& region) {
        return region && region->IsValid();
    });
}

} // namespace ns3::nfsrdma
