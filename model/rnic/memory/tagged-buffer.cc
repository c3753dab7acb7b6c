/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/tagged-buffer.h"

#include "rnic/memory/protection-domain.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(TaggedBuffer);

TypeId
TaggedBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::TaggedBuffer")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("Invalidate",
                            "The region or window was invalidated, locally or by the peer: the "
                            "STag that was valid.",
                            MakeTraceSourceAccessor(&TaggedBuffer::m_invalidateTrace),
                            "ns3::nfsrdma::TaggedBuffer::StagTracedCallback");
    return tid;
}

TaggedBuffer::TaggedBuffer() = default;

TaggedBuffer::~TaggedBuffer() = default;

void
TaggedBuffer::Enter(uint32_t index,
                    uint8_t key,
                    Ptr<ProtectionDomain> domain,
                    TaggedBufferCount& count)
{
    m_index = index;
    m_key = key;
    m_domain = domain;
    m_count = &count;
    m_count->alive++;
    m_domain->AddUser();
}

void
TaggedBuffer::DoDispose()
{
    if (m_valid)
    {
        Close();
    }
    if (m_domain)
    {
        m_domain->RemoveUser();
        m_count->alive--;
    }
    m_domain = nullptr;
    m_count = nullptr;
    m_index = 0;
    Object::DoDispose();
}

bool
TaggedBuffer::BelongsTo(const ProtectionDomain& domain) const
{
    return PeekPointer(m_domain) == &domain;
}

void
TaggedBuffer::Open(uint8_t key, uint64_t firstOffset, uint64_t length, uint32_t access)
{
    m_key = key;
    m_firstOffset = firstOffset;
    m_length = length;
    m_access = access;
    m_valid = true;
    m_generation++;
    m_count->valid++;
}

void
TaggedBuffer::Close()
{
    m_valid = false;
    m_generation++;
    m_count->valid--;
    Closed();
}

void
TaggedBuffer::Invalidate()
{
    Close();
    m_invalidateTrace(GetStag());
}

} // namespace ns3::nfsrdma
