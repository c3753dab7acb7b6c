/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/octet-set.h"

#include <iterator>

namespace ns3::nfsrdma
{

void
OctetSet::Add(const OctetRange& range)
{
    if (range.IsEmpty())
    {
        return;
    }
    OctetRange whole = range;
    auto at = m_ranges.upper_bound(range.begin);
    if (at != m_ranges.begin() && std::prev(at)->second >= range.begin)
    {
        --at;
    }
    while (at != m_ranges.end() && at->first <= whole.end)
    {
        whole.begin = std::min(whole.begin, at->first);
        whole.end = std::max(whole.end, at->second);
        m_size -= at->second - at->first;
        at = m_ranges.erase(at);
    }
    m_ranges[whole.begin] = whole.end;
    m_size += whole.end - whole.begin;
}

void
OctetSet::Remove(const OctetRange& range)
{
    for (const auto& part : Intersect(range))
    {
        const auto at = std::prev(m_ranges.upper_bound(part.begin));
        const OctetRange whole{at->first, at->second};
        m_ranges.erase(at);
        if (whole.begin < part.begin)
        {
            m_ranges[whole.begin] = part.begin;
        }
        if (part.end < whole.end)
        {
            m_ranges[part.end] = whole.end;
        }
        m_size -= part.end - part.begin;
    }
}

OctetRange
OctetSet::GetFirst() const
{
    return m_ranges.empty() ? OctetRange{}
                            : OctetRange{m_ranges.begin()->first, m_ranges.begin()->second};
}

OctetRange
OctetSet::FindGap(const OctetRange& range) const
{
    uint64_t begin = range.begin;
    auto at = m_ranges.upper_bound(begin);
    if (at != m_ranges.begin() && std::prev(at)->second > begin)
    {
        begin = std::prev(at)->second;
    }
    const uint64_t end = at == m_ranges.end() ? range.end : std::min(range.end, at->first);
    return {begin, std::max(begin, end)};
}

OctetRanges
OctetSet::Intersect(const OctetRange& range) const
{
    OctetRanges parts;
    auto at = m_ranges.upper_bound(range.begin);
    if (at != m_ranges.begin())
    {
        --at;
    }
    for (; at != m_ranges.end() && at->first < range.end; ++at)
    {
        const auto part = range.Intersect({at->first, at->second});
        if (!part.IsEmpty())
        {
            parts.push_back(part);
        }
    }
    return parts;
}

} // namespace ns3::nfsrdma
