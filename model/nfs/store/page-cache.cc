/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/page-cache.h"

namespace ns3::nfsrdma
{

PageCache::PageCache(uint64_t capacity, Replacement replacement)
    : m_capacity(capacity),
      m_replacement(replacement)
{
}

PageCache::Page*
PageCache::Find(InodeNumber file, uint64_t index)
{
    const auto found = m_files.find(file);
    if (found == m_files.end())
    {
        return nullptr;
    }
    const auto page = found->second.pages.find(index);
    return page == found->second.pages.end() ? nullptr : &page->second;
}

PageCache::Page&
PageCache::Insert(InodeNumber file, uint64_t index)
{
    const auto [page, isNew] = m_files[file].pages.try_emplace(index);
    if (isNew)
    {
        ++m_count;
        Place(file, index, page->second);
    }
    return page->second;
}

void
PageCache::Touch(InodeNumber file, uint64_t index)
{
    Page* page = Find(file, index);
    if (page == nullptr)
    {
        return;
    }
    if (m_replacement == PageCache::LRU)
    {
        if (page->place)
        {
            MoveTo(*page, false);
        }
        return;
    }
    if (page->active || !page->referenced)
    {
        page->referenced = true;
        return;
    }
    page->referenced = false;
    page->active = true;
    if (page->place)
    {
        m_active.splice(m_active.begin(), m_inactive, *page->place);
    }
}

void
PageCache::SetLoading(InodeNumber file, uint64_t index, uint64_t number)
{
    Page& page = Insert(file, index);
    page.loading = number;
    Place(file, index, page);
}

void
PageCache::SetWriting(InodeNumber file, uint64_t index, uint64_t number)
{
    Page& page = Insert(file, index);
    page.writing = number;
    Place(file, index, page);
}

void
PageCache::SetDirty(InodeNumber file, uint64_t index, bool dirty)
{
    Page& page = Insert(file, index);
    if (page.dirty == dirty)
    {
        return;
    }
    page.dirty = dirty;
    auto& indices = m_files.at(file).dirty;
    if (dirty)
    {
        indices.insert(index);
        ++m_dirty;
    }
    else
    {
        indices.erase(index);
        --m_dirty;
    }
    Place(file, index, page);
}

void
PageCache::Drop(InodeNumber file, uint64_t first)
{
    const auto found = m_files.find(file);
    if (found == m_files.end())
    {
        return;
    }
    auto& pages = found->second.pages;
    for (auto it = pages.lower_bound(first); it != pages.end(); it = pages.erase(it))
    {
        TakeOff(it->second);
        --m_count;
        m_dirty -= it->second.dirty ? 1 : 0;
    }
    auto& dirty = found->second.dirty;
    dirty.erase(dirty.lower_bound(first), dirty.end());
    if (pages.empty())
    {
        m_files.erase(found);
    }
}

void
PageCache::Clear()
{
    m_files.clear();
    m_inactive.clear();
    m_active.clear();
    m_count = 0;
    m_dirty = 0;
}

void
PageCache::Trim()
{
    while (m_count > m_capacity && !(m_inactive.empty() && m_active.empty()))
    {
        while (m_inactive.size() < m_active.size())
        {
            const auto [file, index] = m_active.back();
            MoveTo(*Find(file, index), false);
        }
        const auto [file, index] = m_inactive.back();
        m_inactive.pop_back();
        const auto found = m_files.find(file);
        found->second.pages.erase(index);
        if (found->second.pages.empty())
        {
            m_files.erase(found);
        }
        --m_count;
        ++m_evicted;
    }
}

PageRange
PageCache::FindDirty(InodeNumber file, uint64_t first, uint64_t last, uint64_t most) const
{
    PageRange range{first, 0};
    const auto found = m_files.find(file);
    if (found == m_files.end())
    {
        return range;
    }
    const auto& dirty = found->second.dirty;
    auto it = dirty.lower_bound(first);
    if (it == dirty.end() || *it > last)
    {
        return range;
    }
    range.first = *it;
    while (it != dirty.end() && *it <= last && *it == range.first + range.count &&
           range.count < most)
    {
        ++range.count;
        ++it;
    }
    return range;
}

void
PageCache::ForEach(InodeNumber file,
                   uint64_t first,
                   uint64_t last,
                   const std::function<void(uint64_t index, Page& page)>& visit)
{
    const auto found = m_files.find(file);
    if (found == m_files.end())
    {
        return;
    }
    auto& pages = found->second.pages;
    for (auto it = pages.lower_bound(first); it != pages.end() && it->first <= last; ++it)
    {
        visit(it->first, it->second);
    }
}

void
PageCache::Place(InodeNumber file, uint64_t index, Page& page)
{
    const bool isClean = !page.dirty && page.loading == 0 && page.writing == 0;
    if (!isClean)
    {
        TakeOff(page);
    }
    else if (!page.place)
    {
        auto& list = page.active ? m_active : m_inactive;
        list.emplace_front(file, index);
        page.place = list.begin();
    }
}

void
PageCache::TakeOff(Page& page)
{
    if (page.place)
    {
        (page.active ? m_active : m_inactive).erase(*page.place);
        page.place.reset();
    }
}

void
PageCache::MoveTo(Page& page, bool active)
{
    auto& from = page.active ? m_active : m_inactive;
    auto& to = active ? m_active : m_inactive;
    to.splice(to.begin(), from, *page.place);
    page.active = active;
    page.referenced = false;
}

} // namespace ns3::nfsrdma
