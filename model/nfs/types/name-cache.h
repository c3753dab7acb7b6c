/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_NAME_CACHE_H
#define NFSRDMA_NFS_TYPES_NAME_CACHE_H

#include "nfs/types/file-requests.h"
#include "nfs/types/recent-map.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief The names that a client has looked up or made (dentries): what they stand for, and under
 * which version of their directory (AttributeCache::GetVersion()) that was so, as
 * nfs_set_verifier() of fs/nfs/dir.c keeps it.
 */
class NameCache
{
  public:
    struct Entry
    {
        std::optional<FileRef> object; ///< Nothing: there is no such name.
        uint64_t version{0};
    };

    /// \param most names
    explicit NameCache(std::size_t most)
        : m_entries(most)
    {
    }

    /// \return null when it is not known.
    [[nodiscard]] const Entry* Find(const FileName& where)
    {
        return m_entries.Find({where.dir.octets, where.name});
    }

    /// \param object nothing: there is no such name
    void Put(const FileName& where, std::optional<FileRef> object, uint64_t version)
    {
        m_entries.Get({where.dir.octets, where.name}) = {std::move(object), version};
    }

    void Drop(const FileName& where)
    {
        m_entries.Erase({where.dir.octets, where.name});
    }

    void Clear()
    {
        m_entries.Clear();
    }

  private:
    RecentMap<std::pair<ByteVector, std::string>, Entry> m_entries; ///< By directory and name.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_NAME_CACHE_H
