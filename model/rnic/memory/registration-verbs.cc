/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/registration-verbs.h"

#include "rnic/hardware/device.h"

#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

MemoryVerbs::MemoryVerbs(RnicDevice& device)
    : m_device(device)
{
}

tl::expected<Ptr<MemoryRegion>, VerbsError>
MemoryVerbs::AllocateRegion(Ptr<ProtectionDomain> domain, uint32_t maxPages)
{
    if (maxPages == 0 || maxPages > m_device.GetSettings().maxFastRegisterPages)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_device.GetFaults().TakeRefusedRegion())
    {
        return tl::make_unexpected(VerbsError::TRY_AGAIN);
    }
    auto region = CreateObject<MemoryRegion>();
    region->SetMaxPages(maxPages);
    if (m_table.GetRegions().alive >= m_device.GetSettings().maxMrs ||
        !m_table.Insert(region, domain))
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    return region;
}

tl::expected<Ptr<MemoryRegion>, VerbsError>
MemoryVerbs::RegisterRegion(Ptr<ProtectionDomain> domain, MemoryRegistration registration)
{
    const Ptr<HostMemory> memory = m_device.GetHostMemory();
    if (!registration.HasLegalAccess() || !registration.IsBacked(*memory))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    const bool everything = registration.length == std::numeric_limits<uint64_t>::max();
    auto pins = PinnedPages::Pin(memory, everything ? 0 : registration.CountPages());
    if (!pins || m_device.GetFaults().TakeFailedRegistration())
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto region = CreateObject<MemoryRegion>();
    if (m_table.GetRegions().alive >= m_device.GetSettings().maxMrs ||
        !m_table.Insert(region, domain))
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    registration.key = static_cast<uint8_t>(region->GetStag());
    region->Register(registration, std::move(*pins));
    m_device.Counters().regularRegistrations++;
    m_device.MemoryRegistered(*region);
    return region;
}

tl::expected<void, VerbsError>
MemoryVerbs::Destroy(Ptr<MemoryRegion> region)
{
    if (!region || !m_table.Holds(*region))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (region->GetWindows() != 0)
    {
        return tl::make_unexpected(VerbsError::BUSY);
    }
    if (region->IsRegular())
    {
        m_device.MemoryDeregistered(*region);
    }
    m_table.Remove(*region);
    return {};
}

tl::expected<Ptr<MemoryWindow>, VerbsError>
MemoryVerbs::AllocateWindow(Ptr<ProtectionDomain> domain)
{
    auto window = CreateObject<MemoryWindow>();
    if (m_table.GetWindows().alive >= m_device.GetSettings().maxWindows ||
        !m_table.Insert(window, domain))
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    return window;
}

tl::expected<void, VerbsError>
MemoryVerbs::Destroy(Ptr<MemoryWindow> window)
{
    if (!window || !m_table.Holds(*window))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    m_table.Remove(*window);
    return {};
}

} // namespace ns3::nfsrdma
