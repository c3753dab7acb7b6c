/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_ACL_FILE_CALLS_H
#define NFSRDMA_NFS_TYPES_ACL_FILE_CALLS_H

#include "nfs/types/file-client.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/status3.h"

namespace ns3::nfsrdma
{

/**
 * Puts the lists of a GETACL into \p reply: SERVERFAULT when the call has succeeded and one of them
 * is no access list.
 *
 * \tparam Results of GETACL, version 2 or 3
 */
template <typename Results>
void
TakeAcls(FileAclReply& reply, const Results& results)
{
    const auto access = results.access.ToPosixAcl();
    const auto defaults = results.defaultAcl.ToPosixAcl();
    if (reply.IsOk() && (!access || !defaults))
    {
        reply.status = static_cast<uint32_t>(Nfs3Status::SERVERFAULT);
    }
    reply.access = access.value_or(PosixAcl());
    reply.defaultAcl = defaults.value_or(PosixAcl());
}

/// \return the arguments of a SETACL that sets both lists. \tparam Args version 2 or 3
template <typename Args, typename Handle>
[[nodiscard]] Args
MakeSetaclArgs(const Handle& object, const PosixAcl& access, const PosixAcl& defaultAcl)
{
    Args args;
    args.object = object;
    args.mask = NFS_ACL | NFS_DFACL;
    args.access = NfsAcl::Make(access, 0, 0, true, 0);
    args.defaultAcl = NfsAcl::Make(defaultAcl, 0, 0, true, NFS_ACL_DEFAULT);
    return args;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_ACL_FILE_CALLS_H
