/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"

#include "nfs/types/file-handle.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileStore);

TypeId
FileStore::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::FileStore")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<FileStore>()
            .AddTraceSource("SizeChanged",
                            "The size of a regular file has changed: its number, before, now.",
                            MakeTraceSourceAccessor(&FileStore::m_sizeChanged),
                            "ns3::nfsrdma::FileStore::SizeChangedTracedCallback")
            .AddTraceSource("Removed",
                            "An object is gone.",
                            MakeTraceSourceAccessor(&FileStore::m_removed),
                            "ns3::nfsrdma::FileStore::RemovedTracedCallback"),
        FileSystemSettings::GetRows(),
        &FileStore::m_settings);
    return tid;
}

FileStore::FileStore()
    : m_system(m_settings, m_sizeChanged, m_removed),
      m_attributes(m_system),
      m_data(m_system),
      m_names(m_system, m_attributes)
{
}

void
FileStore::DoDispose()
{
    m_exports.clear();
    m_system.Clear();
    Object::DoDispose();
}

InodeNumber
FileStore::CreateExport(const std::string& name, const PreloadAttributes& attributes)
{
    NS_ABORT_MSG_IF(GetExport(name), "export " << name << " is there already");
    const InodeNumber root = m_system.NewRoot(m_exports.size(), attributes).attributes.fileid;
    m_exports.push_back({name, root});
    return root;
}

std::optional<InodeNumber>
FileStore::GetExport(const std::string& name) const
{
    const auto it = std::find_if(m_exports.begin(), m_exports.end(), [&name](const Export& e) {
        return e.name == name;
    });
    return it == m_exports.end() ? std::nullopt : std::make_optional(it->root);
}

std::vector<std::string>
FileStore::GetExports() const
{
    std::vector<std::string> names;
    names.reserve(m_exports.size());
    for (const auto& e : m_exports)
    {
        names.push_back(e.name);
    }
    return names;
}

InodeNumber
FileStore::AddDirectory(InodeNumber parent,
                        const std::string& name,
                        const PreloadAttributes& attributes)
{
    return m_system.NewChild(parent, name, Ftype3::DIR, attributes).attributes.fileid;
}

InodeNumber
FileStore::AddFile(InodeNumber parent,
                   const std::string& name,
                   uint64_t size,
                   const PreloadAttributes& attributes,
                   SparseFile::Background content)
{
    Inode& file = m_system.NewChild(parent, name, Ftype3::REG, attributes);
    *file.content = SparseFile(0, nullptr);
    if (content)
    {
        *file.content = SparseFile(size, std::move(content));
    }
    else
    {
        file.content->SetSize(size);
    }
    file.attributes.size = size;
    m_system.SetUsed(file, file.content->GetUsed());
    return file.attributes.fileid;
}

InodeNumber
FileStore::AddSymlink(InodeNumber parent,
                      const std::string& name,
                      const std::string& target,
                      const PreloadAttributes& attributes)
{
    Inode& symlink = m_system.NewChild(parent, name, Ftype3::LNK, attributes);
    m_system.SetTarget(symlink, target);
    return symlink.attributes.fileid;
}

InodeNumber
FileStore::AddSpecial(InodeNumber parent,
                      const std::string& name,
                      Ftype3 type,
                      SpecData3 spec,
                      const PreloadAttributes& attributes)
{
    Inode& special = m_system.NewChild(parent, name, type, attributes);
    special.attributes.rdev = spec;
    return special.attributes.fileid;
}

void
FileStore::AddLink(InodeNumber parent, const std::string& name, InodeNumber inode)
{
    NS_ABORT_MSG_IF(Get(inode).directory, "a further name of a directory");
    m_system.AddEntry(parent, name, inode);
    ++m_system.Get(inode).attributes.nlink;
}

std::optional<InodeNumber>
FileStore::FindPath(InodeNumber from, const std::string& path) const
{
    InodeNumber at = from;
    std::size_t begin = 0;
    while (begin < path.size())
    {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const Inode& dir = Get(at);
        const auto next =
            dir.directory ? dir.directory->Find(path.substr(begin, end - begin)) : std::nullopt;
        if (!next)
        {
            return std::nullopt;
        }
        at = *next;
        begin = end + 1;
    }
    return at;
}

std::vector<FileListing>
FileStore::List(InodeNumber root) const
{
    std::vector<FileListing> listings;
    ListInto(root, "", listings);
    return listings;
}

void
FileStore::ListInto(InodeNumber number,
                    const std::string& path,
                    std::vector<FileListing>& listings) const
{
    const Inode& inode = Get(number);
    listings.push_back({path, number, inode.attributes.type, inode.attributes.size});
    if (!inode.directory)
    {
        return;
    }
    for (const auto& [cookie, entry] : inode.directory->GetEntries())
    {
        if (entry.name != "." && entry.name != "..")
        {
            ListInto(entry.inode, path.empty() ? entry.name : path + "/" + entry.name, listings);
        }
    }
}

NfsFh3
FileStore::GetHandle(InodeNumber number) const
{
    const Inode& inode = Get(number);
    FileHandle handle;
    handle.fsid = FileSystem::FIRST_FSID + inode.exportIndex;
    handle.isRoot = m_exports[inode.exportIndex].root == number;
    handle.inode = number;
    handle.generation = inode.generation;
    return handle.Encode(handle.isRoot ? m_settings.rootHandleOctets : m_settings.handleOctets);
}

FileResult<InodeNumber>
FileStore::Resolve(const NfsFh3& handle) const
{
    const auto decoded =
        FileHandle::Decode(handle, m_settings.rootHandleOctets, m_settings.handleOctets);
    if (!decoded)
    {
        return tl::make_unexpected(Nfs3Status::BADHANDLE);
    }
    if (decoded->fsid < FileSystem::FIRST_FSID ||
        decoded->fsid - FileSystem::FIRST_FSID >= m_exports.size())
    {
        return tl::make_unexpected(Nfs3Status::STALE);
    }
    const std::size_t exportIndex = decoded->fsid - FileSystem::FIRST_FSID;
    const InodeNumber root = m_exports[exportIndex].root;
    if (decoded->isRoot)
    {
        return root;
    }
    if (decoded->inode == root)
    {
        return tl::make_unexpected(Nfs3Status::BADHANDLE);
    }
    const Inode* inode = m_system.Find(decoded->inode);
    if (!inode || inode->generation != decoded->generation || inode->exportIndex != exportIndex)
    {
        return tl::make_unexpected(Nfs3Status::STALE);
    }
    return InodeNumber{decoded->inode};
}

} // namespace ns3::nfsrdma
