/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_FILES_H
#define NFSRDMA_NFS_STORE_FILES_H

#include "nfs/store/file-data.h"
#include "nfs/store/file-names.h"
#include "nfs/store/file-system.h"
#include "nfs/store/object-attributes.h"

#include "ns3/object.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets of a block as versions 2 and 4 tell them.
constexpr uint32_t FILE_BLOCK_SIZE = 4096;

/// One object as FileStore::List() finds it.
struct FileListing
{
    std::string path; ///< From the export's root, without leading "/"; empty for the root itself.
    InodeNumber inode{0};
    Ftype3 type{Ftype3::REG};
    uint64_t size{0};
};

/**
 * \brief The files of one server: one or several exports, each a tree under its own root, with the
 * semantics of RFC 1813 section 3.3 as Linux's local file systems give them.
 *
 * Three groups of methods: to set up and look (no permission is checked, nothing costs time), to
 * address by handle, and the operations of the procedures. The operations take effect at once and
 * give the nfsstat3 of what went wrong; time on the storage is the server's concern.
 *
 * Times of files are Epoch plus the simulated time.
 *
 * Attributes: RootHandleOctets and HandleOctets (octets), BlockSize (octets), TotalBytes,
 * TotalFiles, MaxFileSize (octets), MaxLinks, Epoch (seconds since 1970).
 */
class FileStore : public Object
{
  public:
    static TypeId GetTypeId();
    FileStore();

    // ---- set up and look ----

    /// Makes an export with an empty root directory. \return its root. The name must be new.
    InodeNumber CreateExport(const std::string& name,
                             const PreloadAttributes& attributes = {0755, 0, 0});
    /// \return the root of export \p name, if there is one.
    [[nodiscard]] std::optional<InodeNumber> GetExport(const std::string& name) const;
    /// \return the names of the exports in order of creation.
    [[nodiscard]] std::vector<std::string> GetExports() const;

    // The Add methods: parent is a directory, name is new in it; anything else is a program error.

    InodeNumber AddDirectory(InodeNumber parent,
                             const std::string& name,
                             const PreloadAttributes& attributes = {0755, 0, 0});
    /// \param size octets
    /// \param content gives the file's octets; empty: zeros that cost no memory
    InodeNumber AddFile(InodeNumber parent,
                        const std::string& name,
                        uint64_t size,
                        const PreloadAttributes& attributes = {},
                        SparseFile::Background content = nullptr);
    InodeNumber AddSymlink(InodeNumber parent,
                           const std::string& name,
                           const std::string& target,
                           const PreloadAttributes& attributes = {0777, 0, 0});
    /// \param type BLK, CHR, SOCK or FIFO
    InodeNumber AddSpecial(InodeNumber parent,
                           const std::string& name,
                           Ftype3 type,
                           SpecData3 spec,
                           const PreloadAttributes& attributes = {});
    /// A further name of \p inode, which is no directory; nlink counts up.
    void AddLink(InodeNumber parent, const std::string& name, InodeNumber inode);

    /// Finds \p path ("a/b/c", from \p from, no "..").
    [[nodiscard]] std::optional<InodeNumber> FindPath(InodeNumber from,
                                                      const std::string& path) const;
    /// \return everything below and with \p root, depth first, in directory order; hard links once
    /// for each name.
    [[nodiscard]] std::vector<FileListing> List(InodeNumber root) const;

    /// \return the inode, which must exist.
    [[nodiscard]] const Inode& Get(InodeNumber number) const
    {
        return m_system.Get(number);
    }

    /// \return whether there is such an object (still).
    [[nodiscard]] bool Has(InodeNumber number) const
    {
        return m_system.Find(number) != nullptr;
    }

    /// Trace source "SizeChanged": a regular file's size.
    typedef void (*SizeChangedTracedCallback)(InodeNumber file, uint64_t before, uint64_t now);
    /// Trace source "Removed": an object is gone; its number may be given to another.
    typedef void (*RemovedTracedCallback)(InodeNumber number);

    // ---- handles ----

    [[nodiscard]] NfsFh3 GetHandle(InodeNumber number) const;
    /// BADHANDLE when the store never gave such a handle, STALE when its object is gone.
    [[nodiscard]] FileResult<InodeNumber> Resolve(const NfsFh3& handle) const;

    // ---- operations ----

    [[nodiscard]] const FileSystem& GetFileSystem() const
    {
        return m_system;
    }

    [[nodiscard]] ObjectAttributes& GetAttributes()
    {
        return m_attributes;
    }

    [[nodiscard]] const ObjectAttributes& GetAttributes() const
    {
        return m_attributes;
    }

    [[nodiscard]] FileData& GetData()
    {
        return m_data;
    }

    [[nodiscard]] const FileData& GetData() const
    {
        return m_data;
    }

    [[nodiscard]] FileNames& GetNames()
    {
        return m_names;
    }

    [[nodiscard]] const FileNames& GetNames() const
    {
        return m_names;
    }

  private:
    struct Export
    {
        std::string name;
        InodeNumber root{0};
    };

    void DoDispose() override;

    void ListInto(InodeNumber number,
                  const std::string& path,
                  std::vector<FileListing>& listings) const;

    FileSystemSettings m_settings;
    FileSystem::SizeChanged m_sizeChanged;
    FileSystem::Removed m_removed;
    std::vector<Export> m_exports;
    FileSystem m_system;
    ObjectAttributes m_attributes;
    FileData m_data;
    FileNames m_names;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_FILES_H
