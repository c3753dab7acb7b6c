/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_FILE_NAMES_H
#define NFSRDMA_NFS_STORE_FILE_NAMES_H

#include "nfs/store/object-attributes.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The operations of a store on directories and the names in them, with the semantics of RFC
 * 1813 section 3.3 as Linux's local file systems give them.
 *
 * They take effect at once and give the nfsstat3 of what went wrong. Objects that are given by
 * their number must be there.
 */
class FileNames
{
  public:
    FileNames(FileSystem& system, ObjectAttributes& attributes);

    /// LOOKUP: "." and ".." too; ".." of a root is the root. NOTDIR, ACCES, NOENT, NAMETOOLONG.
    [[nodiscard]] FileResult<InodeNumber> Lookup(InodeNumber dir,
                                                 const std::string& name,
                                                 const FileCredential& who) const;
    /// CREATE: NOTDIR, ACCES, EXIST, NAMETOOLONG, ISDIR, NOSPC, INVAL. An UNCHECKED create of an
    /// existing regular file sets its size when the attributes do; an EXCLUSIVE one succeeds again
    /// with the same verifier.
    FileResult<InodeNumber> Create(InodeNumber dir,
                                   const std::string& name,
                                   CreateMode3 mode,
                                   const Sattr3& attributes,
                                   const Nfs3Verifier& verifier,
                                   const FileCredential& who);

    /// Lets an exclusive create with \p verifier find \p number again (EXCLUSIVE4_1 with
    /// attributes).
    void KeepVerifier(InodeNumber number, const Nfs3Verifier& verifier)
    {
        m_system.Get(number).createVerifier = verifier;
    }

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
    [[nodiscard]] Nfs3Status CheckDirectory(InodeNumber dir,
                                            uint32_t wanted,
                                            const FileCredential& who) const;
    [[nodiscard]] Nfs3Status CheckNewEntry(InodeNumber dir,
                                           const std::string& name,
                                           const FileCredential& who) const;
    [[nodiscard]] FileResult<InodeNumber> FindRemovable(InodeNumber dir,
                                                        const std::string& name,
                                                        const FileCredential& who) const;
    [[nodiscard]] Nfs3Status CheckRename(InodeNumber fromDir,
                                         InodeNumber source,
                                         InodeNumber toDir,
                                         const std::string& toName,
                                         const FileCredential& who) const;
    [[nodiscard]] bool IsBelow(InodeNumber number, InodeNumber ancestor) const;
    [[nodiscard]] FileResult<InodeNumber> OpenExisting(InodeNumber existing,
                                                       CreateMode3 mode,
                                                       const Sattr3& attributes,
                                                       const Nfs3Verifier& verifier,
                                                       const FileCredential& who);
    Inode& NewChildFor(InodeNumber dir,
                       const std::string& name,
                       Ftype3 type,
                       const Sattr3& attributes,
                       const FileCredential& who);

    FileSystem& m_system;
    ObjectAttributes& m_attributes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_FILE_NAMES_H
