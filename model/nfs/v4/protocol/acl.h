/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_ACL_H
#define NFSRDMA_NFS_V4_PROTOCOL_ACL_H

#include "nfs/types/posix-acl.h"
#include "nfs/v4/protocol/types.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The NFSv4 list that says what POSIX lists say, as fs/nfsd/nfs4acl.c makes it: users and
 * groups by number, denials only of what later entries would allow.
 */
[[nodiscard]] std::vector<NfsAce4> MakeNfs4Acl(const PosixAclPair& acls, bool isDirectory);

/**
 * \brief The POSIX lists that come nearest to an NFSv4 list without giving more.
 * \return nothing when an entry cannot be: flags that are not supported, inheritance on what is no
 * directory, a name that is neither special nor a number
 */
[[nodiscard]] std::optional<PosixAclPair> MakePosixAcls(const std::vector<NfsAce4>& aces,
                                                        bool isDirectory);

/// \return the number of a user or group written as Linux does without a name service ("1000"), or
/// with a domain ("1000@domain"); root and nobody by name.
[[nodiscard]] std::optional<uint32_t> ParseNfs4Identity(const std::string& name);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_ACL_H
