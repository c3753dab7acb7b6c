/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-region.h"

#include "rnic/protection-domain.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MemoryRegion);

TypeId
MemoryRegion::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MemoryRegion")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("Register",
                            "A registration has been executed: the STag that is valid now.",
                            MakeTraceSourceAccessor(&MemoryRegion::m_registerTrace),
                            "ns3::nfsrdma::MemoryRegion::StagTracedCallback")
            .AddTraceSource("Invalidate",
                            "The region was invalidated, locally or by the peer: the STag that was "
                            "valid.",
                            MakeTraceSourceAccessor(&MemoryRegion::m_invalidateTrace),
                            "ns3::nfsrdma::MemoryRegion::StagTracedCallback");
    return tid;
}

void
MemoryRegion::DoDispose()
{
    m_domain = nullptr;
    m_valid = false;
    m_index = 0;
    m_generation++;
    Object::DoDispose();
}

void
MemoryRegion::Bind(uint32_t index, Ptr<ProtectionDomain> domain, uint32_t maxPages)
{
    m_index = index;
    m_domain = domain;
    m_maxPages = maxPages;
}

void
MemoryRegion::Register(const MemoryRegistration& registration)
{
    m_registration = registration;
    m_valid = true;
    m_generation++;
    m_registerTrace(GetStag());
}

void
MemoryRegion::Invalidate()
{
    m_valid = false;
    m_generation++;
    m_invalidateTrace(GetStag());
}

Stag
MemoryRegion::GetStag() const
{
    return MakeStag(m_registration.key);
}

Stag
MemoryRegion::MakeStag(uint8_t key) const
{
    return m_index << 8 | key;
}

bool
MemoryRegion::IsValid() const
{
    return m_valid;
}

uint32_t
MemoryRegion::GetMaxPages() const
{
    return m_maxPages;
}

const MemoryRegistration&
MemoryRegion::GetRegistration() const
{
    return m_registration;
}

uint32_t
MemoryRegion::GetIndex() const
{
    return m_index;
}

Ptr<ProtectionDomain>
MemoryRegion::GetProtectionDomain() const
{
    return m_domain;
}

uint64_t
MemoryRegion::GetGeneration() const
{
    return m_generation;
}

bool
MemoryRegion::Covers(uint64_t offset, uint64_t length) const
{
    return offset >= m_registration.iova && offset - m_registration.iova <= m_registration.length &&
           length <= m_registration.length - (offset - m_registration.iova);
}

uint64_t
MemoryRegion::ToHostAddress(uint64_t offset) const
{
    return m_registration.address + (offset - m_registration.iova);
}

} // namespace ns3::nfsrdma
