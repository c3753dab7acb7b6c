/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/window.h"

#include "rnic/memory/protection-domain.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MemoryWindow);

uint64_t
WindowBinding::GetFirstOffset() const
{
    return (access & ACCESS_ZERO_BASED) != 0 ? 0 : offset;
}

bool
WindowBinding::HasLegalAccess() const
{
    constexpr uint32_t KNOWN =
        ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC | ACCESS_ZERO_BASED;
    return (access & ~KNOWN) == 0;
}

TypeId
MemoryWindow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MemoryWindow")
            .SetParent<TaggedBuffer>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("Bind",
                            "A binding has been executed: the STag that is valid now.",
                            MakeTraceSourceAccessor(&MemoryWindow::m_bindTrace),
                            "ns3::nfsrdma::TaggedBuffer::StagTracedCallback");
    return tid;
}

bool
MemoryWindow::IsBound() const
{
    return IsValid();
}

bool
MemoryWindow::CanBind(const WindowBinding& binding, const ProtectionDomain& domain) const
{
    const MemoryRegion& region = *binding.region;
    const bool changes = (binding.access & (ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC)) != 0;
    const uint32_t needed = ACCESS_WINDOW_BIND | (changes ? ACCESS_LOCAL_WRITE : 0U);
    return !IsBound() && BelongsTo(domain) && binding.length != 0 && region.IsValid() &&
           region.BelongsTo(domain) && (region.GetAccess() & needed) == needed &&
           region.Covers(binding.offset, binding.length);
}

void
MemoryWindow::Bind(const WindowBinding& binding, uint32_t queuePair)
{
    m_binding = binding;
    m_binding.region->AddWindow();
    m_regionOffset = binding.region->Locate(binding.offset).offset;
    m_regionGeneration = binding.region->GetGeneration();
    Associate(queuePair);
    Open(binding.key, binding.GetFirstOffset(), binding.length, binding.access);
    m_bindTrace(GetStag());
}

void
MemoryWindow::Closed()
{
    m_binding.region->RemoveWindow();
    m_binding.region = nullptr;
    Associate(0);
}

TaggedLocation
MemoryWindow::Locate(uint64_t offset) const
{
    const MemoryRegion* region = PeekPointer(m_binding.region);
    if (region->GetGeneration() != m_regionGeneration)
    {
        return {};
    }
    return {region, m_regionOffset + (offset - GetFirstOffset())};
}

} // namespace ns3::nfsrdma
