/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/interconnect.h"

#include "host/memory.h"
#include "host/transfer-time.h"

#include <algorithm>

namespace ns3::nfsrdma
{

uint64_t
HostInterconnect::CountRemote(const std::vector<MemoryPiece>& pieces) const
{
    uint64_t remote = 0;
    for (const MemoryPiece& piece : pieces)
    {
        if (m_costs.memorySocket != HostCosts::INTERLEAVED)
        {
            remote += m_costs.memorySocket == HostCosts::OTHER ? piece.length : 0;
            continue;
        }
        const uint64_t end = piece.address + piece.length;
        for (uint64_t at = piece.address; at < end;)
        {
            const uint64_t page = at / HostMemory::PAGE_SIZE;
            const uint64_t next = std::min(end, (page + 1) * HostMemory::PAGE_SIZE);
            remote += page % m_costs.sockets == 0 ? 0 : next - at;
            at = next;
        }
    }
    return remote;
}

Time
HostInterconnect::GetCrossing(const std::vector<MemoryPiece>& pieces) const
{
    const uint64_t remote = CountRemote(pieces);
    return remote == 0 ? Time(0)
                       : m_costs.socketLatency + GetTransferTime(remote, m_costs.socketRate);
}

Time
HostInterconnect::Cross(Direction direction, const std::vector<MemoryPiece>& pieces, Time time)
{
    const uint64_t remote = CountRemote(pieces);
    if (remote == 0)
    {
        return time;
    }
    Time& free = m_free.at(static_cast<std::size_t>(direction));
    free = std::max(free, time) + GetTransferTime(remote, m_costs.socketRate);
    return free + m_costs.socketLatency;
}

} // namespace ns3::nfsrdma
