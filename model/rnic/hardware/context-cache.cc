/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/context-cache.h"

namespace ns3::nfsrdma
{

bool
ContextCache::Use(uint32_t number, uint32_t capacity)
{
    if (capacity == 0)
    {
        return true;
    }
    const auto [place, added] = m_places.try_emplace(number);
    if (added)
    {
        place->second = m_order.insert(m_order.begin(), number);
    }
    else
    {
        m_order.splice(m_order.begin(), m_order, place->second);
    }
    while (m_order.size() > capacity)
    {
        m_places.erase(m_order.back());
        m_order.pop_back();
    }
    return !added;
}

void
ContextCache::Remove(uint32_t number)
{
    const auto place = m_places.find(number);
    if (place != m_places.end())
    {
        m_order.erase(place->second);
        m_places.erase(place);
    }
}

} // namespace ns3::nfsrdma
