/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/element-memory.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ElementMemory::ElementMemory(HostMemory& memory,
                             const StagTable& table,
                             const ProtectionDomain& domain)
    : m_memory(memory),
      m_table(table),
      m_domain(domain)
{
}

uint64_t
ElementMemory::GetLength(const Elements& elements)
{
    uint64_t length = 0;
    for (const ScatterGatherElement& element : elements)
    {
        length += element.length;
    }
    return length;
}

template <typename Function>
ElementMemory::Outcome
ElementMemory::ForEachPiece(const ScatterGatherElement& element,
                            uint64_t offset,
                            uint64_t length,
                            uint32_t access,
                            Function function) const
{
    if (element.lkey == ScatterGatherElement::LOCAL_DMA_LKEY)
    {
        if (!function(element.address + offset, length))
        {
            return tl::make_unexpected(StagFault::BOUNDS);
        }
        return {};
    }
    const auto local =
        m_table.CheckLocal(element.lkey, m_domain, access, element.address + offset, length);
    if (!local)
    {
        return tl::make_unexpected(local.error());
    }
    if (!local->region->ForEachPiece(local->offset, length, function))
    {
        return tl::make_unexpected(StagFault::BOUNDS);
    }
    return {};
}

ElementMemory::Outcome
ElementMemory::Check(const Elements& elements, uint32_t access) const
{
    const auto contains = [this](uint64_t address, uint64_t length) {
        return m_memory.Contains(address, length);
    };
    for (const ScatterGatherElement& element : elements)
    {
        if (element.length == 0)
        {
            continue;
        }
        const Outcome outcome = ForEachPiece(element, 0, element.length, access, contains);
        if (!outcome)
        {
            return outcome;
        }
    }
    return {};
}

template <typename Function>
ElementMemory::Outcome
ElementMemory::ForEachPiece(const Elements& elements,
                            uint64_t offset,
                            uint64_t length,
                            uint32_t access,
                            Function function) const
{
    for (const ScatterGatherElement& element : elements)
    {
        if (length == 0)
        {
            return {};
        }
        if (offset >= element.length)
        {
            offset -= element.length;
            continue;
        }
        const uint64_t piece = std::min<uint64_t>(length, element.length - offset);
        const Outcome outcome = ForEachPiece(element, offset, piece, access, function);
        if (!outcome)
        {
            return outcome;
        }
        length -= piece;
        offset = 0;
    }
    if (length != 0)
    {
        return tl::make_unexpected(StagFault::BOUNDS);
    }
    return {};
}

ElementMemory::Outcome
ElementMemory::Gather(const Elements& elements, uint64_t offset, MutableByteSpan out) const
{
    return ForEachPiece(elements, offset, out.size(), 0, [&](uint64_t address, uint64_t length) {
        const bool read = m_memory.TryRead(address, out.first(length));
        out = out.subspan(length);
        return read;
    });
}

ElementMemory::Outcome
ElementMemory::Locate(const Elements& elements,
                      uint64_t offset,
                      uint64_t length,
                      std::vector<MemoryPiece>& pieces,
                      uint32_t access) const
{
    pieces.clear();
    return ForEachPiece(elements, offset, length, access, [&](uint64_t address, uint64_t octets) {
        pieces.push_back({address, octets});
        return m_memory.Contains(address, octets);
    });
}

} // namespace ns3::nfsrdma
