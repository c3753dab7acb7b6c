/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/failed-calls.h"

#include <algorithm>

namespace ns3::nfsrdma
{

SvcRdmaFailedCalls::SvcRdmaFailedCalls(uint32_t capacity)
    : m_capacity(capacity)
{
}

void
SvcRdmaFailedCalls::Add(const IpAddress& client, uint32_t xid)
{
    if (m_capacity == 0)
    {
        return;
    }
    Take(client, xid);
    if (m_calls.size() == m_capacity)
    {
        m_calls.pop_front();
    }
    m_calls.emplace_back(client, xid);
}

bool
SvcRdmaFailedCalls::Take(const IpAddress& client, uint32_t xid)
{
    const auto found = std::find(m_calls.begin(), m_calls.end(), std::pair(client, xid));
    if (found == m_calls.end())
    {
        return false;
    }
    m_calls.erase(found);
    return true;
}

} // namespace ns3::nfsrdma
