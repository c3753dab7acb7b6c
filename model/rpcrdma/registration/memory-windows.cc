/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/memory-windows.h"

#include <algorithm>

namespace ns3::nfsrdma
{

MemoryWindowRegistrar::MemoryWindowRegistrar(Ptr<RnicDevice> device,
                                             Ptr<ProtectionDomain> domain,
                                             const RegistrationSettings& settings)
    : ChunkRegistrar(device, domain, settings)
{
    m_windows.emplace(
        device,
        RegistrationPolicy::Create(settings.choice),
        RotatingTags::Verbs{[this]() -> Ptr<TaggedBuffer> {
                                return Keep(GetDevice()->AllocateMemoryWindow(GetDomain()));
                            },
                            [this](const Ptr<TaggedBuffer>& window) {
                                return GetDevice()->Destroy(StaticCast<MemoryWindow>(window));
                            }});
}

MemoryWindowRegistrar::~MemoryWindowRegistrar()
{
    m_windows.reset();
    if (m_all)
    {
        DestroyRegion(m_all);
    }
}

uint32_t
MemoryWindowRegistrar::Grow(uint32_t count)
{
    if (m_all)
    {
        return m_windows->Grow(count);
    }
    m_all = MakeRegionOfAll(ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND);
    return m_all ? std::max(m_windows->Grow(count), 1U) : 0;
}

uint32_t
MemoryWindowRegistrar::GetMost() const
{
    return GetDevice()->GetSettings().maxWindows;
}

bool
MemoryWindowRegistrar::GiveBack(bool pages)
{
    if (pages)
    {
        return false;
    }
    if (m_all && !IsTaking() && !IsUsed() && m_all->GetWindows() == 0)
    {
        DestroyRegion(m_all);
        m_all = nullptr;
        return true;
    }
    return m_windows->GiveBack();
}

uint32_t
MemoryWindowRegistrar::CountUsed(RegionUse use) const
{
    return use == RegionUse::OFFER && m_all && IsUsed() ? 1 : 0;
}

bool
MemoryWindowRegistrar::NeedsRegion() const
{
    return !m_all || !IsUsed();
}

std::optional<ChunkRegistrar::Registration>
MemoryWindowRegistrar::Register(const Piece& piece, Chain& chain)
{
    const auto& [slot, address, length, access, iova] = piece;
    const auto tag = m_all ? m_windows->Take(slot) : std::nullopt;
    if (!tag)
    {
        SetShortage(Shortage::REGIONS);
        return std::nullopt;
    }
    ++Count().registrations;
    SendWorkRequest request;
    request.opcode = WorkRequestOpcode::BIND_WINDOW;
    request.signaled = false;
    request.window = StaticCast<MemoryWindow>(tag->buffer);
    request.binding.key = tag->key;
    request.binding.region = m_all;
    request.binding.offset = address;
    request.binding.length = length;
    request.binding.access = access & (ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE);
    chain.push_back(std::move(request));
    Registration registration;
    MapPiece(piece, registration);
    registration.number = tag->number;
    registration.segment = {tag->GetStag(), length, address};
    registration.address = address;
    registration.access = access;
    return registration;
}

void
MemoryWindowRegistrar::Retire(Registration& registration, uint32_t /*octets*/, Chain& chain)
{
    chain.push_back(MakeInvalidation(registration));
}

} // namespace ns3::nfsrdma
