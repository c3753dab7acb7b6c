/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/chunk-registrar.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaChunkRegistrar");

namespace
{

constexpr uint32_t KEYS = 256;
constexpr Stag KEY_MASK = KEYS - 1;

} // namespace

ChunkRegistrar::ChunkRegistrar(Ptr<RnicDevice> device,
                               Ptr<ProtectionDomain> domain,
                               uint32_t maxPages,
                               std::unique_ptr<RegistrationPolicy> policy)
    : m_device(device),
      m_domain(domain),
      m_maxPages(std::clamp(maxPages, 1U, device->GetMaxFastRegisterPages())),
      m_policy(std::move(policy))
{
}

ChunkRegistrar::~ChunkRegistrar()
{
    for (const Region& entry : m_regions)
    {
        if (!entry.region)
        {
            continue;
        }
        if (const auto result = m_device->Destroy(entry.region); !result)
        {
            NS_LOG_WARN("a region is still in use: " << ToString(result.error()));
        }
    }
}

Ptr<MemoryRegion>
ChunkRegistrar::Allocate()
{
    auto region = m_device->AllocateMemoryRegion(m_domain, m_maxPages);
    if (!region)
    {
        NS_LOG_LOGIC("no memory region: " << ToString(region.error()));
        m_shortage =
            region.error() == VerbsError::TRY_AGAIN ? Shortage::REFUSED : Shortage::REGIONS;
        return nullptr;
    }
    ++m_allocated;
    return *region;
}

void
ChunkRegistrar::SetMapCost(Ptr<HostThread> thread, Time mapCost)
{
    m_thread = thread;
    m_mapCost = mapCost;
}

void
ChunkRegistrar::ChargeMapping(uint32_t count)
{
    if (m_thread)
    {
        m_device->GetHostCpu()->Run(*m_thread, count * m_mapCost);
    }
}

uint32_t
ChunkRegistrar::Grow(uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        Ptr<MemoryRegion> region = Allocate();
        if (!region)
        {
            return i;
        }
        m_policy->Add(m_regions.size());
        m_regions.push_back({region, 0});
    }
    return count;
}

bool
ChunkRegistrar::Reclaim()
{
    return m_policy->Reclaim();
}

uint32_t
ChunkRegistrar::GetExtent(uint64_t address, uint32_t length) const
{
    const uint64_t room =
        uint64_t{m_maxPages} * HostMemory::PAGE_SIZE - address % HostMemory::PAGE_SIZE;
    return static_cast<uint32_t>(std::min<uint64_t>(length, room));
}

std::optional<ChunkRegistrar::Registration>
ChunkRegistrar::Register(uint32_t slot,
                         uint64_t address,
                         uint32_t length,
                         uint32_t access,
                         uint32_t iova,
                         std::vector<SendWorkRequest>& chain)
{
    if (!CanPin(chain, address, length))
    {
        m_shortage =
            m_device->GetHostMemory()->IsUnderPressure() ? Shortage::PRESSURE : Shortage::PINNED;
        return std::nullopt;
    }
    const auto index = m_policy->Take(slot);
    if (!index)
    {
        m_shortage = Shortage::REGIONS;
        return std::nullopt;
    }
    ChargeMapping(1);
    Region& entry = m_regions[*index];
    ++entry.registrations;
    const Stag previous = entry.region->GetStag();
    const uint8_t key = m_device->ChooseStagKey(static_cast<uint8_t>(previous & KEY_MASK));

    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::REGISTER_MR;
    request.signaled = false;
    request.region = entry.region;
    request.registration.key = key;
    request.registration.address = address;
    request.registration.length = length;
    request.registration.iova = uint64_t{iova} << 32 | (address & UINT32_MAX);
    request.registration.access = access;

    Registration registration;
    registration.region = *index;
    registration.segment = {(previous & ~KEY_MASK) | key, length, request.registration.iova};
    chain.push_back(std::move(request));
    return registration;
}

bool
ChunkRegistrar::CanPin(const std::vector<SendWorkRequest>& chain,
                       uint64_t address,
                       uint32_t length) const
{
    constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;
    uint64_t pages = (address % PAGE + length + PAGE - 1) / PAGE;
    for (const SendWorkRequest& request : chain)
    {
        if (request.opcode == WorkRequestOpcode::REGISTER_MR)
        {
            pages += request.registration.CountPages();
        }
    }
    return m_device->GetHostMemory()->CanPin(pages);
}

ChunkRegistrar::Shortage
ChunkRegistrar::GetShortage() const
{
    return m_shortage;
}

void
ChunkRegistrar::Invalidate(const Registration& registration,
                           std::vector<SendWorkRequest>& chain) const
{
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::LOCAL_INVALIDATE;
    request.signaled = false;
    request.invalidateStag = registration.segment.handle;
    chain.push_back(std::move(request));
}

void
ChunkRegistrar::Release(uint32_t slot, const Registration& registration)
{
    const bool keysUsedUp = m_device->GetStagKeys() != RnicDefences::FIXED &&
                            m_regions[registration.region].registrations >= KEYS;
    if (keysUsedUp)
    {
        Replace(registration.region);
    }
    if (m_regions[registration.region].region)
    {
        m_policy->Return(slot, registration.region);
    }
}

void
ChunkRegistrar::Replace(uint32_t index)
{
    if (const auto result = m_device->Destroy(m_regions[index].region); !result)
    {
        NS_LOG_WARN("a region is still in use: " << ToString(result.error()));
    }
    m_regions[index] = {Allocate(), 0};
}

uint64_t
ChunkRegistrar::GetAllocated() const
{
    return m_allocated;
}

} // namespace ns3::nfsrdma
