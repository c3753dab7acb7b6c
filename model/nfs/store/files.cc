/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"

#include "nfs/types/file-handle.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileStore);

namespace
{

constexpr uint32_t FIRST_FSID = 1;
constexpr uint64_t FAST_SYMLINK_OCTETS = 60;

} // namespace

TypeId
FileStore::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FileStore")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<FileStore>()
            .AddAttribute("RootHandleOctets",
                          "Length of the handle of an export's root, octets. Default: a Linux "
                          "export with a numeric fsid.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&FileStore::m_rootHandleOctets),
                          MakeUintegerChecker<uint32_t>(FileHandle::MIN_ROOT_OCTETS, NFS3_FHSIZE))
            .AddAttribute("HandleOctets",
                          "Length of any other handle, octets. Default: a Linux export of ext4 "
                          "with a numeric fsid.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&FileStore::m_handleOctets),
                          MakeUintegerChecker<uint32_t>(FileHandle::MIN_OCTETS, NFS3_FHSIZE))
            .AddAttribute("BlockSize",
                          "Unit in which space is counted, octets. Default: ext4.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&FileStore::m_blockSize),
                          MakeUintegerChecker<uint32_t>(512))
            .AddAttribute("TotalBytes",
                          "Size of the file system, octets. Default: 1 TiB.",
                          UintegerValue(uint64_t{1} << 40),
                          MakeUintegerAccessor(&FileStore::m_totalBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "TotalFiles",
                "Inodes of the file system. Default: ext4's one for each 16 KiB of 1 TiB.",
                UintegerValue(uint64_t{1} << 26),
                MakeUintegerAccessor(&FileStore::m_totalFiles),
                MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("MaxFileSize",
                          "Greatest size of a file, octets. Default: ext4 with 4 KiB blocks.",
                          UintegerValue(17592186040320),
                          MakeUintegerAccessor(&FileStore::m_maxFileSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MaxLinks",
                          "Greatest number of links of an object. Default: what Linux's nfsd says "
                          "of ext4.",
                          UintegerValue(32000),
                          MakeUintegerAccessor(&FileStore::m_maxLinks),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("Epoch",
                          "Time of day when the simulation starts, seconds since 1970. Default: "
                          "2026-01-01 00:00:00 UTC.",
                          UintegerValue(1767225600),
                          MakeUintegerAccessor(&FileStore::m_epoch),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("SizeChanged",
                            "The size of a regular file has changed: its number, before, now.",
                            MakeTraceSourceAccessor(&FileStore::m_sizeChanged),
                            "ns3::nfsrdma::FileStore::SizeChangedTracedCallback")
            .AddTraceSource("Removed",
                            "An object is gone.",
                            MakeTraceSourceAccessor(&FileStore::m_removed),
                            "ns3::nfsrdma::FileStore::RemovedTracedCallback");
    return tid;
}

FileStore::FileStore() = default;
FileStore::~FileStore() = default;

void
FileStore::DoDispose()
{
    m_exports.clear();
    m_inodes = InodeTable();
    Object::DoDispose();
}

InodeNumber
FileStore::CreateExport(const std::string& name, const PreloadAttributes& attributes)
{
    NS_ABORT_MSG_IF(GetExport(name), "export " << name << " is there already");
    Inode& root = NewInode(Ftype3::DIR, m_exports.size(), attributes);
    MakeDirectoryBody(root, root.attributes.fileid);
    m_exports.push_back({name, root.attributes.fileid});
    return root.attributes.fileid;
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
    return NewChild(parent, name, Ftype3::DIR, attributes).attributes.fileid;
}

InodeNumber
FileStore::AddFile(InodeNumber parent,
                   const std::string& name,
                   uint64_t size,
                   const PreloadAttributes& attributes,
                   SparseFile::Background content)
{
    Inode& file = NewChild(parent, name, Ftype3::REG, attributes);
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
    SetUsed(file, file.content->GetUsed());
    return file.attributes.fileid;
}

InodeNumber
FileStore::AddSymlink(InodeNumber parent,
                      const std::string& name,
                      const std::string& target,
                      const PreloadAttributes& attributes)
{
    Inode& symlink = NewChild(parent, name, Ftype3::LNK, attributes);
    SetTarget(symlink, target);
    return symlink.attributes.fileid;
}

InodeNumber
FileStore::AddSpecial(InodeNumber parent,
                      const std::string& name,
                      Ftype3 type,
                      SpecData3 spec,
                      const PreloadAttributes& attributes)
{
    Inode& special = NewChild(parent, name, type, attributes);
    special.attributes.rdev = spec;
    return special.attributes.fileid;
}

void
FileStore::AddLink(InodeNumber parent, const std::string& name, InodeNumber inode)
{
    NS_ABORT_MSG_IF(Get(inode).directory, "a further name of a directory");
    AddEntry(parent, name, inode);
    ++GetMutable(inode).attributes.nlink;
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

uint64_t
FileStore::ReadContent(InodeNumber file, uint64_t offset, MutableByteSpan out) const
{
    const Inode& inode = Get(file);
    NS_ABORT_MSG_UNLESS(inode.content, "inode " << file << " is no regular file");
    return inode.content->Read(offset, out);
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

const Inode&
FileStore::Get(InodeNumber number) const
{
    const Inode* inode = m_inodes.Find(number);
    NS_ABORT_MSG_UNLESS(inode, "no inode " << number);
    return *inode;
}

bool
FileStore::Has(InodeNumber number) const
{
    return m_inodes.Find(number) != nullptr;
}

Inode&
FileStore::GetMutable(InodeNumber number)
{
    Inode* inode = m_inodes.Find(number);
    NS_ABORT_MSG_UNLESS(inode, "no inode " << number);
    return *inode;
}

uint64_t
FileStore::GetInodeCount() const
{
    return m_inodes.GetCount();
}

FileSystemStatistics
FileStore::GetStatistics() const
{
    FileSystemStatistics statistics;
    statistics.totalBytes = m_totalBytes;
    statistics.freeBytes = m_totalBytes - std::min(m_totalBytes, m_usedBytes);
    statistics.totalFiles = m_totalFiles;
    statistics.freeFiles = m_totalFiles - std::min(m_totalFiles, GetInodeCount());
    return statistics;
}

uint64_t
FileStore::GetMaxFileSize() const
{
    return m_maxFileSize;
}

uint32_t
FileStore::GetMaxLinks() const
{
    return m_maxLinks;
}

NfsFh3
FileStore::GetHandle(InodeNumber number) const
{
    const Inode& inode = Get(number);
    FileHandle handle;
    handle.fsid = FIRST_FSID + inode.exportIndex;
    handle.isRoot = m_exports[inode.exportIndex].root == number;
    handle.inode = number;
    handle.generation = inode.generation;
    return handle.Encode(handle.isRoot ? m_rootHandleOctets : m_handleOctets);
}

FileResult<InodeNumber>
FileStore::Resolve(const NfsFh3& handle) const
{
    const auto decoded = FileHandle::Decode(handle, m_rootHandleOctets, m_handleOctets);
    if (!decoded)
    {
        return tl::make_unexpected(Nfs3Status::BADHANDLE);
    }
    if (decoded->fsid < FIRST_FSID || decoded->fsid - FIRST_FSID >= m_exports.size())
    {
        return tl::make_unexpected(Nfs3Status::STALE);
    }
    const std::size_t exportIndex = decoded->fsid - FIRST_FSID;
    const InodeNumber root = m_exports[exportIndex].root;
    if (decoded->isRoot)
    {
        return root;
    }
    if (decoded->inode == root)
    {
        return tl::make_unexpected(Nfs3Status::BADHANDLE);
    }
    const Inode* inode = m_inodes.Find(decoded->inode);
    if (!inode || inode->generation != decoded->generation || inode->exportIndex != exportIndex)
    {
        return tl::make_unexpected(Nfs3Status::STALE);
    }
    return InodeNumber{decoded->inode};
}

NfsTime3
FileStore::Now() const
{
    constexpr int64_t NANOSECONDS = 1000000000;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    NfsTime3 time;
    time.seconds = m_epoch + static_cast<uint32_t>(now / NANOSECONDS);
    time.nseconds = static_cast<uint32_t>(now % NANOSECONDS);
    return time;
}

uint64_t
FileStore::RoundToBlock(uint64_t octets) const
{
    return (octets + m_blockSize - 1) / m_blockSize * m_blockSize;
}

Inode&
FileStore::NewInode(Ftype3 type, std::size_t exportIndex, const PreloadAttributes& attributes)
{
    Inode& inode = m_inodes.Allocate();
    inode.exportIndex = exportIndex;
    inode.attributes.type = type;
    inode.attributes.mode = attributes.mode;
    inode.attributes.nlink = 1;
    inode.attributes.uid = attributes.uid;
    inode.attributes.gid = attributes.gid;
    inode.attributes.fsid = FIRST_FSID + exportIndex;
    inode.attributes.atime = Now();
    inode.attributes.mtime = inode.attributes.atime;
    inode.attributes.ctime = inode.attributes.atime;
    if (type == Ftype3::REG)
    {
        inode.content = std::make_unique<SparseFile>();
    }
    return inode;
}

Inode&
FileStore::NewChild(InodeNumber dir,
                    const std::string& name,
                    Ftype3 type,
                    const PreloadAttributes& attributes)
{
    Inode& inode = NewInode(type, Get(dir).exportIndex, attributes);
    AddEntry(dir, name, inode.attributes.fileid);
    if (type == Ftype3::DIR)
    {
        MakeDirectoryBody(inode, dir);
        ++GetMutable(dir).attributes.nlink;
    }
    return inode;
}

void
FileStore::MakeDirectoryBody(Inode& inode, InodeNumber parent)
{
    inode.directory = std::make_unique<Directory>(inode.attributes.fileid, parent);
    inode.attributes.nlink = 2;
    inode.attributes.size = m_blockSize;
    SetUsed(inode, m_blockSize);
}

void
FileStore::SetTarget(Inode& inode, const std::string& target)
{
    inode.target = target;
    inode.attributes.size = target.size();
    SetUsed(inode, target.size() < FAST_SYMLINK_OCTETS ? 0 : RoundToBlock(target.size()));
}

void
FileStore::AddEntry(InodeNumber dir, const std::string& name, InodeNumber inode)
{
    Inode& parent = GetMutable(dir);
    NS_ABORT_MSG_UNLESS(parent.directory, "inode " << dir << " is no directory");
    NS_ABORT_MSG_IF(parent.directory->Find(name), "entry " << name << " is there already");
    parent.directory->Insert(name, inode);
    TouchDirectory(dir);
}

void
FileStore::RemoveEntry(InodeNumber dir, const std::string& name)
{
    GetMutable(dir).directory->Remove(name);
    TouchDirectory(dir);
}

void
FileStore::TouchDirectory(InodeNumber dir)
{
    Inode& inode = GetMutable(dir);
    inode.attributes.mtime = Now();
    NoteChange(inode);
    const uint64_t stored = RoundToBlock(inode.directory->GetStoredOctets());
    if (stored > inode.attributes.size)
    {
        inode.attributes.size = stored;
        SetUsed(inode, stored);
    }
}

void
FileStore::NoteChange(Inode& inode)
{
    inode.attributes.ctime = Now();
    ++inode.changes;
}

void
FileStore::SetUsed(Inode& inode, uint64_t octets)
{
    m_usedBytes = m_usedBytes - inode.attributes.used + octets;
    inode.attributes.used = octets;
}

} // namespace ns3::nfsrdma
