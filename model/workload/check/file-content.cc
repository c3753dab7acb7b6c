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
        m_extents.emplace(0, Extent{size, {Source{GetPattern(0), 0}}});
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
    m_extents.emplace(range.begin, Extent{range.end, {Source{GetPattern(generation), 0}}});
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
    m_extents.emplace(range.begin, Extent{range.end, {}});
}

void
FileContent::AddCandidate(const OctetRange& range, uint64_t generation)
{
    constexpr std::size_t MOST = 64;
    const Source added{GetPattern(generation), 0};
    Extents parts;
    ForEachPart(range, [&](const OctetRange& part, const Sources& sources) {
        Sources either = sources;
        if (!either.empty())
        {
            either.push_back(added);
        }
        if (either.size() > MOST)
        {
            either.clear();
        }
        parts.emplace(part.begin, Extent{part.end, std::move(either)});
    });
    if (!range.IsEmpty())
    {
        Clear(range);
        m_extents.merge(parts);
    }
}

FileContent
FileContent::Slice(const OctetRange& range) const
{
    FileContent slice(m_seed, 0);
    slice.m_size = m_size;
    slice.m_sizeCertain = m_sizeCertain;
    ForEachPart(range, [&slice](const OctetRange& part, const Sources& sources) {
        if (sources != Sources{Source{}})
        {
            slice.m_extents.emplace(part.begin, Extent{part.end, sources});
        }
    });
    return slice;
}

bool
FileContent::MayEqual(const FileContent& before, const OctetRange& range) const
{
    bool may = true;
    ForEachPart(range, [&](const OctetRange& part, const Sources& sources) {
        before.ForEachPart(part, [&](const OctetRange& /* piece */, const Sources& others) {
            const bool common =
                sources.empty() || others.empty() ||
                std::any_of(sources.begin(), sources.end(), [&others](const Source& source) {
                    return std::find(others.begin(), others.end(), source) != others.end();
                });
            may = may && common;
        });
    });
    return may;
}

std::string
FileContent::DescribeOrigin(uint64_t offset, ByteSpan octets) const
{
    constexpr std::size_t TELLING = 8;
    if (octets.size() < TELLING)
    {
        return "other octets than were written";
    }
    const auto first = octets.first(TELLING);
    const Source zeros;
    if (zeros.Match(offset, first) == first.size())
    {
        return "zeros";
    }
    for (uint64_t generation = m_writers.size() + 1; generation-- > 0;)
    {
        if (Source{GetPattern(generation), 0}.Match(offset, first) < first.size())
        {
            continue;
        }
        return generation == 0
                   ? "what the file held at first"
                   : "those of WRITE " + std::to_string(generation) + " of the file, by client-" +
                         std::to_string(m_writers[generation - 1]);
    }
    return "octets that no WRITE of the file had there";
}

std::size_t
FileContent::Source::Match(uint64_t offset, ByteSpan octets) const
{
    if (pattern)
    {
        return pattern->FindMismatch(offset + shift, octets).value_or(octets.size());
    }
    const auto* const begin = octets.data();
    const auto* const end = begin + octets.size();
    return static_cast<std::size_t>(
        std::find_if(begin, end, [](uint8_t octet) { return octet != 0; }) - begin);
}

template <typename Visit>
void
FileContent::ForEachPart(const OctetRange& range, Visit visit) const
{
    const Sources zeros{Source{}};
    uint64_t at = range.begin;
    for (auto next = FindFirst(range); next != m_extents.end() && next->first < range.end; ++next)
    {
        if (next->first > at)
        {
            visit(OctetRange{at, next->first}, zeros);
        }
        const auto part = range.Intersect({next->first, next->second.end});
        visit(part, next->second.sources);
        at = part.end;
    }
    if (at < range.end)
    {
        visit(OctetRange{at, range.end}, zeros);
    }
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
        Extent piece{part.end - fromOffset + to.begin, next->second.sources};
        for (auto& source : piece.sources)
        {
            source.shift += fromOffset - to.begin;
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
        return entry.second.IsCertain() && entry.second.sources.front().pattern &&
               !range.Intersect({entry.first, entry.second.end}).IsEmpty();
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
FileContent::Compare(uint64_t offset, ByteSpan octets) const
{
    Comparison comparison;
    const OctetRange range{offset, offset + octets.size()};
    ForEachPart(range, [&](const OctetRange& part, const Sources& sources) {
        ComparePiece(part.begin,
                     octets.subspan(part.begin - offset, part.end - part.begin),
                     sources,
                     comparison);
    });
    return comparison;
}

void
FileContent::ComparePiece(uint64_t offset,
                          ByteSpan octets,
                          const Sources& sources,
                          Comparison& comparison)
{
    (sources.size() == 1 ? comparison.compared : comparison.uncertain) += octets.size();
    if (comparison.mismatch || sources.empty())
    {
        return;
    }
    // Each octet may be that of any source.
    while (!octets.empty())
    {
        std::size_t most = 0;
        for (const auto& source : sources)
        {
            most = std::max(most, source.Match(offset, octets));
            if (most == octets.size())
            {
                return;
            }
        }
        if (most == 0)
        {
            comparison.mismatch = offset;
            return;
        }
        offset += most;
        octets = octets.subspan(most);
    }
}

} // namespace ns3::nfsrdma
