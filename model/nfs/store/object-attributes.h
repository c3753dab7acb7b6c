/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_OBJECT_ATTRIBUTES_H
#define NFSRDMA_NFS_STORE_OBJECT_ATTRIBUTES_H

#include "nfs/store/file-system.h"

#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The operations of a store on attributes, access lists (POSIX ACLs as Linux has them) and
 * extended attributes (RFC 8276).
 *
 * They take effect at once and give the nfsstat3 of what went wrong. Objects must be there.
 */
class ObjectAttributes
{
  public:
    explicit ObjectAttributes(FileSystem& system);

    [[nodiscard]] WccAttr GetWcc(InodeNumber number) const;
    /// ACCESS: the bits of \p wanted (ACCESS3_*) that \p who has.
    [[nodiscard]] uint32_t CheckAccess(InodeNumber number,
                                       uint32_t wanted,
                                       const FileCredential& who) const;
    /// SETATTR: NOT_SYNC, PERM, ACCES, ISDIR, INVAL, FBIG, NOSPC.
    Nfs3Status SetAttributes(InodeNumber number,
                             const Sattr3& changes,
                             const std::optional<NfsTime3>& guard,
                             const FileCredential& who);
    /// Makes changes that have been checked.
    void Apply(Inode& inode, const Sattr3& changes, const FileCredential& who);

    /// \return the access list; a minimal one when the object has none.
    [[nodiscard]] PosixAcl GetAccessAcl(InodeNumber number) const;
    /// Gives an object lists, both valid or empty, and its mode what the access list says. No
    /// permission is checked, and no time changes.
    void AddAcls(InodeNumber number, const PosixAcl& access, const PosixAcl& defaultAcl);
    /// Sets both lists; empty ones are taken away. A minimal access list becomes the mode. NOTSUPP
    /// (symlinks), PERM, INVAL, ACCES (a default list for what is no directory).
    Nfs3Status SetAcls(InodeNumber number,
                       const PosixAcl& access,
                       const PosixAcl& defaultAcl,
                       const FileCredential& who);

    /// SETXATTR: EXIST and NOENT by \p mustBe, ACCES, PERM (an object that is neither file nor
    /// directory), NOSPC for a value past a block.
    Nfs3Status SetXattr(InodeNumber number,
                        const std::string& name,
                        ByteSpan value,
                        std::optional<bool> mustBe,
                        const FileCredential& who);
    /// REMOVEXATTR: NOENT, ACCES.
    Nfs3Status RemoveXattr(InodeNumber number, const std::string& name, const FileCredential& who);

  private:
    [[nodiscard]] Nfs3Status CheckChanges(const Inode& inode,
                                          const Sattr3& changes,
                                          const FileCredential& who) const;

    FileSystem& m_system;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_OBJECT_ATTRIBUTES_H
