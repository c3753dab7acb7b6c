/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/link-state.h"

#include <algorithm>

namespace ns3::nfsrdma
{

std::size_t
LinkState::AddLimit(Limit limit)
{
    m_limits.emplace(m_nextLimit, limit);
    return m_nextLimit++;
}

const LinkState::Limit*
LinkState::GetLimit() const
{
    const auto narrowest =
        std::min_element(m_limits.begin(), m_limits.end(), [](const auto& a, const auto& b) {
            return a.second.mtu < b.second.mtu;
        });
    return narrowest == m_limits.end() ? nullptr : &narrowest->second;
}

void
LinkState::Heal()
{
    m_downs = 0;
    m_limits.clear();
}

} // namespace ns3::nfsrdma
