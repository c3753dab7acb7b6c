/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_READ_AHEAD_H
#define NFSRDMA_NFS_STORE_READ_AHEAD_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Pages of a file from first on.
struct PageRange
{
    uint64_t first{0};
    uint64_t count{0};
};

/**
 * \brief What to read ahead in one file, as ondemand_readahead() of Linux 6.1 (mm/readahead.c)
 * decides it for an open file. (Its look at what the cache holds of other streams,
 * try_context_readahead(), is left out.)
 *
 *     |<- start, size pages ------------------------->|
 *                              |<- asynchronous part ->|
 *                              marker: who reads this page causes the next window to be read
 *
 * A read at the file's start, behind the one before, or larger than the greatest window opens a
 * window; each next one is two or four times as large, up to the greatest. A random read reads what
 * it asks for.
 */
class ReadAhead
{
  public:
    /// A page that is not in the cache is wanted. \param index of it \param wanted pages of the
    /// read from there on, at least 1 \param greatest window, pages; 0: none \return what to read
    PageRange OnMiss(uint64_t index, uint64_t wanted, uint64_t greatest);
    /// The page at the marker has been found in the cache. The same parameters.
    PageRange OnMarker(uint64_t index, uint64_t wanted, uint64_t greatest);

    /// \return whether \p index is the page at the marker.
    [[nodiscard]] bool IsMarker(uint64_t index) const
    {
        return m_marked && index == m_start + m_size - m_asynchronous;
    }

    /// A read has ended with page \p last.
    void SetPrevious(uint64_t last)
    {
        m_previous = last;
    }

  private:
    PageRange Open(uint64_t index, uint64_t wanted, uint64_t greatest);
    PageRange Advance(uint64_t index, uint64_t greatest);
    PageRange Submit(uint64_t index, uint64_t greatest);

    [[nodiscard]] bool IsExpected(uint64_t index) const
    {
        return m_size != 0 &&
               (index == m_start + m_size - m_asynchronous || index == m_start + m_size);
    }

    uint64_t m_start{0};
    uint64_t m_size{0}; ///< 0: no window yet.
    uint64_t m_asynchronous{0};
    bool m_marked{false}; ///< The marker has not been met yet.
    uint64_t m_previous{UINT64_MAX};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_READ_AHEAD_H
