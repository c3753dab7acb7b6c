/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/context-cache.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

bool
operator==(const CacheGeometry& a, const CacheGeometry& b)
{
    return a.entries == b.entries && a.ways == b.ways && a.replacement == b.replacement;
}

/// Xorshift of 32 bits (Marsaglia 2003), which goes through all values but 0.
uint32_t
Shift(uint32_t value)
{
    value ^= value << 13U;
    value ^= value >> 17U;
    return value ^ (value << 5U);
}

} // namespace

void
ContextCache::Build(const CacheGeometry& geometry)
{
    m_geometry = geometry;
    const bool divides = geometry.ways != 0 && geometry.entries % geometry.ways == 0;
    m_ways = divides ? geometry.ways : geometry.entries;
    m_sets.assign(geometry.entries / m_ways, {});
    m_places.clear();
}

bool
ContextCache::Use(uint64_t number, const CacheGeometry& geometry)
{
    if (geometry.entries == 0)
    {
        return true;
    }
    if (!(geometry == m_geometry))
    {
        Build(geometry);
    }
    ++m_uses;
    const auto known = m_places.find(number);
    if (known != m_places.end())
    {
        m_sets[known->second.set][known->second.way].used = m_uses;
        return true;
    }
    const std::size_t index = number % m_sets.size();
    auto& set = m_sets[index];
    std::size_t way = set.size();
    if (way < m_ways)
    {
        set.push_back({number, m_uses});
    }
    else
    {
        way = ChooseVictim(set);
        m_places.erase(set[way].number);
        set[way] = {number, m_uses};
    }
    m_places.emplace(number, Place{index, way});
    return false;
}

std::size_t
ContextCache::ChooseVictim(const std::vector<Entry>& set)
{
    if (m_geometry.replacement == CacheReplacement::RANDOM)
    {
        m_shiftRegister = Shift(m_shiftRegister);
        return m_shiftRegister % set.size();
    }
    const auto oldest =
        std::min_element(set.begin(), set.end(), [](const Entry& a, const Entry& b) {
            return a.used < b.used;
        });
    return static_cast<std::size_t>(std::distance(set.begin(), oldest));
}

void
ContextCache::Remove(uint64_t number)
{
    const auto known = m_places.find(number);
    if (known == m_places.end())
    {
        return;
    }
    const Place place = known->second;
    m_places.erase(known);
    auto& set = m_sets[place.set];
    if (place.way + 1 != set.size())
    {
        set[place.way] = set.back();
        m_places[set[place.way].number].way = place.way;
    }
    set.pop_back();
}

} // namespace ns3::nfsrdma
