/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/inline-data.h"

#include <algorithm>

namespace ns3::nfsrdma
{

MutableByteSpan
InlineData::Append(uint32_t length)
{
    const std::size_t position = m_octets.size();
    m_octets.resize(position + length);
    return MutableByteSpan(m_octets).subspan(position);
}

void
InlineData::Read(uint32_t offset, MutableByteSpan out) const
{
    std::copy_n(m_octets.begin() + static_cast<std::ptrdiff_t>(m_head + offset),
                out.size(),
                out.begin());
}

void
InlineData::Remove(uint32_t length)
{
    m_head += length;
    if (m_head == m_octets.size())
    {
        Clear();
    }
    else if (m_head > m_octets.size() / 2)
    {
        m_octets.erase(m_octets.begin(), m_octets.begin() + static_cast<std::ptrdiff_t>(m_head));
        m_head = 0;
    }
}

void
InlineData::Clear()
{
    m_octets.clear();
    m_head = 0;
}

} // namespace ns3::nfsrdma
