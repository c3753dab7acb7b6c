/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/sparse-file.h"

#include <algorithm>

namespace ns3::nfsrdma
{

uint64_t
SparseFile::FindData(uint64_t offset) const
{
    if (offset < m_backgroundSize)
    {
        return offset;
    }
    const uint64_t page = offset / PAGE_SIZE;
    const auto next = m_pages.lower_bound(page);
    if (next == m_pages.end())
    {
        return m_size;
    }
    return std::min(m_size, std::max(offset, next->first * PAGE_SIZE));
}

uint64_t
SparseFile::FindHole(uint64_t offset) const
{
    uint64_t at = std::max(offset, m_backgroundSize);
    uint64_t page = at / PAGE_SIZE;
    for (auto it = m_pages.find(page); it != m_pages.end() && it->first == page; ++it)
    {
        ++page;
        at = page * PAGE_SIZE;
    }
    return std::min(at, m_size);
}

void
SparseFile::Punch(uint64_t offset, uint64_t length)
{
    if (offset >= m_size || length == 0)
    {
        return;
    }
    const uint64_t end = length > m_size - offset ? m_size : offset + length;
    const auto zero = [this](uint64_t from, uint64_t to) {
        Write(from, to - from, [](uint64_t /* position */, MutableByteSpan octets) {
            std::fill(octets.begin(), octets.end(), uint8_t{0});
        });
    };
    const uint64_t overBackground = std::min(end, m_backgroundSize);
    if (offset < overBackground)
    {
        zero(offset, overBackground);
    }
    const uint64_t from = std::max(offset, overBackground);
    for (auto it = m_pages.lower_bound(from / PAGE_SIZE);
         it != m_pages.end() && it->first * PAGE_SIZE < end;)
    {
        const uint64_t first = std::max(from, it->first * PAGE_SIZE);
        const uint64_t last = std::min(end, (it->first + 1) * PAGE_SIZE);
        const bool whole = last - first == PAGE_SIZE || (last == m_size && first % PAGE_SIZE == 0);
        if (whole && it->first >= GetBackgroundPages())
        {
            --m_pagesBeyond;
            it = m_pages.erase(it);
            continue;
        }
        std::fill(it->second->begin() + first % PAGE_SIZE,
                  it->second->begin() + first % PAGE_SIZE + (last - first),
                  uint8_t{0});
        ++it;
    }
}

} // namespace ns3::nfsrdma
