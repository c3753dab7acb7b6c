/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_ACL_LISTS_H
#define NFSRDMA_NFS_V3_ACL_LISTS_H

#include "nfs/store/files.h"
#include "nfs/v3/acl-messages3.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

// What the servers of NFSACL do alike, of version 2 and 3.

/// Puts the lists of an object that a GETACL asks for into its results. \param mask NFS_ACL bits
template <typename Results>
void
GiveAcls(const FileStore& store, InodeNumber object, uint32_t mask, Results& results)
{
    const Inode& inode = store.Get(object);
    const auto make = [&inode, mask](const PosixAcl& acl, uint32_t bit, uint32_t flag) {
        const bool given = (mask & bit) != 0;
        return NfsAcl::Make(acl, inode.attributes.uid, inode.attributes.gid, given, flag);
    };
    const bool access = (mask & (NFS_ACL | NFS_ACLCNT)) != 0;
    const bool defaults = (mask & (NFS_DFACL | NFS_DFACLCNT)) != 0;
    results.mask = mask;
    results.access =
        make(access ? store.GetAttributes().GetAccessAcl(object) : PosixAcl(), NFS_ACL, 0);
    results.defaultAcl = make(defaults ? inode.defaultAcl : PosixAcl(), NFS_DFACL, NFS_ACL_DEFAULT);
}

/// \return the lists that a SETACL sets, those that it does not name without entries; nothing when
/// one is no access list.
template <typename Args>
[[nodiscard]] std::optional<PosixAclPair>
TakeSetAcls(const Args& args)
{
    const auto access = (args.mask & NFS_ACL) != 0 ? args.access.ToPosixAcl() : PosixAcl();
    const auto defaults = (args.mask & NFS_DFACL) != 0 ? args.defaultAcl.ToPosixAcl() : PosixAcl();
    return access && defaults ? std::make_optional(PosixAclPair{*access, *defaults}) : std::nullopt;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_ACL_LISTS_H
