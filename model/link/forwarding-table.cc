/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/forwarding-table.h"

#include <algorithm>

namespace ns3::nfsrdma
{

uint32_t
ForwardingTable::AddGroup(std::vector<uint32_t> ports)
{
    const auto same = std::find(m_groups.begin(), m_groups.end(), ports);
    if (same != m_groups.end())
    {
        return static_cast<uint32_t>(same - m_groups.begin());
    }
    m_groups.push_back(std::move(ports));
    m_turns.push_back(0);
    return static_cast<uint32_t>(m_groups.size() - 1);
}

uint32_t
ForwardingTable::Choose(uint64_t address, uint32_t hash) const
{
    const auto found = m_destinations.find(address);
    if (found == m_destinations.end())
    {
        return NO_PORT;
    }
    const auto& ports = m_groups[found->second];
    return ports[uint64_t{hash} * ports.size() >> 32U];
}

uint32_t
ForwardingTable::TakeTurn(uint64_t address)
{
    const auto found = m_destinations.find(address);
    if (found == m_destinations.end())
    {
        return NO_PORT;
    }
    const auto& ports = m_groups[found->second];
    auto& turn = m_turns[found->second];
    const uint32_t port = ports[turn];
    turn = (turn + 1) % ports.size();
    return port;
}

uint64_t
ForwardingTable::FindNeighbour(uint32_t ipv4) const
{
    const auto found = m_neighbours.find(ipv4);
    return found == m_neighbours.end() ? 0 : found->second;
}

} // namespace ns3::nfsrdma
