/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_FILE_SYSTEM_H
#define NFSRDMA_NFS_STORE_FILE_SYSTEM_H

#include "nfs/store/inode.h"
#include "nfs/v3/arguments.h"
#include "nfs/v3/status3.h"
#include "settings/setting.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// A value, or the nfsstat3 that says why there is none.
template <typename T>
using FileResult = tl::expected<T, Nfs3Status>;

/// Attributes of an object put into a store before the simulation.
struct PreloadAttributes
{
    uint32_t mode{0644};
    uint32_t uid{0};
    uint32_t gid{0};
};

/// Numbers of FSSTAT.
struct FileSystemStatistics
{
    uint64_t totalBytes{0};
    uint64_t freeBytes{0};
    uint64_t totalFiles{0};
    uint64_t freeFiles{0};
};

/// What can be set of a FileStore: file-system.def has the fields.
struct FileSystemSettings
{
#define SETTING(type, name, ...) type name{};
#include "nfs/store/file-system.def"
#undef SETTING

    [[nodiscard]] static const std::vector<Setting<FileSystemSettings>>& GetRows();
};

/**
 * \brief The inodes of a store with what all of them share: space, limits and the clock; and the
 * changes that operations are made of.
 *
 * Nothing is checked here but that objects are there: permissions, and what a procedure may not
 * do, are the concern of ObjectAttributes, FileData and FileNames.
 *
 * Times of files are the settings' epoch plus the simulated time.
 */
class FileSystem
{
  public:
    /// File number, octets before, octets now.
    using SizeChanged = TracedCallback<InodeNumber, uint64_t, uint64_t>;
    using Removed = TracedCallback<InodeNumber>;

    /// fsid of the first export; the others count on from it.
    static constexpr uint32_t FIRST_FSID = 1;

    /// Settings are looked at when they are needed; all three outlive the file system.
    FileSystem(const FileSystemSettings& settings,
               const SizeChanged& sizeChanged,
               const Removed& removed);

    [[nodiscard]] const FileSystemSettings& GetSettings() const
    {
        return m_settings;
    }

    [[nodiscard]] FileSystemStatistics GetStatistics() const;

    /// \return objects of all exports.
    [[nodiscard]] uint64_t GetInodeCount() const
    {
        return m_inodes.GetCount();
    }

    /// \return octets of the blocks in use; may be more than there are.
    [[nodiscard]] uint64_t GetUsedBytes() const
    {
        return m_usedBytes;
    }

    [[nodiscard]] NfsTime3 Now() const;

    /// \return the inode, which must exist.
    [[nodiscard]] Inode& Get(InodeNumber number);
    [[nodiscard]] const Inode& Get(InodeNumber number) const;

    /// \return the inode, or null when there is none (any more).
    [[nodiscard]] const Inode* Find(InodeNumber number) const
    {
        return m_inodes.Find(number);
    }

    /// Forgets all inodes, without telling.
    void Clear()
    {
        m_inodes = InodeTable();
    }

    /// Makes a root directory. \return its inode.
    Inode& NewRoot(std::size_t exportIndex, const PreloadAttributes& attributes);
    /// Makes an object with a name, which is new in \p dir. \return its inode.
    Inode& NewChild(InodeNumber dir,
                    const std::string& name,
                    Ftype3 type,
                    const PreloadAttributes& attributes);
    /// Gives a symlink its text.
    void SetTarget(Inode& inode, const std::string& target);
    /// Frees an inode, whatever its links.
    void Free(InodeNumber number);

    /// Adds a name, which is new in \p dir, a directory.
    void AddEntry(InodeNumber dir, const std::string& name, InodeNumber inode);
    void RemoveEntry(InodeNumber dir, const std::string& name);
    /// The entries of a directory have changed: its times and its size.
    void TouchDirectory(InodeNumber dir);
    /// Takes one link away, and frees the object with the last.
    void DropName(InodeNumber number);

    /// Counts a change, at which the change time is set.
    void NoteChange(Inode& inode);
    /// Sets the time of the last access as Linux's relatime does.
    void TouchAccessTime(Inode& inode);
    /// Sets the size of a regular file; what is new reads as zeros.
    void Resize(Inode& file, uint64_t size);
    /// The content of a regular file has changed: its size, its space and its times.
    void NoteWritten(Inode& file);
    /// Sets the octets of blocks that an object takes.
    void SetUsed(Inode& inode, uint64_t octets);

  private:
    [[nodiscard]] uint64_t RoundToBlock(uint64_t octets) const
    {
        return (octets + m_settings.blockSize - 1) / m_settings.blockSize * m_settings.blockSize;
    }

    Inode& NewInode(Ftype3 type, std::size_t exportIndex, const PreloadAttributes& attributes);
    void MakeDirectoryBody(Inode& inode, InodeNumber parent);

    const FileSystemSettings& m_settings;
    const SizeChanged& m_sizeChanged;
    const Removed& m_removed;
    InodeTable m_inodes;
    uint64_t m_usedBytes{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_FILE_SYSTEM_H
