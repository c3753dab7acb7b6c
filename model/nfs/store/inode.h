/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_INODE_H
#define NFSRDMA_NFS_STORE_INODE_H

#include "nfs/store/directory.h"
#include "nfs/store/sparse-file.h"
#include "nfs/types/file-access.h"
#include "nfs/types/posix-acl.h"
#include "nfs/v3/fattr.h"
#include "nfs/v3/status3.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One object of a file store. size and used of attributes are kept up to date by FileSystem.
struct Inode
{
    Fattr3 attributes;
    uint32_t generation{0};
    std::size_t exportIndex{0};
    std::unique_ptr<SparseFile> content;        ///< REG.
    std::unique_ptr<Directory> directory;       ///< DIR.
    std::string target;                         ///< LNK.
    std::optional<Nfs3Verifier> createVerifier; ///< Set by an exclusive create, until SETATTR.
    PosixAcl accessAcl;                         ///< Empty when the mode says it all.
    PosixAcl defaultAcl; ///< Of a DIR: what new objects in it get; may be empty.
    std::map<std::string, ByteVector> xattrs; ///< Extended attributes of users, by name.
    uint64_t changes{0};                      ///< Counts up whenever the change time is set.
};

/// \return OK for a regular file; else ISDIR or INVAL.
[[nodiscard]] Nfs3Status CheckRegular(const Inode& inode);
/// Clears what a change by another than the superuser clears: set-user-ID, and set-group-ID of what
/// a group may execute.
void ClearSetIds(Inode& inode);
/// \return true for the superuser and the owner.
[[nodiscard]] bool IsOwner(const Inode& inode, const FileCredential& who);
/// \return true when \p who has all of the \p wanted bits (MAY_*), by access list or mode.
[[nodiscard]] bool MayAccess(const Inode& inode, const FileCredential& who, uint32_t wanted);

/**
 * \brief The inodes of a store by number. Numbers of freed inodes are used again, lowest first,
 * with another generation, so that old handles are told from new ones.
 */
class InodeTable
{
  public:
    /// The first number given, as ext4's root.
    static constexpr InodeNumber FIRST = 2;

    /// \return a new inode; its fileid and generation are set.
    Inode& Allocate();
    void Free(InodeNumber number);
    /// \return the inode, or null when there is none.
    [[nodiscard]] Inode* Find(InodeNumber number);
    [[nodiscard]] const Inode* Find(InodeNumber number) const;

    [[nodiscard]] uint64_t GetCount() const
    {
        return m_count;
    }

  private:
    struct Slot
    {
        std::unique_ptr<Inode> inode;
        uint32_t generation{0};
    };

    std::vector<Slot> m_slots;
    std::vector<InodeNumber> m_free; ///< A heap, lowest number on top.
    uint64_t m_count{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_INODE_H
