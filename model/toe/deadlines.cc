/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/deadlines.h"

namespace ns3::nfsrdma
{

std::optional<Time>
TcpDeadlines::GetNext() const
{
    std::optional<Time> next;
    for (const auto& at : m_at)
    {
        if (at && (!next || *at < *next))
        {
            next = at;
        }
    }
    return next;
}

std::optional<TcpTimer>
TcpDeadlines::Take(Time now)
{
    const auto next = GetNext();
    if (!next || *next > now)
    {
        return std::nullopt;
    }
    std::size_t index = 0;
    while (m_at[index] != next)
    {
        ++index;
    }
    m_at[index].reset();
    return static_cast<TcpTimer>(index);
}

} // namespace ns3::nfsrdma
