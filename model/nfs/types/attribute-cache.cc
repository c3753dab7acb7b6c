/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/attribute-cache.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

#define SETTINGS_OF FileCacheSettings
#define SETTINGS_FILE "nfs/types/caches.def"
#include "settings/rows.def"

Time
FileCacheSettings::GetLeast(bool isDirectory) const
{
    if (noac)
    {
        return Time(0);
    }
    return actimeo.IsZero() ? (isDirectory ? acdirmin : acregmin) : actimeo;
}

Time
FileCacheSettings::GetMost(bool isDirectory) const
{
    if (noac)
    {
        return Time(0);
    }
    return actimeo.IsZero() ? (isDirectory ? acdirmax : acregmax) : actimeo;
}

AttributeCache::AttributeCache(const FileCacheSettings& settings)
    : m_settings(settings),
      m_entries(settings.cachedObjects)
{
}

AttributeCache::Entry&
AttributeCache::Get(const FileRef& object)
{
    Entry& entry = m_entries.Get(object.octets);
    if (entry.version == 0)
    {
        entry.version = ++m_versions;
    }
    return entry;
}

AttributeCache::State
AttributeCache::GetState(const Entry* entry, bool delegated)
{
    if (entry == nullptr || !entry->change)
    {
        return State::UNKNOWN;
    }
    const bool young = delegated || Simulator::Now() < entry->seen + entry->timeout;
    return young && !entry->stale ? State::CURRENT : State::OLD;
}

AttributeCache::State
AttributeCache::GetState(const FileRef& object, bool delegated)
{
    const Entry* const entry = m_entries.Find(object.octets);
    const State state = GetState(entry, delegated);
    return state == State::CURRENT && !entry->whole ? State::OLD : state;
}

AttributeCache::State
AttributeCache::GetChangeState(const FileRef& object, bool delegated)
{
    return GetState(m_entries.Find(object.octets), delegated);
}

std::optional<FileNews>
AttributeCache::Find(const FileRef& object)
{
    const Entry* const entry = m_entries.Find(object.octets);
    if (entry == nullptr || !entry->change || !entry->whole)
    {
        return std::nullopt;
    }
    FileNews news;
    news.object = object;
    news.change = entry->change;
    news.attributes = entry->attributes;
    return news;
}

uint64_t
AttributeCache::GetVersion(const FileRef& directory)
{
    return Get(directory).version;
}

void
AttributeCache::Merge(Entry& entry, const FileNews& news)
{
    entry.isDirectory = entry.isDirectory || news.isDirectory;
    if (!news.attributes)
    {
        return;
    }
    if (news.whole)
    {
        entry.attributes = *news.attributes;
        entry.whole = true;
        entry.isDirectory = news.attributes->type == Ftype3::DIR;
        return;
    }
    entry.attributes.size = news.attributes->size;
    entry.attributes.mtime = news.attributes->mtime;
    entry.attributes.ctime = news.attributes->ctime;
}

void
AttributeCache::Take(const FileNews& news, Time sent)
{
    if (!news.change)
    {
        Invalidate(news.object);
        return;
    }
    Entry& entry = Get(news.object);
    const uint64_t change = *news.change;
    if (entry.change && change < *entry.change)
    {
        return;
    }
    const Time now = Simulator::Now();
    const bool isNew = !entry.change;
    const bool isSame = !isNew && change == *entry.change;
    const bool follows = news.before ? entry.change == news.before : news.own;
    if (!isSame && !(news.attributes && (news.whole || follows)))
    {
        entry.whole = false;
    }
    entry.change = change;
    entry.stale = false;
    entry.seen = Max(entry.seen, sent);
    Merge(entry, news);
    const Time least = m_settings.GetLeast(entry.isDirectory);
    if (isNew)
    {
        // Names that were seen before may be older than these attributes.
        entry.version = ++m_versions;
        entry.timeout = least;
        entry.since = now;
        return;
    }
    if (!isSame && !follows)
    {
        ++m_invalidations;
        entry.version = ++m_versions;
        entry.asked = 0;
        entry.timeout = least;
        entry.since = now;
        return;
    }
    if (now >= entry.since + entry.timeout)
    {
        entry.timeout = Min(entry.timeout + entry.timeout, m_settings.GetMost(entry.isDirectory));
    }
    entry.since = now;
}

void
AttributeCache::Invalidate(const FileRef& object)
{
    if (Entry* const entry = m_entries.Find(object.octets))
    {
        entry->stale = true;
    }
}

void
AttributeCache::Forget(const FileRef& object)
{
    m_entries.Erase(object.octets);
}

std::optional<uint32_t>
AttributeCache::FindAccess(const FileRef& object, uint32_t wanted)
{
    const Entry* const entry = m_entries.Find(object.octets);
    if (entry == nullptr || (wanted & ~entry->asked) != 0)
    {
        return std::nullopt;
    }
    return entry->granted & wanted;
}

void
AttributeCache::TakeAccess(const FileRef& object, uint32_t wanted, uint32_t granted)
{
    Entry& entry = Get(object);
    entry.asked |= wanted;
    entry.granted = (entry.granted & ~wanted) | (granted & wanted);
}

void
AttributeCache::DropAccess(const FileRef& object)
{
    if (Entry* const entry = m_entries.Find(object.octets))
    {
        entry->asked = 0;
    }
}

} // namespace ns3::nfsrdma
