/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/file-content.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

FileContent::FileContent(uint64_t seed, uint64_t size)
    : m_seed(seed),
      m_size(size)
{
    if (size != 0)
    {
        m_extents.emplace(0, Extent{size, Source{GetPattern(0)}});
    }
}

void
FileContent::SetSize(uint64_t size)
{
    Clear({size, OctetRange::UNBOUNDED});
    m_size = size;
    m_sizeCertain = true;
}

void
FileContent::Write(const OctetRange& range, uint64_t generation)
{
    if (range.IsEmpty())
    {
        return;
    }
    Clear(range);
    m_extents.emplace(range.begin, Extent{range.end, Source{GetPattern(generation)}});
    m_size = std::max(m_size, range.end);
}

void
FileContent::MarkUncertain(const OctetRange& range)
{
    if (range.IsEmpty())
    {
        return;
    }
    Clear(range);
    m_extents.emplace(range.begin, Extent{range.end, std::nullopt});
}

void
FileContent::Extend(uint64_t size)
{
    m_size = std::max(m_size, size);
}

void
FileContent::Zero(const OctetRange& range)
{
    if (!range.IsEmpty())
    {
        Clear(range);
    }
}

void
FileContent::Copy(const FileContent& from, uint64_t fromOffset, const OctetRange& to)
{
    if (to.IsEmpty())
    {
        return;
    }
    const auto range = OctetRange::Of(fromOffset, to.end - to.begin);
    Extents pieces;
    for (auto next = from.FindFirst(range); next != from.m_extents.end(); ++next)
    {
        const auto part = range.Intersect({next->first, next->second.end});
        if (part.IsEmpty())
        {
            break;
        }
        Extent piece{part.end - fromOffset + to.begin, next->second.source};
        if (piece.source)
        {
            piece.source->shift += fromOffset - to.begin;
        }
        pieces.emplace(part.begin - fromOffset + to.begin, piece);
    }
    Clear(to);
    m_extents.merge(pieces);
    Extend(to.end);
}

bool
FileContent::IsWritten(const OctetRange& range) const
{
    return std::any_of(FindFirst(range), m_extents.end(), [&range](const auto& entry) {
        return entry.second.source && !range.Intersect({entry.first, entry.second.end}).IsEmpty();
    });
}

FileContent::Extents::const_iterator
FileContent::FindFirst(const OctetRange& range) const
{
    auto next = m_extents.upper_bound(range.begin);
    if (next != m_extents.begin() && std::prev(next)->second.end > range.begin)
    {
        --next;
    }
    return next;
}

void
FileContent::Clear(const OctetRange& range)
{
    auto next = m_extents.lower_bound(range.begin);
    if (next != m_extents.begin())
    {
        Extent& before = std::prev(next)->second;
        if (before.end > range.end)
        {
            m_extents.emplace(range.end, before);
        }
        before.end = std::min(before.end, range.begin);
    }
    next = m_extents.lower_bound(range.begin);
    while (next != m_extents.end() && next->first < range.end)
    {
        if (next->second.end > range.end)
        {
            m_extents.emplace(range.end, next->second);
        }
        next = m_extents.erase(next);
    }
}

FileContent::Comparison
FileContent::Compare(uint64_t offset, ByteSpan octets, const OctetRanges& excluded) const
{
    Comparison comparison;
    const uint64_t end = offset + octets.size();
    OctetRanges skips;
    for (const auto& range : excluded)
    {
        const auto part = range.Intersect({offset, end});
        if (!part.IsEmpty())
        {
            skips.push_back(part);
        }
    }
    std::sort(skips.begin(), skips.end(), [](const OctetRange& a, const OctetRange& b) {
        return a.begin < b.begin;
    });
    uint64_t position = offset;
    for (const auto& skip : skips)
    {
        if (skip.begin > position)
        {
            CompareCertain(position,
                           octets.subspan(position - offset, skip.begin - position),
                           comparison);
        }
        if (skip.end > position)
        {
            comparison.uncertain += skip.end - std::max(position, skip.begin);
            position = skip.end;
        }
    }
    CompareCertain(position, octets.subspan(position - offset), comparison);
    return comparison;
}

void
FileContent::CompareCertain(uint64_t offset, ByteSpan octets, Comparison& comparison) const
{
    auto next = FindFirst({offset, offset + octets.size()});
    while (!octets.empty())
    {
        const bool inside = next != m_extents.end() && next->first <= offset;
        uint64_t end = OctetRange::UNBOUNDED;
        if (next != m_extents.end())
        {
            end = inside ? next->second.end : next->first;
        }
        const std::size_t length = std::min<uint64_t>(octets.size(), end - offset);
        ComparePiece(offset, octets.first(length), inside ? &next->second : nullptr, comparison);
        offset += length;
        octets = octets.subspan(length);
        if (inside)
        {
            ++next;
        }
    }
}

void
FileContent::ComparePiece(uint64_t offset,
                          ByteSpan octets,
                          const Extent* extent,
                          Comparison& comparison) const
{
    if (extent != nullptr && !extent->source)
    {
        comparison.uncertain += octets.size();
        return;
    }
    comparison.compared += octets.size();
    if (comparison.mismatch)
    {
        return;
    }
    if (extent != nullptr)
    {
        const Source& source = *extent->source;
        if (const auto found = source.pattern.FindMismatch(offset + source.shift, octets))
        {
            comparison.mismatch = offset + *found;
        }
        return;
    }
    const uint8_t* begin = octets.data();
    const uint8_t* end = begin + octets.size();
    const auto* nonzero = std::find_if(begin, end, [](uint8_t octet) { return octet != 0; });
    if (nonzero != end)
    {
        comparison.mismatch = offset + static_cast<uint64_t>(nonzero - begin);
    }
}

} // namespace ns3::nfsrdma
