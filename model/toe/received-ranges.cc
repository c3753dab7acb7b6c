/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/received-ranges.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReceivedRanges::Change
ReceivedRanges::Add(Position begin, Position end)
{
    Change change;
    const auto note = [&change](Position from, Position to) {
        if (!change.duplicate || from < change.duplicate->begin)
        {
            change.duplicate = SequenceRange{from, to};
        }
    };
    if (begin < m_next)
    {
        note(begin, std::min(end, m_next));
        begin = m_next;
    }
    if (begin >= end)
    {
        return change;
    }
    std::vector<SequenceRange> touched;
    const auto apart = [begin, end](const SequenceRange& range) {
        return range.end < begin || range.begin > end;
    };
    const auto others = std::stable_partition(m_ranges.begin(), m_ranges.end(), apart);
    touched.assign(others, m_ranges.end());
    m_ranges.erase(others, m_ranges.end());
    std::sort(touched.begin(), touched.end(), [](const SequenceRange& a, const SequenceRange& b) {
        return a.begin < b.begin;
    });

    SequenceRange whole{begin, end};
    Position covered = begin;
    for (const SequenceRange& range : touched)
    {
        if (std::max(range.begin, begin) < std::min(range.end, end))
        {
            note(std::max(range.begin, begin), std::min(range.end, end));
        }
        if (covered < range.begin)
        {
            change.added.push_back({covered, std::min(range.begin, end)});
        }
        covered = std::max(covered, range.end);
        whole.begin = std::min(whole.begin, range.begin);
        whole.end = std::max(whole.end, range.end);
    }
    if (covered < end)
    {
        change.added.push_back({covered, end});
    }
    if (whole.begin <= m_next)
    {
        change.advanced = true;
        m_next = whole.end;
    }
    else
    {
        m_ranges.insert(m_ranges.begin(), whole);
    }
    return change;
}

uint64_t
ReceivedRanges::GetOctets() const
{
    uint64_t octets = 0;
    for (const SequenceRange& range : m_ranges)
    {
        octets += static_cast<uint64_t>(range.end - range.begin);
    }
    return octets;
}

} // namespace ns3::nfsrdma
