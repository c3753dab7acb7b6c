/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-assembler.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::nfsrdma
{

FpduAssembler::FpduAssembler(const Options& options, PlaceFunction place)
    : m_options(options),
      m_place(std::move(place)),
      m_front(options.position),
      m_received(options.position)
{
    m_options.limit = std::max(m_options.limit, MIN_LIMIT);
}

bool
FpduAssembler::Receive(uint64_t position, ByteSpan octets)
{
    const uint64_t end = position + octets.size();
    const bool inOrder = position <= OrderedEnd();
    const uint64_t begin = std::min(std::max(position, m_front), end);
    m_statistics.duplicateOctets += begin - position;
    octets = octets.subspan(begin - position);
    m_badSegment = false;
    m_fresh.clear();
    if (begin == m_front && m_buffer.GetOctets() == 0 && m_placed.empty() &&
        !WalkOrderedSegment(octets))
    {
        ++m_statistics.droppedSegments;
        return false;
    }
    if (octets.empty())
    {
        return true;
    }
    Store(end - octets.size(), octets);
    if (UsesAlignment() && position > m_front)
    {
        m_likelyStarts.insert(position);
    }
    WalkFront();
    for (std::size_t i = 0; i < m_fresh.size() && !m_badSegment; ++i)
    {
        FindFpdus(m_fresh[i]);
    }
    if (m_badSegment)
    {
        ++m_statistics.droppedSegments;
        ForgetFresh();
        return false;
    }
    if (!inOrder && GetHeldOctets() > m_options.limit)
    {
        ++m_statistics.refusedSegments;
        ForgetFresh();
        return false;
    }
    return true;
}

uint64_t
FpduAssembler::OrderedEnd() const
{
    const auto extent = m_buffer.ExtentAt(m_front);
    return std::max(m_received, extent ? extent->end : m_front);
}

bool
FpduAssembler::WalkOrderedSegment(ByteSpan& octets)
{
    const FpduFraming& framing = m_options.framing;
    for (auto size = framing.PeekWireSize(octets, m_front); size && *size <= octets.size();
         size = framing.PeekWireSize(octets, m_front))
    {
        if (m_options.dropBadSegments && !framing.Check(octets.first(*size), m_front))
        {
            return false;
        }
        octets = octets.subspan(*size);
        m_front += *size;
    }
    return true;
}

void
FpduAssembler::WalkFront()
{
    const FpduFraming& framing = m_options.framing;
    while (!m_badSegment)
    {
        const auto placed = m_placed.find(m_front);
        if (placed != m_placed.end())
        {
            m_front += placed->second.wireSize;
            continue;
        }
        ByteSpan octets = m_buffer.From(m_front);
        uint64_t at = m_front;
        for (auto size = framing.PeekWireSize(octets, at); size && *size <= octets.size();
             size = framing.PeekWireSize(octets, at))
        {
            if (m_options.dropBadSegments && IsFresh({at, at + *size}) &&
                !framing.Check(octets.first(*size), at))
            {
                m_badSegment = true;
                break;
            }
            octets = octets.subspan(*size);
            at += *size;
        }
        const auto incomplete = framing.PeekWireSize(octets, at);
        if (incomplete && UsesAlignment())
        {
            m_likelyStarts.insert(at + *incomplete);
        }
        if (at == m_front)
        {
            return;
        }
        m_buffer.Erase(m_front, at);
        m_front = at;
    }
}

void
FpduAssembler::Store(uint64_t position, ByteSpan octets)
{
    const uint64_t end = position + octets.size();
    uint64_t at = position;
    while (at < end)
    {
        const auto extent = m_buffer.ExtentAt(at);
        const uint64_t known = std::min(extent ? extent->end : PlacedEnd(at), end);
        if (known > at)
        {
            m_statistics.duplicateOctets += known - at;
            at = known;
            continue;
        }
        const auto nextPlaced = m_placed.lower_bound(at);
        uint64_t next = std::min(end, m_buffer.NextHeld(at));
        next = nextPlaced == m_placed.end() ? next : std::min(next, nextPlaced->first);
        m_buffer.Add(at, octets.subspan(at - position, next - at));
        m_fresh.push_back({at, next});
        at = next;
    }
}

uint64_t
FpduAssembler::PlacedEnd(uint64_t position) const
{
    const auto next = m_placed.upper_bound(position);
    if (next == m_placed.begin())
    {
        return position;
    }
    const auto& [start, fpdu] = *std::prev(next);
    return std::max(position, start + fpdu.wireSize);
}

void
FpduAssembler::FindFpdus(const PositionRange& fresh)
{
    const auto extent = m_buffer.ExtentAt(fresh.begin);
    if (!extent || extent->begin == m_front)
    {
        return;
    }
    CollectCertainStarts(*extent);
    for (std::size_t i = 0; i < m_starts.size() && !m_badSegment; ++i)
    {
        TryChain(m_starts[i], true);
    }
    m_starts.assign(m_likelyStarts.lower_bound(extent->begin),
                    m_likelyStarts.lower_bound(extent->end));
    for (std::size_t i = 0; i < m_starts.size() && !m_badSegment; ++i)
    {
        TryChain(m_starts[i], false);
        if (m_tried.count(m_starts[i]) != 0)
        {
            m_likelyStarts.erase(m_starts[i]);
        }
    }
}

void
FpduAssembler::CollectCertainStarts(const PositionRange& extent)
{
    m_starts.clear();
    const auto next = m_placed.lower_bound(extent.begin);
    if (next != m_placed.begin())
    {
        const auto& [start, fpdu] = *std::prev(next);
        if (start + fpdu.wireSize == extent.begin)
        {
            m_starts.push_back(extent.begin);
        }
    }
    const auto triedEnd = m_tried.lower_bound(extent.end);
    for (auto tried = m_tried.lower_bound(extent.begin); tried != triedEnd; ++tried)
    {
        if (tried->second.valid && m_tried.count(tried->second.end) == 0)
        {
            m_starts.push_back(tried->second.end);
        }
    }
    if (!m_options.framing.markers)
    {
        return;
    }
    const ByteSpan octets = m_buffer.From(extent.begin);
    for (uint64_t at = Marker::NextPosition(extent.begin); at + Marker::SIZE <= extent.end;
         at += Marker::INTERVAL)
    {
        const Marker marker = Marker::Decode(octets.subspan(at - extent.begin, Marker::SIZE));
        const auto start = marker.FindFpdu(at);
        if (start && *start >= extent.begin && (m_starts.empty() || m_starts.back() != *start))
        {
            m_starts.push_back(*start);
        }
    }
}

void
FpduAssembler::TryChain(uint64_t start, bool certain)
{
    auto end = TryFpdu(start, certain);
    while (end && !m_badSegment)
    {
        end = TryFpdu(*end, true);
    }
}

std::optional<uint64_t>
FpduAssembler::TryFpdu(uint64_t start, bool certain)
{
    if (start <= m_front || m_tried.count(start) != 0)
    {
        return std::nullopt;
    }
    const ByteSpan octets = m_buffer.From(start);
    const auto size = m_options.framing.PeekWireSize(octets, start);
    if (!size)
    {
        return std::nullopt;
    }
    const uint64_t end = start + *size;
    if (*size > octets.size())
    {
        if (certain && UsesAlignment())
        {
            m_likelyStarts.insert(end);
        }
        return std::nullopt;
    }
    PlacedFpdu fpdu;
    fpdu.wireSize = *size;
    fpdu.octets.assign(octets.begin(), octets.begin() + *size);
    const auto ulpdu = m_options.framing.Open(fpdu.octets, start);
    if (!ulpdu)
    {
        m_tried[start] = {end, false};
        m_badSegment = m_options.dropBadSegments && certain && IsFresh({start, end});
        return std::nullopt;
    }
    if (ulpdu->empty() || !m_place || !m_place(*ulpdu))
    {
        m_tried[start] = {end, true};
        return end;
    }
    fpdu.ulpdu = *ulpdu;
    m_placed.emplace(start, std::move(fpdu));
    m_buffer.Erase(start, end);
    m_likelyStarts.erase(m_likelyStarts.lower_bound(start), m_likelyStarts.lower_bound(end));
    ++m_statistics.placedFpdus;
    return end;
}

bool
FpduAssembler::IsFresh(const PositionRange& range) const
{
    return std::any_of(m_fresh.begin(), m_fresh.end(), [&range](const PositionRange& fresh) {
        return fresh.Contains(range);
    });
}

void
FpduAssembler::ForgetFresh()
{
    for (const PositionRange& fresh : m_fresh)
    {
        m_buffer.Erase(fresh.begin, fresh.end);
        m_likelyStarts.erase(m_likelyStarts.lower_bound(fresh.begin),
                             m_likelyStarts.lower_bound(fresh.end));
        auto tried = m_tried.begin();
        while (tried != m_tried.end() && tried->first < fresh.end)
        {
            tried = tried->second.end > fresh.begin ? m_tried.erase(tried) : std::next(tried);
        }
    }
}

const FpduAssembler::PlacedFpdu*
FpduAssembler::FindPlaced(uint64_t position) const
{
    const auto placed = m_placed.find(position);
    return placed == m_placed.end() ? nullptr : &placed->second;
}

bool
FpduAssembler::HasPlacedBetween(uint64_t begin, uint64_t end) const
{
    const auto placed = m_placed.upper_bound(begin);
    return placed != m_placed.end() && placed->first < end;
}

void
FpduAssembler::Advance(uint64_t delivered, uint64_t received)
{
    m_received = std::max(m_received, received);
    m_placed.erase(m_placed.begin(), m_placed.lower_bound(delivered));
    if (delivered > m_front)
    {
        m_buffer.Erase(0, delivered);
        m_front = delivered;
        m_fresh.clear();
        m_badSegment = false;
        WalkFront();
    }
    m_tried.erase(m_tried.begin(), m_tried.lower_bound(m_front));
    m_likelyStarts.erase(m_likelyStarts.begin(), m_likelyStarts.upper_bound(m_front));
}

} // namespace ns3::nfsrdma
