/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/caching.h"

#include <algorithm>

namespace ns3::nfsrdma
{

CachingRegistrar::CachingRegistrar(Ptr<RnicDevice> device,
                                   Ptr<ProtectionDomain> domain,
                                   const RegistrationSettings& settings)
    : ChunkRegistrar(device, domain, settings),
      m_capacity(settings.cacheCapacity)
{
}

CachingRegistrar::~CachingRegistrar()
{
    for (const auto& [number, entry] : m_entries)
    {
        DestroyRegion(entry.region);
    }
}

uint32_t
CachingRegistrar::Grow(uint32_t count)
{
    return MayTryAgain() ? count : 0;
}

std::optional<uint32_t>
CachingRegistrar::Find(uint64_t address, uint32_t length) const
{
    const uint64_t longest = uint64_t{GetMaxPages()} * HostMemory::PAGE_SIZE;
    auto next = m_byAddress.upper_bound(address);
    while (next != m_byAddress.begin())
    {
        --next;
        const uint64_t before = address - next->first;
        if (before >= longest)
        {
            break;
        }
        if (before + length <= m_entries.at(next->second).region->GetLength())
        {
            return next->second;
        }
    }
    return std::nullopt;
}

std::optional<uint32_t>
CachingRegistrar::Make(uint64_t address, uint32_t length)
{
    if (m_entries.size() >= m_capacity && !Evict())
    {
        SetShortage(Shortage::REGIONS);
        return std::nullopt;
    }
    const uint32_t access = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE;
    Ptr<MemoryRegion> region = MakeRegion(address, length, access, address);
    while (!region && IsShortOfPages() && Evict())
    {
        region = MakeRegion(address, length, access, address);
    }
    if (!region)
    {
        return std::nullopt;
    }
    const uint32_t number = m_next++;
    m_entries[number] = {region, address, 0, false, m_unused.insert(m_unused.end(), number)};
    m_byAddress.emplace(address, number);
    return number;
}

bool
CachingRegistrar::Evict()
{
    if (m_unused.empty())
    {
        return false;
    }
    ++Count().evictions;
    Remove(m_unused.front());
    return true;
}

void
CachingRegistrar::Hide(uint32_t number)
{
    const auto named = m_byAddress.equal_range(m_entries.at(number).address);
    const auto place = std::find_if(named.first, named.second, [number](const auto& candidate) {
        return candidate.second == number;
    });
    if (place != named.second)
    {
        m_byAddress.erase(place);
    }
}

void
CachingRegistrar::Remove(uint32_t number)
{
    Hide(number);
    const auto found = m_entries.find(number);
    if (found->second.users == 0)
    {
        m_unused.erase(found->second.unused);
    }
    DestroyRegion(found->second.region);
    m_entries.erase(found);
}

std::optional<ChunkRegistrar::Registration>
CachingRegistrar::Register(const Piece& piece, Chain& /*chain*/)
{
    const auto& [slot, address, length, access, iova] = piece;
    auto number = Find(address, length);
    Registration registration;
    registration.made = !number;
    if (number)
    {
        ++Count().hits;
    }
    else
    {
        number = Make(address, length);
        if (!number)
        {
            return std::nullopt;
        }
        ++Count().misses;
    }
    Entry& entry = m_entries.at(*number);
    if (entry.users++ == 0)
    {
        m_unused.erase(entry.unused);
    }
    registration.number = *number;
    registration.segment = {entry.region->GetStag(), length, address};
    registration.address = address;
    registration.access = access;
    return registration;
}

void
CachingRegistrar::Retire(Registration& /*registration*/, uint32_t /*octets*/, Chain& /*chain*/)
{
    ++Count().leftValid;
}

void
CachingRegistrar::Fence(Registration& registration, Chain& /*chain*/)
{
    Entry& entry = m_entries.at(registration.number);
    entry.fenced = true;
    if (entry.users > 1)
    {
        Hide(registration.number);
        return;
    }
    Remove(registration.number);
}

void
CachingRegistrar::Release(uint32_t /*slot*/, const Registration& registration)
{
    const auto found = m_entries.find(registration.number);
    if (found == m_entries.end() || --found->second.users > 0)
    {
        return;
    }
    Entry& entry = found->second;
    entry.unused = m_unused.insert(m_unused.end(), registration.number);
    if (entry.fenced)
    {
        Remove(registration.number);
    }
}

} // namespace ns3::nfsrdma
