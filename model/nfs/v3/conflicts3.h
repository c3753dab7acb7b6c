/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_CONFLICTS3_H
#define NFSRDMA_NFS_V3_CONFLICTS3_H

#include "nfs/store/files.h"
#include "nfs/types/delegation-guard.h"
#include "nfs/v3/procedures3.h"

#include <optional>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// The files whose delegations a call of NFSv3 breaks.
struct Nfs3Conflicts
{
    std::vector<InodeNumber> files; ///< That are there.
    /// A server thread waits for them before it answers JUKEBOX: SETATTR (CREATE with a size, too),
    /// REMOVE and RENAME (nfsd_wait_for_delegreturn() in nfsd_setattr(), nfsd_unlink() and
    /// nfsd_rename() of fs/nfsd/vfs.c); a WRITE or LINK is answered at once.
    bool waits{false};

    /// Recalls the delegations. \return nothing when there are none, else the files that a server
    /// thread waits for: none when the call is answered at once.
    [[nodiscard]] std::optional<std::vector<InodeNumber>> Break(DelegationGuard& guard) const;
};

/// What \p find() names loses its delegations; it is asked only while somebody holds any.
/// \param guard null: there are none \return as Nfs3Conflicts::Break()
template <typename Find>
[[nodiscard]] std::optional<std::vector<InodeNumber>>
BreakConflicts(DelegationGuard* guard, Find&& find)
{
    if (guard == nullptr || !guard->HasDelegations())
    {
        return std::nullopt;
    }
    const Nfs3Conflicts conflicts = std::forward<Find>(find)();
    return conflicts.Break(*guard);
}

/**
 * \brief What a call changes that a read delegation covers, as the file system of Linux breaks
 * leases: the object of SETATTR and WRITE; the file of LINK; what a name stands for that REMOVE,
 * RENAME (both names) or a CREATE with a size takes away or cuts. Nothing for other calls, and for
 * handles and names that are not there.
 */
template <typename Args>
[[nodiscard]] Nfs3Conflicts
FindNfs3Conflicts(const FileStore& /* store */, const Args& /* args */)
{
    return {};
}

template <>
[[nodiscard]] Nfs3Conflicts FindNfs3Conflicts(const FileStore& store, const Setattr3Args& args);
template <>
[[nodiscard]] Nfs3Conflicts FindNfs3Conflicts(const FileStore& store, const Write3Args& args);
template <>
[[nodiscard]] Nfs3Conflicts FindNfs3Conflicts(const FileStore& store, const Create3Args& args);
template <>
[[nodiscard]] Nfs3Conflicts FindNfs3Conflicts(const FileStore& store, const Remove3Args& args);
template <>
[[nodiscard]] Nfs3Conflicts FindNfs3Conflicts(const FileStore& store, const Rename3Args& args);
template <>
[[nodiscard]] Nfs3Conflicts FindNfs3Conflicts(const FileStore& store, const Link3Args& args);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_CONFLICTS3_H
