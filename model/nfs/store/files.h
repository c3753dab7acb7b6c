/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_FILES_H
#define NFSRDMA_NFS_STORE_FILES_H

#include "nfs/store/inode.h"
#include "nfs/types/file-access.h"
#include "nfs/v3/arguments.h"
#include "nfs/v3/status3.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets of a block as versions 2 and 4 tell them.
constexpr uint32_t FILE_BLOCK_SIZE = 4096;

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

/// One object as FileStore::List() finds it.
struct FileListing
{
    std::string path; ///< From the export's root, without leading "/"; empty for the root itself.
    InodeNumber inode{0};
    Ftype3 type{Ftype3::REG};
    uint64_t size{0};
};

/// Numbers of FSSTAT.
struct FileSystemStatistics
{
    uint64_t totalBytes{0};
    uint64_t freeBytes{0};
    uint64_t totalFiles{0};
    uint64_t freeFiles{0};
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
    ~FileStore() override;

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

    /// Gives an object lists, both valid or empty, and its mode what the access list says.
    void AddAcls(InodeNumber number, const PosixAcl& access, const PosixAcl& defaultAcl);

    /// Finds \p path ("a/b/c", from \p from, no "..").
    [[nodiscard]] std::optional<InodeNumber> FindPath(InodeNumber from,
                                                      const std::string& path) const;
    /// Reads a regular file. \return octets below its end.
    uint64_t ReadContent(InodeNumber file, uint64_t offset, MutableByteSpan out) const;
    /// \return everything below and with \p root, depth first, in directory order; hard links once
    /// for each name.
    [[nodiscard]] std::vector<FileListing> List(InodeNumber root) const;
    /// \return the inode, which must exist.
    [[nodiscard]] const Inode& Get(InodeNumber number) const;
    /// \return whether there is such an object (still).
    [[nodiscard]] bool Has(InodeNumber number) const;
    /// \return objects of all exports.
    [[nodiscard]] uint64_t GetInodeCount() const;
    [[nodiscard]] FileSystemStatistics GetStatistics() const;
    [[nodiscard]] uint64_t GetMaxFileSize() const;
    [[nodiscard]] uint32_t GetMaxLinks() const;
    /// \return the time of day when the simulation starts.
    [[nodiscard]] NfsTime3 GetStartTime() const;

    /// Makes octets of a regular file zeros, as when what was written there has been lost: those
    /// below its end. Attributes stay.
    void Wipe(InodeNumber file, uint64_t offset, uint64_t length);

    /// Trace source "SizeChanged": a regular file's size.
    typedef void (*SizeChangedTracedCallback)(InodeNumber file, uint64_t before, uint64_t now);
    /// Trace source "Removed": an object is gone; its number may be given to another.
    typedef void (*RemovedTracedCallback)(InodeNumber number);

    // ---- handles ----

    [[nodiscard]] NfsFh3 GetHandle(InodeNumber number) const;
    /// BADHANDLE when the store never gave such a handle, STALE when its object is gone.
    [[nodiscard]] FileResult<InodeNumber> Resolve(const NfsFh3& handle) const;

    // ---- operations ----

    [[nodiscard]] WccAttr GetWcc(InodeNumber number) const;

    /// LOOKUP: "." and ".." too; ".." of a root is the root. NOTDIR, ACCES, NOENT, NAMETOOLONG.
    [[nodiscard]] FileResult<InodeNumber> Lookup(InodeNumber dir,
                                                 const std::string& name,
                                                 const FileCredential& who) const;
    /// ACCESS: the bits of \p wanted (ACCESS3_*) that \p who has.
    [[nodiscard]] uint32_t CheckAccess(InodeNumber number,
                                       uint32_t wanted,
                                       const FileCredential& who) const;
    /// SETATTR: NOT_SYNC, PERM, ACCES, ISDIR, INVAL, FBIG, NOSPC.
    Nfs3Status SetAttributes(InodeNumber number,
                             const Sattr3& changes,
                             const std::optional<NfsTime3>& guard,
                             const FileCredential& who);
    /// \return the access list; a minimal one when the object has none.
    [[nodiscard]] PosixAcl GetAccessAcl(InodeNumber number) const;
    /// Sets both lists; empty ones are taken away. A minimal access list becomes the mode. NOTSUPP
    /// (symlinks), PERM, INVAL, ACCES (a default list for what is no directory).
    Nfs3Status SetAcls(InodeNumber number,
                       const PosixAcl& access,
                       const PosixAcl& defaultAcl,
                       const FileCredential& who);
    /// READLINK: INVAL when it is no symlink.
    [[nodiscard]] FileResult<std::string> ReadLink(InodeNumber number) const;

    /// What a READ found.
    struct ReadRange
    {
        uint32_t count{
            0}; ///< Octets from the offset that are below the end, not above those asked for.
        bool eof{false};
    };

    /// READ, first half: ISDIR, INVAL, ACCES. The owner may always read.
    [[nodiscard]] FileResult<ReadRange> PrepareRead(InodeNumber number,
                                                    uint64_t offset,
                                                    uint32_t count,
                                                    const FileCredential& who) const;
    /// READ, second half: the octets of a prepared range; changes atime.
    void Read(InodeNumber number, uint64_t offset, uint32_t count, const SparseFile::Sink& sink);
    /// WRITE: ISDIR, INVAL, ACCES, FBIG, NOSPC. The owner may always write.
    Nfs3Status Write(InodeNumber number,
                     uint64_t offset,
                     uint32_t count,
                     const SparseFile::Source& source,
                     const FileCredential& who);
    /// COMMIT: ISDIR, INVAL, ACCES, as WRITE.
    [[nodiscard]] Nfs3Status CheckCommit(InodeNumber number, const FileCredential& who) const;

    // ---- operations of NFSv4.2 ----

    /// \return the first octet from \p offset on that has data; nothing when there is none.
    [[nodiscard]] std::optional<uint64_t> FindData(InodeNumber file, uint64_t offset) const;
    /// \return the first octet from \p offset on that is in a hole, at most the file's size.
    [[nodiscard]] uint64_t FindHole(InodeNumber file, uint64_t offset) const;
    /// ALLOCATE: grows the file to the end of the range. As WRITE.
    Nfs3Status Allocate(InodeNumber number,
                        uint64_t offset,
                        uint64_t length,
                        const FileCredential& who);
    /// DEALLOCATE: the range reads as zeros; the size stays. As WRITE.
    Nfs3Status Deallocate(InodeNumber number,
                          uint64_t offset,
                          uint64_t length,
                          const FileCredential& who);
    /// COPY, CLONE: data of one file into another. As WRITE; INVAL when the ranges of one file
    /// overlap.
    Nfs3Status CopyRange(InodeNumber from,
                         uint64_t fromOffset,
                         InodeNumber to,
                         uint64_t toOffset,
                         uint64_t length,
                         const FileCredential& who);

    /// Lets an exclusive create with \p verifier find \p number again (EXCLUSIVE4_1 with
    /// attributes).
    void KeepVerifier(InodeNumber number, const Nfs3Verifier& verifier);

    /// SETXATTR: EXIST and NOENT by \p mustBe, ACCES, PERM (an object that is neither file nor
    /// directory), NOSPC for a value past a block.
    Nfs3Status SetXattr(InodeNumber number,
                        const std::string& name,
                        ByteSpan value,
                        std::optional<bool> mustBe,
                        const FileCredential& who);
    /// REMOVEXATTR: NOENT, ACCES.
    Nfs3Status RemoveXattr(InodeNumber number, const std::string& name, const FileCredential& who);

    /// CREATE: NOTDIR, ACCES, EXIST, NAMETOOLONG, ISDIR, NOSPC, INVAL. An UNCHECKED create of an
    /// existing regular file sets its size when the attributes do; an EXCLUSIVE one succeeds again
    /// with the same verifier.
    FileResult<InodeNumber> Create(InodeNumber dir,
                                   const std::string& name,
                                   CreateMode3 mode,
                                   const Sattr3& attributes,
                                   const Nfs3Verifier& verifier,
                                   const FileCredential& who);
    /// MKDIR: as CREATE, MLINK.
    FileResult<InodeNumber> MakeDirectory(InodeNumber dir,
                                          const std::string& name,
                                          const Sattr3& attributes,
                                          const FileCredential& who);
    /// SYMLINK: as CREATE; NAMETOOLONG also for a target of a page or more, INVAL for an empty
    /// one.
    FileResult<InodeNumber> MakeSymlink(InodeNumber dir,
                                        const std::string& name,
                                        const std::string& target,
                                        const Sattr3& attributes,
                                        const FileCredential& who);
    /// MKNOD: BADTYPE for REG, DIR, LNK; PERM for devices unless superuser.
    FileResult<InodeNumber> MakeNode(InodeNumber dir,
                                     const std::string& name,
                                     Ftype3 type,
                                     SpecData3 spec,
                                     const Sattr3& attributes,
                                     const FileCredential& who);
    /// REMOVE: NOENT, ISDIR, ACCES (and sticky directories), NOTDIR.
    Nfs3Status Remove(InodeNumber dir, const std::string& name, const FileCredential& who);
    /// RMDIR: NOENT, NOTDIR, NOTEMPTY, INVAL for ".", ACCES.
    Nfs3Status RemoveDirectory(InodeNumber dir, const std::string& name, const FileCredential& who);
    /// RENAME: NOENT, EXIST, NOTEMPTY, ISDIR, NOTDIR, XDEV, INVAL (into itself), ACCES.
    Nfs3Status Rename(InodeNumber fromDir,
                      const std::string& fromName,
                      InodeNumber toDir,
                      const std::string& toName,
                      const FileCredential& who);
    /// LINK: EXIST, ISDIR, MLINK, XDEV, ACCES.
    Nfs3Status Link(InodeNumber file,
                    InodeNumber dir,
                    const std::string& name,
                    const FileCredential& who);
    /// READDIR: the directory, whose entries the caller walks; changes atime. NOTDIR, ACCES.
    [[nodiscard]] FileResult<const Directory*> OpenDirectory(InodeNumber dir,
                                                             const FileCredential& who);

  private:
    struct Export
    {
        std::string name;
        InodeNumber root{0};
    };

    void DoDispose() override;

    [[nodiscard]] Inode& GetMutable(InodeNumber number);
    [[nodiscard]] NfsTime3 Now() const;
    [[nodiscard]] uint64_t RoundToBlock(uint64_t octets) const;

    Inode& NewInode(Ftype3 type, std::size_t exportIndex, const PreloadAttributes& attributes);
    Inode& NewChild(InodeNumber dir,
                    const std::string& name,
                    Ftype3 type,
                    const PreloadAttributes& attributes);
    Inode& NewChildFor(InodeNumber dir,
                       const std::string& name,
                       Ftype3 type,
                       const Sattr3& attributes,
                       const FileCredential& who);
    void MakeDirectoryBody(Inode& inode, InodeNumber parent);
    void SetTarget(Inode& inode, const std::string& target);
    void AddEntry(InodeNumber dir, const std::string& name, InodeNumber inode);
    void RemoveEntry(InodeNumber dir, const std::string& name);
    void TouchDirectory(InodeNumber dir);
    void DropName(InodeNumber number);
    void Free(InodeNumber number);
    void SetUsed(Inode& inode, uint64_t octets);
    void NoteChange(Inode& inode);
    void TouchAccessTime(Inode& inode);
    void Resize(Inode& file, uint64_t size);
    void ApplyChanges(Inode& inode, const Sattr3& changes, const FileCredential& who);
    void ListInto(InodeNumber number,
                  const std::string& path,
                  std::vector<FileListing>& listings) const;

    [[nodiscard]] Nfs3Status CheckDirectory(InodeNumber dir,
                                            uint32_t wanted,
                                            const FileCredential& who) const;
    [[nodiscard]] Nfs3Status CheckNewEntry(InodeNumber dir,
                                           const std::string& name,
                                           const FileCredential& who) const;
    [[nodiscard]] FileResult<InodeNumber> FindRemovable(InodeNumber dir,
                                                        const std::string& name,
                                                        const FileCredential& who) const;
    [[nodiscard]] Nfs3Status CheckChanges(const Inode& inode,
                                          const Sattr3& changes,
                                          const FileCredential& who) const;
    [[nodiscard]] FileResult<InodeNumber> OpenExisting(InodeNumber existing,
                                                       CreateMode3 mode,
                                                       const Sattr3& attributes,
                                                       const Nfs3Verifier& verifier,
                                                       const FileCredential& who);
    [[nodiscard]] Nfs3Status CheckRename(InodeNumber fromDir,
                                         InodeNumber source,
                                         InodeNumber toDir,
                                         const std::string& toName,
                                         const FileCredential& who) const;
    [[nodiscard]] bool IsBelow(InodeNumber number, InodeNumber ancestor) const;

    InodeTable m_inodes;
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_sizeChanged;
    TracedCallback<InodeNumber> m_removed;
    std::vector<Export> m_exports;
    uint64_t m_usedBytes{0};

    uint32_t m_rootHandleOctets{0};
    uint32_t m_handleOctets{0};
    uint32_t m_blockSize{0};
    uint64_t m_totalBytes{0};
    uint64_t m_totalFiles{0};
    uint64_t m_maxFileSize{0};
    uint32_t m_maxLinks{0};
    uint32_t m_epoch{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_FILES_H
