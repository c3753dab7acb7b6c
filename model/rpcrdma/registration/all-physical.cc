/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/all-physical.h"

namespace ns3::nfsrdma
{

AllPhysicalRegistrar::AllPhysicalRegistrar(Ptr<RnicDevice> device,
                                           Ptr<ProtectionDomain> domain,
                                           const RegistrationSettings& settings)
    : ChunkRegistrar(device, domain, settings)
{
}

AllPhysicalRegistrar::~AllPhysicalRegistrar()
{
    if (m_all)
    {
        DestroyRegion(m_all);
    }
}

uint32_t
AllPhysicalRegistrar::Grow(uint32_t count)
{
    if (m_all)
    {
        return 0;
    }
    m_all = MakeRegionOfAll(ACCESS_LOCAL_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE);
    return m_all ? count : 0;
}

bool
AllPhysicalRegistrar::GiveBack(bool pages)
{
    if (pages || !m_all || IsUsed())
    {
        return false;
    }
    DestroyRegion(m_all);
    m_all = nullptr;
    return true;
}

uint32_t
AllPhysicalRegistrar::CountUsed(RegionUse use) const
{
    const RegionUse main = CountPieces(RegionUse::OFFER) > 0 ? RegionUse::OFFER : RegionUse::SINK;
    return use == main && IsUsed() ? 1 : 0;
}

bool
AllPhysicalRegistrar::NeedsRegion() const
{
    return !m_all || !IsUsed();
}

std::optional<ChunkRegistrar::Registration>
AllPhysicalRegistrar::Register(const Piece& piece, Chain& /*chain*/)
{
    const auto& [slot, address, length, access, iova] = piece;
    if (!m_all)
    {
        SetShortage(Shortage::REGIONS);
        return std::nullopt;
    }
    Registration registration;
    MapPiece(piece, registration);
    registration.segment = {m_all->GetStag(), length, address};
    registration.address = address;
    registration.access = access;
    registration.made = false;
    return registration;
}

void
AllPhysicalRegistrar::Retire(Registration& /*registration*/, uint32_t /*octets*/, Chain& /*chain*/)
{
    ++Count().leftValid;
}

ChunkRegistrar::Fencing
AllPhysicalRegistrar::GetFencing() const
{
    return Fencing::NONE;
}

} // namespace ns3::nfsrdma
