/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/frwr.h"

namespace ns3::nfsrdma
{

FrwrRegistrar::FrwrRegistrar(Ptr<RnicDevice> device,
                             Ptr<ProtectionDomain> domain,
                             const RegistrationSettings& settings)
    : ChunkRegistrar(device, domain, settings),
      m_regions(device,
                RegistrationPolicy::Create(settings.choice),
                {[this]() -> Ptr<TaggedBuffer> {
                     return Keep(GetDevice()->AllocateMemoryRegion(GetDomain(), GetMaxPages()));
                 },
                 [this](const Ptr<TaggedBuffer>& region) {
                     return GetDevice()->Destroy(StaticCast<MemoryRegion>(region));
                 }})
{
}

std::optional<ChunkRegistrar::Registration>
FrwrRegistrar::Register(const Piece& piece, Chain& chain)
{
    const auto& [slot, address, length, access, iova] = piece;
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::REGISTER_MR;
    request.signaled = false;
    request.registration.address = address;
    request.registration.length = length;
    request.registration.iova = uint64_t{iova} << 32 | (address & UINT32_MAX);
    request.registration.access = access;
    if (!CheckPinning(CountPages(chain) + request.registration.CountPages()))
    {
        return std::nullopt;
    }
    const auto tag = m_regions.Take(slot);
    if (!tag)
    {
        SetShortage(Shortage::REGIONS);
        return std::nullopt;
    }
    ++Count().registrations;
    request.region = StaticCast<MemoryRegion>(tag->buffer);
    request.registration.key = tag->key;
    Registration registration;
    MapPiece(piece, registration);
    registration.number = tag->number;
    registration.segment = {tag->GetStag(), length, request.registration.iova};
    registration.address = address;
    registration.access = access;
    chain.push_back(std::move(request));
    return registration;
}

uint64_t
FrwrRegistrar::CountPages(const Chain& chain)
{
    uint64_t pages = 0;
    for (const SendWorkRequest& request : chain)
    {
        if (request.opcode == WorkRequestOpcode::REGISTER_MR)
        {
            pages += request.registration.CountPages();
        }
    }
    return pages;
}

void
FrwrRegistrar::Retire(Registration& registration, uint32_t /*octets*/, Chain& chain)
{
    chain.push_back(MakeInvalidation(registration));
}

} // namespace ns3::nfsrdma
