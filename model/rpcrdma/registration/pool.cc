/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/registration/pool.h"

#include <algorithm>

namespace ns3::nfsrdma
{

PoolRegistrar::PoolRegistrar(Ptr<RnicDevice> device,
                             Ptr<ProtectionDomain> domain,
                             const RegistrationSettings& settings)
    : ChunkRegistrar(device, domain, settings),
      m_size(settings.poolBuffers)
{
}

PoolRegistrar::~PoolRegistrar()
{
    for (const Buffer& buffer : m_buffers)
    {
        if (buffer.region)
        {
            DestroyRegion(buffer.region);
        }
    }
}

uint32_t
PoolRegistrar::Grow(uint32_t count)
{
    uint32_t made = 0;
    const uint64_t length = uint64_t{GetMaxPages()} * HostMemory::PAGE_SIZE;
    const uint32_t wanted = GetBroker()->HasTurn(*this) ? count : m_size;
    while (made < wanted && m_buffers.size() - m_vacant.size() < m_size)
    {
        HostBuffer memory(GetDevice()->GetHostMemory(), length);
        const uint64_t address = memory.GetAddress();
        const Ptr<MemoryRegion> region =
            MakeRegion(address,
                       length,
                       ACCESS_LOCAL_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE,
                       address);
        if (!region)
        {
            break;
        }
        ++made;
        if (m_vacant.empty())
        {
            m_free.push_back(m_buffers.size());
            m_buffers.push_back({std::move(memory), region});
            continue;
        }
        m_free.push_back(m_vacant.back());
        m_vacant.pop_back();
        m_buffers[m_free.back()] = {std::move(memory), region};
    }
    return made;
}

bool
PoolRegistrar::GiveBack(bool /*pages*/)
{
    if (m_free.empty())
    {
        return false;
    }
    const uint32_t number = m_free.back();
    m_free.pop_back();
    DestroyRegion(m_buffers[number].region);
    m_buffers[number] = Buffer();
    m_vacant.push_back(number);
    return true;
}

uint32_t
PoolRegistrar::GetExtent(uint64_t /*address*/, uint32_t length) const
{
    const uint64_t size = uint64_t{GetMaxPages()} * HostMemory::PAGE_SIZE;
    return static_cast<uint32_t>(std::min<uint64_t>(length, size));
}

std::optional<ChunkRegistrar::Registration>
PoolRegistrar::Register(const Piece& piece, Chain& /*chain*/)
{
    const auto& [slot, address, length, access, iova] = piece;
    if (m_free.empty() && Grow(1) == 0)
    {
        if (m_buffers.size() - m_vacant.size() == m_size)
        {
            SetShortage(Shortage::REGIONS);
        }
        return std::nullopt;
    }
    Registration registration;
    registration.number = m_free.back();
    m_free.pop_back();
    const Buffer& buffer = m_buffers[registration.number];
    registration.segment = {buffer.region->GetStag(), length, buffer.memory.GetAddress()};
    registration.address = address;
    registration.access = access;
    registration.made = false;
    if ((access & ACCESS_REMOTE_READ) != 0)
    {
        Copy(address, buffer.memory.GetAddress(), length);
    }
    return registration;
}

bool
PoolRegistrar::AppendZeros(Registration& registration, uint32_t count)
{
    Buffer& buffer = m_buffers[registration.number];
    uint32_t& length = registration.segment.length;
    if (length + count > buffer.memory.GetLength())
    {
        return false;
    }
    buffer.memory.Write(length, ByteVector(count));
    length += count;
    return true;
}

void
PoolRegistrar::Retire(Registration& registration, uint32_t octets, Chain& /*chain*/)
{
    ++Count().leftValid;
    if ((registration.access & ACCESS_REMOTE_WRITE) == 0)
    {
        return;
    }
    const uint32_t copied = std::min(octets, registration.segment.length);
    Copy(m_buffers[registration.number].memory.GetAddress(), registration.address, copied);
}

ChunkRegistrar::Fencing
PoolRegistrar::GetFencing() const
{
    return Fencing::DETACHED;
}

} // namespace ns3::nfsrdma
