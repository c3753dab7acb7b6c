/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/client-read-ahead.h"

namespace ns3::nfsrdma
{

ClientReadAhead::ClientReadAhead(uint32_t most)
    : m_most(most)
{
}

uint32_t
ClientReadAhead::GetInitialSize(uint32_t wanted, uint32_t most)
{
    constexpr uint32_t SMALL = 32;
    constexpr uint32_t MIDDLE = 4;
    uint32_t size = 1;
    while (size < wanted)
    {
        size *= 2;
    }
    if (size <= most / SMALL)
    {
        return size * 4;
    }
    return size <= most / MIDDLE ? size * 2 : most;
}

uint32_t
ClientReadAhead::GetNextSize(uint32_t size, uint32_t most)
{
    constexpr uint32_t SMALL = 16;
    if (size < most / SMALL)
    {
        return 4 * size;
    }
    return size <= most / 2 ? 2 * size : most;
}

bool
ClientReadAhead::IsExpected(uint64_t page) const
{
    return page != 0 && m_size != 0 &&
           (page == m_start + m_size - m_asyncSize || page == m_start + m_size);
}

void
ClientReadAhead::Advance()
{
    m_start += m_size;
    m_size = GetNextSize(m_size, m_most);
    m_asyncSize = m_size;
}

ClientReadAhead::Window
ClientReadAhead::Submit(uint64_t page)
{
    if (page == m_start && m_size == m_asyncSize)
    {
        const uint32_t more = GetNextSize(m_size, m_most);
        if (m_size + more <= m_most)
        {
            m_asyncSize = more;
            m_size += more;
        }
        else
        {
            m_size = m_most;
            m_asyncSize = m_most / 2;
        }
    }
    Window window{m_start, m_size, std::nullopt};
    if (m_asyncSize != 0)
    {
        window.mark = m_start + m_size - m_asyncSize;
    }
    return window;
}

ClientReadAhead::Window
ClientReadAhead::Miss(uint64_t page, uint32_t wanted)
{
    if (m_most == 0)
    {
        return {page, wanted, std::nullopt};
    }
    if (IsExpected(page))
    {
        Advance();
        return Submit(page);
    }
    const bool sequential = page == 0 || (m_previous && page - *m_previous <= 1);
    if (!sequential && wanted <= m_most)
    {
        return {page, wanted, std::nullopt};
    }
    m_start = page;
    m_size = GetInitialSize(wanted, m_most);
    m_asyncSize = m_size > wanted ? m_size - wanted : m_size;
    return Submit(page);
}

ClientReadAhead::Window
ClientReadAhead::UseMark(uint64_t page, uint32_t wanted, uint64_t gap)
{
    if (IsExpected(page))
    {
        Advance();
        return Submit(page);
    }
    if (gap - page > m_most)
    {
        return {};
    }
    m_start = gap;
    m_size = GetNextSize(static_cast<uint32_t>(gap - page) + wanted, m_most);
    m_asyncSize = m_size;
    return Submit(page);
}

} // namespace ns3::nfsrdma
