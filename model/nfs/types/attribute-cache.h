/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_ATTRIBUTE_CACHE_H
#define NFSRDMA_NFS_TYPES_ATTRIBUTE_CACHE_H

#include "nfs/types/file-requests.h"
#include "nfs/types/recent-map.h"
#include "settings/setting.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// Which names a client keeps, as the mount option of that name says.
enum class LookupCache
{
    ALL,
    POSITIVE, ///< Those that were found.
    NONE
};

/// What can be set of a client's caches: caches.def has the fields.
struct FileCacheSettings
{
#define SETTING(type, name, ...) type name{};
#include "nfs/types/caches.def"
#undef SETTING

    [[nodiscard]] static const std::vector<Setting<FileCacheSettings>>& GetRows();

    /// \return the least and the most time for which attributes are trusted, with actimeo and noac.
    [[nodiscard]] Time GetLeast(bool isDirectory) const;
    [[nodiscard]] Time GetMost(bool isDirectory) const;
};

/**
 * \brief The attributes of objects that a client has seen, and for how long it trusts them, as
 * Linux's NFS client does (nfs_update_inode(), nfs_wcc_update_inode(), nfs_attribute_timeout() and
 * nfs_access_get_cached() of fs/nfs, 6.1).
 *
 * Attributes are trusted from when the call went whose reply had them, for a time that begins at
 * the least and doubles, up to the most, when they are seen to be the same after it has passed;
 * another change attribute brings it back to the least. A change by the client itself, told by what
 * was before it (wcc_data, change_info4), is none of that; of a file, its own WRITEs never are.
 * What has an older change attribute than is known came late, and is not looked at. While the
 * client holds a delegation of a file its attributes are trusted without end.
 *
 * Of a directory the version counts changes by others: names that were seen under another one have
 * to be looked up again.
 */
class AttributeCache
{
  public:
    explicit AttributeCache(const FileCacheSettings& settings);

    enum class State
    {
        UNKNOWN, ///< Never seen, or forgotten.
        OLD,     ///< They have to be asked for.
        CURRENT
    };

    /// \return of all attributes of \p object. \param delegated the client holds a delegation of it
    [[nodiscard]] State GetState(const FileRef& object, bool delegated);
    /// \return of its change attribute alone.
    [[nodiscard]] State GetChangeState(const FileRef& object, bool delegated);
    /// \return its attributes, as a reply would tell them; nothing when not all are known.
    [[nodiscard]] std::optional<FileNews> Find(const FileRef& object);
    [[nodiscard]] uint64_t GetVersion(const FileRef& directory);

    /// A reply told \p news. \param sent when its call went
    void Take(const FileNews& news, Time sent);
    /// It has changed, nobody knows how.
    void Invalidate(const FileRef& object);
    /// It is not there any more.
    void Forget(const FileRef& object);

    /// Forgets all objects.
    void Clear()
    {
        m_entries.Clear();
    }

    /// \return the rights of \p wanted (ACCESS3_*) that the user has, if known; they are as old as
    /// the attributes.
    [[nodiscard]] std::optional<uint32_t> FindAccess(const FileRef& object, uint32_t wanted);
    void TakeAccess(const FileRef& object, uint32_t wanted, uint32_t granted);
    void DropAccess(const FileRef& object);

    /// \return how often attributes were found to have been changed by others.
    [[nodiscard]] uint64_t GetInvalidations() const
    {
        return m_invalidations;
    }

  private:
    struct Entry
    {
        std::optional<uint64_t> change;
        bool whole{false}; ///< All of the attributes are known.
        bool stale{false}; ///< They have to be asked for, however young.
        Fattr3 attributes;
        bool isDirectory{false};
        uint64_t version{0};
        Time seen;         ///< When the call went that brought them.
        Time timeout;      ///< attrtimeo.
        Time since;        ///< attrtimeo_timestamp.
        uint32_t asked{0}; ///< ACCESS3_* bits that are known.
        uint32_t granted{0};
    };

    Entry& Get(const FileRef& object);
    [[nodiscard]] static State GetState(const Entry* entry, bool delegated);
    static void Merge(Entry& entry, const FileNews& news);

    const FileCacheSettings& m_settings;
    RecentMap<ByteVector, Entry> m_entries; ///< By handle.
    uint64_t m_versions{0};                 ///< Given so far, so that none comes twice.
    uint64_t m_invalidations{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_ATTRIBUTE_CACHE_H
