/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/directory-reader.h"

#include "nfs/types/xdr-size.h"

#include <algorithm>

namespace ns3::nfsrdma
{

DirectoryReader::DirectoryReader(const FileStore& store,
                                 InodeNumber dir,
                                 const Directory& directory,
                                 uint32_t limit)
    : m_store(store),
      m_dir(dir),
      m_directory(directory),
      m_room(std::max(limit, END_OCTETS) - END_OCTETS)
{
}

template <typename Results>
Nfs3Status
DirectoryReader::Fill(uint64_t cookie, Results& results) const
{
    const auto end = m_directory.GetEntries().end();
    uint32_t used = 0;
    auto it = m_directory.After(cookie);
    for (; it != end; ++it)
    {
        typename decltype(results.entries)::value_type described;
        described.fileid = it->second.inode;
        described.name = it->second.name;
        described.cookie = it->first;
        Describe(it->second, described);
        const uint32_t octets = XDR_WORD + GetXdrSize(described);
        if (octets > m_room - used)
        {
            break;
        }
        used += octets;
        results.entries.push_back(std::move(described));
    }
    results.eof = it == end;
    return results.entries.empty() && !results.eof ? Nfs3Status::TOOSMALL : Nfs3Status::OK;
}

template Nfs3Status DirectoryReader::Fill(uint64_t cookie, Readdir3Res& results) const;
template Nfs3Status DirectoryReader::Fill(uint64_t cookie, Readdirplus3Res& results) const;

void
DirectoryReader::Describe(const Directory::Entry& entry, EntryPlus3& described) const
{
    const bool outsideExport = entry.name == ".." && entry.inode == m_dir;
    if (!outsideExport)
    {
        described.attributes = m_store.Get(entry.inode).attributes;
        described.handle = m_store.GetHandle(entry.inode);
    }
}

} // namespace ns3::nfsrdma
