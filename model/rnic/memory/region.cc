/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/region.h"

#include "rnic/memory/protection-domain.h"

#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MemoryRegion);

namespace
{

constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;
constexpr uint64_t EVERYTHING = std::numeric_limits<uint64_t>::max();

} // namespace

uint64_t
MemoryRegistration::GetFirstOffset() const
{
    return (access & ACCESS_ZERO_BASED) != 0 ? 0 : iova;
}

uint64_t
MemoryRegistration::CountPages() const
{
    if (length == 0)
    {
        return 0;
    }
    const uint64_t within = (pages.empty() ? address : firstByteOffset) % PAGE;
    const uint64_t last = (length - 1) % PAGE + within;
    return (length - 1) / PAGE + last / PAGE + 1;
}

bool
MemoryRegistration::HasLegalAccess() const
{
    constexpr uint32_t KNOWN = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ |
                               ACCESS_REMOTE_ATOMIC | ACCESS_WINDOW_BIND | ACCESS_ZERO_BASED;
    const bool changes = (access & (ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC)) != 0;
    return (access & ~KNOWN) == 0 && (!changes || (access & ACCESS_LOCAL_WRITE) != 0);
}

bool
MemoryRegistration::IsBacked(const HostMemory& memory) const
{
    if (length == 0 || length > std::numeric_limits<uint64_t>::max() - GetFirstOffset())
    {
        return false;
    }
    if (pages.empty())
    {
        const bool everything = address == 0 && length == EVERYTHING;
        return everything || memory.Contains(address, length);
    }
    if (firstByteOffset >= PAGE || pages.size() != CountPages())
    {
        return false;
    }
    uint64_t within = firstByteOffset;
    uint64_t left = length;
    for (const uint64_t page : pages)
    {
        const uint64_t used = std::min(left, PAGE - within);
        if (page % PAGE != 0 || !memory.Contains(page + within, used))
        {
            return false;
        }
        left -= used;
        within = 0;
    }
    return true;
}

TypeId
MemoryRegion::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MemoryRegion")
            .SetParent<TaggedBuffer>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("Register",
                            "A registration has been executed: the STag that is valid now.",
                            MakeTraceSourceAccessor(&MemoryRegion::m_registerTrace),
                            "ns3::nfsrdma::TaggedBuffer::StagTracedCallback");
    return tid;
}

void
MemoryRegion::Register(const MemoryRegistration& registration, PinnedPages pins)
{
    m_registration = registration;
    m_pins = std::move(pins);
    Open(registration.key, registration.GetFirstOffset(), registration.length, registration.access);
    m_registerTrace(GetStag());
}

bool
MemoryRegion::Read(const HostMemory& memory, uint64_t offset, MutableByteSpan out) const
{
    return ForEachPiece(offset, out.size(), [&](uint64_t address, uint64_t length) {
        const bool read = memory.TryRead(address, out.first(length));
        out = out.subspan(length);
        return read;
    });
}

tl::expected<void, StagFault>
MemoryRegion::CheckInvalidation() const
{
    if (IsRegular())
    {
        return tl::make_unexpected(StagFault::CANNOT_INVALIDATE);
    }
    if (m_windows != 0)
    {
        return tl::make_unexpected(StagFault::WINDOWS_BOUND);
    }
    return {};
}

} // namespace ns3::nfsrdma
