/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/regular.h"

namespace ns3::nfsrdma
{

RegularRegistrar::RegularRegistrar(Ptr<RnicDevice> device,
                                   Ptr<ProtectionDomain> domain,
                                   const RegistrationSettings& settings)
    : ChunkRegistrar(device, domain, settings)
{
}

RegularRegistrar::~RegularRegistrar()
{
    for (const auto& [number, region] : m_regions)
    {
        DestroyRegion(region);
    }
}

uint32_t
RegularRegistrar::Grow(uint32_t count)
{
    return MayTryAgain() ? count : 0;
}

std::optional<ChunkRegistrar::Registration>
RegularRegistrar::Register(const Piece& piece, Chain& /*chain*/)
{
    const auto& [slot, address, length, access, iova] = piece;
    const uint64_t offset = uint64_t{iova} << 32 | (address & UINT32_MAX);
    const Ptr<MemoryRegion> region = MakeRegion(address, length, access, offset);
    if (!region)
    {
        return std::nullopt;
    }
    Registration registration;
    registration.number = m_next++;
    registration.segment = {region->GetStag(), length, offset};
    registration.address = address;
    registration.access = access;
    m_regions.emplace(registration.number, region);
    return registration;
}

void
RegularRegistrar::Release(uint32_t /*slot*/, const Registration& registration)
{
    const auto found = m_regions.find(registration.number);
    if (found != m_regions.end())
    {
        DestroyRegion(found->second);
        m_regions.erase(found);
    }
}

} // namespace ns3::nfsrdma
