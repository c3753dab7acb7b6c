/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_DIRECTORY_H
#define NFSRDMA_NFS_STORE_DIRECTORY_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace ns3::nfsrdma
{

/// Number of an inode in a FileStore; the fileid of its attributes.
using InodeNumber = uint64_t;

/**
 * \brief The entries of one directory in order of insertion, each with a cookie that stays its own
 * until it is removed and is never given to another.
 *
 * "." and ".." are entries like the others; they have the cookies 1 and 2 and come first.
 */
class Directory
{
  public:
    struct Entry
    {
        std::string name;
        InodeNumber inode{0};
    };

    using Entries = std::map<uint64_t, Entry>; ///< By cookie.

    Directory(InodeNumber self, InodeNumber parent);

    [[nodiscard]] std::optional<InodeNumber> Find(const std::string& name) const;
    /// Adds an entry; the name must not be there.
    void Insert(const std::string& name, InodeNumber inode);

    /// Makes an existing entry name another inode; its cookie stays.
    void Replace(const std::string& name, InodeNumber inode)
    {
        m_entries.at(m_cookies.at(name)).inode = inode;
    }

    /// Removes an existing entry.
    void Remove(const std::string& name);
    /// Makes ".." name another directory.
    void SetParent(InodeNumber parent);
    [[nodiscard]] InodeNumber GetParent() const;

    /// \return true when there is nothing but "." and "..".
    [[nodiscard]] bool IsEmpty() const;

    /// \return entries, "." and ".." included.
    [[nodiscard]] std::size_t GetCount() const
    {
        return m_entries.size();
    }

    /// \return octets of the entries as ext4 stores them: 8 and the name, rounded up to 4, each.
    [[nodiscard]] uint64_t GetStoredOctets() const
    {
        return m_storedOctets;
    }

    /// \return all entries in order.
    [[nodiscard]] const Entries& GetEntries() const
    {
        return m_entries;
    }

    /// \return the first entry after \p cookie (0: the first of all).
    [[nodiscard]] Entries::const_iterator After(uint64_t cookie) const
    {
        return m_entries.upper_bound(cookie);
    }

  private:
    Entries m_entries;
    std::unordered_map<std::string, uint64_t> m_cookies; ///< By name; never iterated.
    uint64_t m_nextCookie{1};
    uint64_t m_storedOctets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_DIRECTORY_H
