/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/namespace.h"

#include "nfs/types/file-handle.h"
#include "nfs/types/file-name.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t PSEUDO_MODE = 0755;
constexpr uint64_t PSEUDO_SIZE = 4096;
constexpr uint32_t EMPTY_DIRECTORY_LINKS = 2;

} // namespace

Nfs4Status
ToNfs4Status(Nfs3Status status)
{
    switch (status)
    {
    case Nfs3Status::NODEV:
    case Nfs3Status::REMOTE:
        return Nfs4Status::IO;
    case Nfs3Status::NOT_SYNC:
        return Nfs4Status::NOT_SAME;
    default:
        return static_cast<Nfs4Status>(status);
    }
}

Nfs4Namespace::Nfs4Namespace(const FileStore& store)
    : m_store(store)
{
}

uint32_t
Nfs4Namespace::GetRootOctets() const
{
    const auto exports = GetExports();
    return exports.empty() ? FileHandle::MIN_ROOT_OCTETS
                           : m_store.GetHandle(exports.front().root).length;
}

Nfs4Fh
Nfs4Namespace::GetHandle(InodeNumber number) const
{
    if (number != PSEUDO_ROOT)
    {
        return Nfs4Fh(m_store.GetHandle(number).AsSpan());
    }
    FileHandle root;
    root.isRoot = true;
    return Nfs4Fh(root.Encode(GetRootOctets()).AsSpan());
}

Nfs4Result<InodeNumber>
Nfs4Namespace::Resolve(const Nfs4Fh& handle) const
{
    if (handle == GetHandle(PSEUDO_ROOT))
    {
        return PSEUDO_ROOT;
    }
    if (handle.length > NFS3_FHSIZE)
    {
        return tl::unexpected(Nfs4Status::BADHANDLE);
    }
    const auto found = m_store.Resolve(NfsFh3(handle.AsSpan()));
    if (!found)
    {
        return tl::unexpected(ToNfs4Status(found.error()));
    }
    return *found;
}

Nfs4Status
Nfs4Namespace::CheckName(const std::string& name)
{
    if (name.empty())
    {
        return Nfs4Status::INVAL;
    }
    if (name.size() > NFS3_MAXNAMLEN)
    {
        return Nfs4Status::NAMETOOLONG;
    }
    const bool bad = name == "." || name == ".." || name.find('/') != std::string::npos ||
                     name.find('\0') != std::string::npos;
    return bad ? Nfs4Status::BADNAME : Nfs4Status::OK;
}

Nfs4Result<InodeNumber>
Nfs4Namespace::Lookup(InodeNumber dir, const std::string& name, const FileCredential& who) const
{
    const Nfs4Status nameStatus = CheckName(name);
    if (nameStatus != Nfs4Status::OK)
    {
        return tl::unexpected(nameStatus);
    }
    if (dir == PSEUDO_ROOT)
    {
        for (const Entry& entry : GetExports())
        {
            if (entry.name == name)
            {
                return entry.root;
            }
        }
        return tl::unexpected(Nfs4Status::NOENT);
    }
    if (m_store.Get(dir).attributes.type == Ftype3::LNK)
    {
        return tl::unexpected(Nfs4Status::SYMLINK);
    }
    const auto found = m_store.GetNames().Lookup(dir, name, who);
    if (!found)
    {
        return tl::unexpected(ToNfs4Status(found.error()));
    }
    return *found;
}

bool
Nfs4Namespace::IsExportRoot(InodeNumber number) const
{
    const auto exports = GetExports();
    return std::any_of(exports.begin(), exports.end(), [number](const Entry& entry) {
        return entry.root == number;
    });
}

Nfs4Result<InodeNumber>
Nfs4Namespace::LookupParent(InodeNumber dir, const FileCredential& who) const
{
    if (dir == PSEUDO_ROOT)
    {
        return tl::unexpected(Nfs4Status::NOENT);
    }
    if (IsExportRoot(dir))
    {
        return PSEUDO_ROOT;
    }
    const auto found = m_store.GetNames().Lookup(dir, "..", who);
    if (!found)
    {
        return tl::unexpected(ToNfs4Status(found.error()));
    }
    return *found;
}

std::vector<Nfs4Namespace::Entry>
Nfs4Namespace::GetExports() const
{
    std::vector<Entry> entries;
    for (const std::string& name : m_store.GetExports())
    {
        const std::size_t start = std::min(name.find_first_not_of('/'), name.size());
        entries.push_back({name.substr(start), *m_store.GetExport(name)});
    }
    return entries;
}

Fattr3
Nfs4Namespace::GetRootAttributes() const
{
    Fattr3 attributes;
    const auto exports = GetExports();
    attributes.type = Ftype3::DIR;
    attributes.mode = PSEUDO_MODE;
    attributes.nlink = EMPTY_DIRECTORY_LINKS + static_cast<uint32_t>(exports.size());
    attributes.size = PSEUDO_SIZE;
    attributes.used = PSEUDO_SIZE;
    attributes.fileid = InodeTable::FIRST;
    if (!exports.empty())
    {
        attributes.atime = NfsTime3{m_store.GetFileSystem().GetSettings().epoch, 0};
        attributes.mtime = attributes.atime;
        attributes.ctime = attributes.atime;
    }
    return attributes;
}

} // namespace ns3::nfsrdma
