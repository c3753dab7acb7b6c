/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/payload-queue.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
PayloadQueue::Add(uint64_t offset, Ptr<Packet> octets)
{
    m_packets.emplace_hint(m_packets.end(), offset, octets);
}

Ptr<Packet>
PayloadQueue::Get(uint64_t offset, uint32_t length) const
{
    auto piece = std::prev(m_packets.upper_bound(offset));
    Ptr<Packet> octets;
    while (length > 0)
    {
        NS_ASSERT(piece != m_packets.end() && piece->first <= offset);
        const auto skip = static_cast<uint32_t>(offset - piece->first);
        const uint32_t size = std::min(length, piece->second->GetSize() - skip);
        const Ptr<Packet> part = piece->second->CreateFragment(skip, size);
        if (octets)
        {
            octets->AddAtEnd(part);
        }
        else
        {
            octets = part;
        }
        offset += size;
        length -= size;
        ++piece;
    }
    return octets;
}

void
PayloadQueue::Release(uint64_t offset)
{
    while (!m_packets.empty() &&
           m_packets.begin()->first + m_packets.begin()->second->GetSize() <= offset)
    {
        m_packets.erase(m_packets.begin());
    }
}

} // namespace ns3::nfsrdma
