/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/read-ahead.h"

namespace ns3::nfsrdma
{

namespace
{

/// get_init_ra_size()
uint64_t
GetFirstSize(uint64_t wanted, uint64_t greatest)
{
    uint64_t size = 1;
    while (size < wanted)
    {
        size *= 2;
    }
    if (size <= greatest / 32)
    {
        return size * 4;
    }
    return size <= greatest / 4 ? size * 2 : greatest;
}

/// get_next_ra_size()
uint64_t
GetNextSize(uint64_t size, uint64_t greatest)
{
    if (size < greatest / 16)
    {
        return size * 4;
    }
    return size <= greatest / 2 ? size * 2 : greatest;
}

} // namespace

PageRange
ReadAhead::OnMiss(uint64_t index, uint64_t wanted, uint64_t greatest)
{
    if (greatest == 0)
    {
        return {index, wanted};
    }
    if (index == 0)
    {
        return Open(index, wanted, greatest);
    }
    if (IsExpected(index))
    {
        return Advance(index, greatest);
    }
    const bool isNext =
        m_previous != UINT64_MAX && (index == m_previous || index == m_previous + 1);
    if (wanted > greatest || isNext)
    {
        return Open(index, wanted, greatest);
    }
    return {index, wanted};
}

PageRange
ReadAhead::OnMarker(uint64_t index, uint64_t wanted, uint64_t greatest)
{
    m_marked = false;
    if (greatest == 0)
    {
        return {index, 0};
    }
    return IsExpected(index) ? Advance(index, greatest) : Open(index, wanted, greatest);
}

PageRange
ReadAhead::Open(uint64_t index, uint64_t wanted, uint64_t greatest)
{
    m_start = index;
    m_size = GetFirstSize(wanted, greatest);
    m_asynchronous = m_size > wanted ? m_size - wanted : m_size;
    return Submit(index, greatest);
}

PageRange
ReadAhead::Advance(uint64_t index, uint64_t greatest)
{
    m_start += m_size;
    m_size = GetNextSize(m_size, greatest);
    m_asynchronous = m_size;
    return Submit(index, greatest);
}

PageRange
ReadAhead::Submit(uint64_t index, uint64_t greatest)
{
    if (index == m_start && m_size == m_asynchronous)
    {
        const uint64_t more = GetNextSize(m_size, greatest);
        if (m_size + more <= greatest)
        {
            m_asynchronous = more;
            m_size += more;
        }
        else
        {
            m_size = greatest;
            m_asynchronous = greatest / 2;
        }
    }
    m_marked = m_asynchronous != 0;
    return {m_start, m_size};
}

} // namespace ns3::nfsrdma
