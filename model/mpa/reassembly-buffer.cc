/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/reassembly-buffer.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace ns3::nfsrdma
{

void
ReassemblyBuffer::Add(uint64_t position, ByteSpan octets)
{
    m_octets += octets.size();
    auto next = m_extents.lower_bound(position);
    auto extent = m_extents.end();
    if (next != m_extents.begin())
    {
        const auto before = std::prev(next);
        extent = before->first + before->second.size() == position ? before : extent;
    }
    if (extent == m_extents.end())
    {
        extent = m_extents.emplace_hint(next, position, ByteVector());
    }
    extent->second.insert(extent->second.end(), octets.begin(), octets.end());
    if (next != m_extents.end() && next->first == position + octets.size())
    {
        extent->second.insert(extent->second.end(), next->second.begin(), next->second.end());
        m_extents.erase(next);
    }
}

void
ReassemblyBuffer::Erase(uint64_t begin, uint64_t end)
{
    auto extent = m_extents.upper_bound(begin);
    if (extent != m_extents.begin())
    {
        --extent;
    }
    while (extent != m_extents.end() && extent->first < end)
    {
        ByteVector& octets = extent->second;
        const uint64_t first = extent->first;
        const uint64_t last = first + octets.size();
        const uint64_t cutBegin = std::max(begin, first);
        const uint64_t cutEnd = std::min(end, last);
        if (cutBegin >= cutEnd)
        {
            ++extent;
            continue;
        }
        m_octets -= cutEnd - cutBegin;
        if (cutEnd < last)
        {
            m_extents.emplace_hint(
                std::next(extent),
                cutEnd,
                ByteVector(octets.begin() + static_cast<std::ptrdiff_t>(cutEnd - first),
                           octets.end()));
        }
        octets.resize(cutBegin - first);
        extent = octets.empty() ? m_extents.erase(extent) : std::next(extent);
    }
}

ReassemblyBuffer::Extents::const_iterator
ReassemblyBuffer::Find(uint64_t position) const
{
    auto extent = m_extents.upper_bound(position);
    if (extent == m_extents.begin())
    {
        return m_extents.end();
    }
    --extent;
    return position < extent->first + extent->second.size() ? extent : m_extents.end();
}

ByteSpan
ReassemblyBuffer::From(uint64_t position) const
{
    const auto extent = Find(position);
    return extent == m_extents.end() ? ByteSpan()
                                     : ByteSpan(extent->second).subspan(position - extent->first);
}

std::optional<PositionRange>
ReassemblyBuffer::ExtentAt(uint64_t position) const
{
    const auto extent = Find(position);
    if (extent == m_extents.end())
    {
        return std::nullopt;
    }
    return PositionRange{extent->first, extent->first + extent->second.size()};
}

uint64_t
ReassemblyBuffer::NextHeld(uint64_t position) const
{
    if (Find(position) != m_extents.end())
    {
        return position;
    }
    const auto next = m_extents.lower_bound(position);
    return next == m_extents.end() ? std::numeric_limits<uint64_t>::max() : next->first;
}

} // namespace ns3::nfsrdma
