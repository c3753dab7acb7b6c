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
    if (m_pieces.empty() || m_pieces.back().offset < offset)
    {
        m_pieces.push_back({offset, octets});
        return;
    }
    m_pieces.insert(FindBehind(offset), {offset, octets});
}

/// \return the first piece that begins behind \p offset.
Ring<PayloadQueue::Piece>::const_iterator
PayloadQueue::FindBehind(uint64_t offset) const
{
    return std::upper_bound(
        m_pieces.begin(),
        m_pieces.end(),
        offset,
        [](uint64_t value, const Piece& piece) { return value < piece.offset; });
}

Ptr<Packet>
PayloadQueue::Get(uint64_t offset, uint32_t length) const
{
    auto piece = std::prev(FindBehind(offset));
    Ptr<Packet> octets;
    while (length > 0)
    {
        NS_ASSERT(piece != m_pieces.end() && piece->offset <= offset);
        const auto skip = static_cast<uint32_t>(offset - piece->offset);
        const uint32_t size = std::min(length, piece->octets->GetSize() - skip);
        const Ptr<Packet> part = size == piece->octets->GetSize()
                                     ? piece->octets->Copy()
                                     : piece->octets->CreateFragment(skip, size);
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

Ptr<Packet>
PayloadQueue::Take(uint64_t offset, uint32_t length)
{
    const Piece& first = m_pieces.front();
    Ptr<Packet> octets;
    if (first.offset == offset && first.octets->GetSize() == length)
    {
        octets = first.octets;
        m_pieces.pop_front();
        return octets;
    }
    octets = Get(offset, length);
    Release(offset + length);
    return octets;
}

void
PayloadQueue::Release(uint64_t offset)
{
    while (!m_pieces.empty() &&
           m_pieces.front().offset + m_pieces.front().octets->GetSize() <= offset)
    {
        m_pieces.pop_front();
    }
}

} // namespace ns3::nfsrdma
