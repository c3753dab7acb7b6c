/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_PAGE_CACHE_H
#define NFSRDMA_NFS_STORE_PAGE_CACHE_H

#include "nfs/store/directory.h"
#include "nfs/store/read-ahead.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief Which pages of which files are in a server's memory: no content and no time.
 *
 * A page is loading (being read from the device), dirty (not on the device yet), writing (on its
 * way there; it may become dirty again meanwhile), or none of these: then it is clean, and can be
 * given up. Of the others there may be more than the capacity. A page that becomes clean counts as
 * used then.
 *
 * TWO_LIST: a page used for the second time while it is inactive becomes active; when the active
 * list is the longer one its oldest page becomes inactive; the oldest inactive page is given up
 * (mm/vmscan.c, mark_page_accessed()).
 */
class PageCache
{
  public:
    /// Which clean page is given up.
    enum Replacement
    {
        LRU,     ///< The one used longest ago.
        TWO_LIST ///< As Linux: an inactive list that pages come to, an active one for those used
                 ///< again.
    };

    struct Page
    {
        bool dirty{false};
        uint64_t loading{0}; ///< Number of the read that brings it; 0: none.
        uint64_t writing{0}; ///< Number of the newest write under way; 0: none.

      private:
        friend class PageCache;
        using Place = std::list<std::pair<InodeNumber, uint64_t>>::iterator;
        std::optional<Place> place; ///< In one of the lists, when clean.
        bool active{false};
        bool referenced{false};
    };

    /// \param capacity pages
    PageCache(uint64_t capacity, Replacement replacement);

    [[nodiscard]] Page* Find(InodeNumber file, uint64_t index);
    /// \return the page, a new one when it is not there.
    Page& Insert(InodeNumber file, uint64_t index);
    /// A program has used the page, if it is there.
    void Touch(InodeNumber file, uint64_t index);
    void SetLoading(InodeNumber file, uint64_t index, uint64_t number);
    void SetWriting(InodeNumber file, uint64_t index, uint64_t number);
    void SetDirty(InodeNumber file, uint64_t index, bool dirty);
    /// Forgets the pages of \p file from \p first on, in whatever state.
    void Drop(InodeNumber file, uint64_t first = 0);
    void Clear();

    /// \param capacity pages, from the next Trim() on
    void SetCapacity(uint64_t capacity)
    {
        m_capacity = capacity;
    }

    /// Gives up clean pages while there are too many.
    void Trim();

    /// \return the lowest run of dirty pages of \p file in [first, last], of at most \p most pages;
    /// a count of 0 when there is none.
    [[nodiscard]] PageRange FindDirty(InodeNumber file,
                                      uint64_t first,
                                      uint64_t last,
                                      uint64_t most) const;
    /// Calls \p visit for the pages of \p file that are there in [first, last].
    void ForEach(InodeNumber file,
                 uint64_t first,
                 uint64_t last,
                 const std::function<void(uint64_t index, Page& page)>& visit);

    [[nodiscard]] uint64_t GetCapacity() const
    {
        return m_capacity;
    }

    [[nodiscard]] uint64_t GetCount() const
    {
        return m_count;
    }

    [[nodiscard]] uint64_t GetDirty() const
    {
        return m_dirty;
    }

    /// \return pages given up so far.
    [[nodiscard]] uint64_t GetEvicted() const
    {
        return m_evicted;
    }

    /// \return clean pages on the active list.
    [[nodiscard]] uint64_t GetActive() const
    {
        return m_active.size();
    }

  private:
    struct File
    {
        std::map<uint64_t, Page> pages;
        std::set<uint64_t> dirty;
    };

    using List = std::list<std::pair<InodeNumber, uint64_t>>; ///< Latest first.

    /// Puts the page on a list, or takes it off, by its state.
    void Place(InodeNumber file, uint64_t index, Page& page);
    void TakeOff(Page& page);
    void MoveTo(Page& page, bool active);

    uint64_t m_capacity;
    Replacement m_replacement;
    std::map<InodeNumber, File> m_files;
    List m_inactive; ///< Of LRU: all.
    List m_active;
    uint64_t m_count{0};
    uint64_t m_dirty{0};
    uint64_t m_evicted{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_PAGE_CACHE_H
