/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_RECEIVE_QUEUE_H
#define NFSRDMA_TEST_MPA_RECEIVE_QUEUE_H

#include "wire/bytes.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ns3::nfsrdma
{

/// The receive side of a TCP, octet by octet.
class ReceiveQueue
{
  public:
    /// \param start offset of the first octet
    explicit ReceiveQueue(uint64_t start = 0)
        : m_start(start)
    {
    }

    void Add(uint64_t offset, ByteSpan octets)
    {
        const uint64_t end = offset + octets.size() - m_start;
        if (end > m_octets.size())
        {
            m_octets.resize(end);
            m_here.resize(end, false);
        }
        for (std::size_t i = 0; i < octets.size(); ++i)
        {
            const uint64_t at = offset + i - m_start;
            if (at >= m_taken && (!m_here[at] || laterWins))
            {
                m_octets[at] = octets[i];
                m_outOfOrder += m_here[at] ? 0 : 1;
                m_here[at] = true;
            }
        }
        for (; m_ordered < m_here.size() && m_here[m_ordered]; ++m_ordered)
        {
            --m_outOfOrder;
        }
    }

    /// \return what is in order and has not been taken, at most \p limit octets.
    ByteVector Take(std::size_t limit = std::numeric_limits<std::size_t>::max())
    {
        const std::size_t end = m_taken + std::min(limit, m_ordered - m_taken);
        const ByteVector taken(m_octets.begin() + static_cast<std::ptrdiff_t>(m_taken),
                               m_octets.begin() + static_cast<std::ptrdiff_t>(end));
        m_taken = end;
        return taken;
    }

    bool HasOrdered() const
    {
        return m_ordered > m_taken;
    }

    uint64_t GetTakenOffset() const
    {
        return m_start + m_taken;
    }

    uint32_t GetOutOfOrderOctets() const
    {
        return m_outOfOrder;
    }

    /// Whether octets that come again replace those not yet taken.
    bool laterWins{false};

  private:
    uint64_t m_start;
    ByteVector m_octets;
    std::vector<bool> m_here;
    uint64_t m_taken{0};
    uint64_t m_ordered{0};
    uint32_t m_outOfOrder{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_RECEIVE_QUEUE_H
