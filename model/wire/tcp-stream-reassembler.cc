/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/tcp-stream-reassembler.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

void
TcpStreamReassembler::Open(uint32_t sequence)
{
    if (!m_open)
    {
        m_open = true;
        m_synSequence = sequence;
        m_nextSequence = sequence + 1;
    }
}

void
TcpStreamReassembler::Close(uint32_t sequence)
{
    if (!m_open)
    {
        m_open = true;
        m_nextSequence = sequence;
    }
    const int64_t end = ToOffset(sequence);
    if (!m_endOffset && end >= 0)
    {
        m_endOffset = static_cast<uint64_t>(end);
    }
}

int64_t
TcpStreamReassembler::ToOffset(uint32_t sequence) const
{
    const auto distance = static_cast<int32_t>(sequence - m_nextSequence);
    return static_cast<int64_t>(m_nextOffset) + distance;
}

ByteVector
TcpStreamReassembler::Add(uint32_t sequence, ByteSpan payload)
{
    if (payload.empty())
    {
        return {};
    }
    if (!m_open)
    {
        m_open = true;
        m_nextSequence = sequence;
    }
    const auto distance = static_cast<int32_t>(sequence - m_nextSequence);
    if (distance > 0)
    {
        ++m_outOfOrder;
        Keep(m_nextOffset + static_cast<uint64_t>(distance), payload);
        return {};
    }
    const auto known = static_cast<std::size_t>(-int64_t{distance});
    if (known >= payload.size())
    {
        m_repeated += payload.size();
        return {};
    }
    m_repeated += known;
    Keep(m_nextOffset, payload.subspan(known));
    ByteVector ready;
    while (!m_waiting.empty() && m_waiting.begin()->first == m_nextOffset + ready.size())
    {
        const ByteVector& octets = m_waiting.begin()->second;
        ready.insert(ready.end(), octets.begin(), octets.end());
        m_waiting.erase(m_waiting.begin());
    }
    m_waitingOctets -= ready.size();
    m_nextOffset += ready.size();
    m_nextSequence += static_cast<uint32_t>(ready.size());
    return ready;
}

void
TcpStreamReassembler::Keep(uint64_t offset, ByteSpan payload)
{
    const uint64_t end = offset + payload.size();
    uint64_t position = offset;
    auto next = m_waiting.upper_bound(offset);
    if (next != m_waiting.begin())
    {
        const auto& before = *std::prev(next);
        const uint64_t covered = std::min(end, before.first + before.second.size());
        m_repeated += covered > position ? covered - position : 0;
        position = std::max(position, covered);
    }
    while (position < end)
    {
        const uint64_t hole = next == m_waiting.end() ? end : std::min(end, next->first);
        if (hole > position)
        {
            const ByteSpan part = payload.subspan(position - offset, hole - position);
            m_waitingOctets += part.size();
            m_waiting.emplace_hint(next, position, ByteVector(part.begin(), part.end()));
        }
        position = hole;
        if (position < end)
        {
            const uint64_t covered = std::min(end, next->first + next->second.size());
            m_repeated += covered - position;
            position = covered;
            ++next;
        }
    }
}

} // namespace ns3::nfsrdma
