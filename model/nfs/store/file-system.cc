/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-system.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t FAST_SYMLINK_OCTETS = 60;
constexpr uint32_t ACCESS_TIME_LAG_SECONDS = 24 * 3600;

} // namespace

#define SETTINGS_OF FileSystemSettings
#define SETTINGS_FILE "nfs/store/file-system.def"
#include "settings/rows.def"

FileSystem::FileSystem(const FileSystemSettings& settings,
                       const SizeChanged& sizeChanged,
                       const Removed& removed)
    : m_settings(settings),
      m_sizeChanged(sizeChanged),
      m_removed(removed)
{
}

FileSystemStatistics
FileSystem::GetStatistics() const
{
    FileSystemStatistics statistics;
    statistics.totalBytes = m_settings.totalBytes;
    statistics.freeBytes = m_settings.totalBytes - std::min(m_settings.totalBytes, m_usedBytes);
    statistics.totalFiles = m_settings.totalFiles;
    statistics.freeFiles = m_settings.totalFiles - std::min(m_settings.totalFiles, GetInodeCount());
    return statistics;
}

NfsTime3
FileSystem::Now() const
{
    constexpr int64_t NANOSECONDS = 1000000000;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    NfsTime3 time;
    time.seconds = m_settings.epoch + static_cast<uint32_t>(now / NANOSECONDS);
    time.nseconds = static_cast<uint32_t>(now % NANOSECONDS);
    return time;
}

const Inode&
FileSystem::Get(InodeNumber number) const
{
    const Inode* inode = m_inodes.Find(number);
    NS_ABORT_MSG_UNLESS(inode, "no inode " << number);
    return *inode;
}

Inode&
FileSystem::Get(InodeNumber number)
{
    Inode* inode = m_inodes.Find(number);
    NS_ABORT_MSG_UNLESS(inode, "no inode " << number);
    return *inode;
}

Inode&
FileSystem::NewRoot(std::size_t exportIndex, const PreloadAttributes& attributes)
{
    Inode& root = NewInode(Ftype3::DIR, exportIndex, attributes);
    MakeDirectoryBody(root, root.attributes.fileid);
    return root;
}

Inode&
FileSystem::NewInode(Ftype3 type, std::size_t exportIndex, const PreloadAttributes& attributes)
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
FileSystem::NewChild(InodeNumber dir,
                     const std::string& name,
                     Ftype3 type,
                     const PreloadAttributes& attributes)
{
    Inode& inode = NewInode(type, Get(dir).exportIndex, attributes);
    AddEntry(dir, name, inode.attributes.fileid);
    if (type == Ftype3::DIR)
    {
        MakeDirectoryBody(inode, dir);
        ++Get(dir).attributes.nlink;
    }
    return inode;
}

void
FileSystem::MakeDirectoryBody(Inode& inode, InodeNumber parent)
{
    inode.directory = std::make_unique<Directory>(inode.attributes.fileid, parent);
    inode.attributes.nlink = 2;
    inode.attributes.size = m_settings.blockSize;
    SetUsed(inode, m_settings.blockSize);
}

void
FileSystem::SetTarget(Inode& inode, const std::string& target)
{
    inode.target = target;
    inode.attributes.size = target.size();
    SetUsed(inode, target.size() < FAST_SYMLINK_OCTETS ? 0 : RoundToBlock(target.size()));
}

void
FileSystem::Free(InodeNumber number)
{
    SetUsed(Get(number), 0);
    m_inodes.Free(number);
    m_removed(number);
}

void
FileSystem::AddEntry(InodeNumber dir, const std::string& name, InodeNumber inode)
{
    Inode& parent = Get(dir);
    NS_ABORT_MSG_UNLESS(parent.directory, "inode " << dir << " is no directory");
    NS_ABORT_MSG_IF(parent.directory->Find(name), "entry " << name << " is there already");
    parent.directory->Insert(name, inode);
    TouchDirectory(dir);
}

void
FileSystem::RemoveEntry(InodeNumber dir, const std::string& name)
{
    Get(dir).directory->Remove(name);
    TouchDirectory(dir);
}

void
FileSystem::TouchDirectory(InodeNumber dir)
{
    Inode& inode = Get(dir);
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
FileSystem::DropName(InodeNumber number)
{
    Inode& inode = Get(number);
    NoteChange(inode);
    if (--inode.attributes.nlink == 0)
    {
        Free(number);
    }
}

void
FileSystem::NoteChange(Inode& inode)
{
    inode.attributes.ctime = Now();
    ++inode.changes;
}

void
FileSystem::TouchAccessTime(Inode& inode)
{
    Fattr3& attributes = inode.attributes;
    const NfsTime3 now = Now();
    const bool isOlder =
        !(attributes.mtime < attributes.atime) || !(attributes.ctime < attributes.atime);
    if (isOlder || now.seconds >= attributes.atime.seconds + ACCESS_TIME_LAG_SECONDS)
    {
        attributes.atime = now;
    }
}

void
FileSystem::Resize(Inode& file, uint64_t size)
{
    if (size != file.attributes.size)
    {
        file.content->SetSize(size);
        NoteWritten(file);
    }
}

void
FileSystem::NoteWritten(Inode& file)
{
    const uint64_t before = file.attributes.size;
    file.attributes.size = file.content->GetSize();
    if (file.attributes.size != before)
    {
        m_sizeChanged(file.attributes.fileid, before, file.attributes.size);
    }
    SetUsed(file, file.content->GetUsed());
    file.attributes.mtime = Now();
}

void
FileSystem::SetUsed(Inode& inode, uint64_t octets)
{
    m_usedBytes = m_usedBytes - inode.attributes.used + octets;
    inode.attributes.used = octets;
}

} // namespace ns3::nfsrdma
