/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_PRINCIPAL_H
#define NFSRDMA_NFS_V4_SERVER_PRINCIPAL_H

#include "nfs/types/file-access.h"
#include "rpc/message.h"

namespace ns3::nfsrdma
{

/// Who made a call, as the server tells clients apart: flavour and identity of the credential.
struct Nfs4Principal
{
    RpcAuthFlavor flavor{RpcAuthFlavor::NONE};
    FileCredential who;

    [[nodiscard]] static Nfs4Principal FromCall(const RpcCallHeader& header)
    {
        return {header.flavor, FileCredential::FromCall(header)};
    }
};

inline bool
operator==(const Nfs4Principal& a, const Nfs4Principal& b)
{
    return a.flavor == b.flavor && a.who.uid == b.who.uid && a.who.gid == b.who.gid &&
           a.who.gids == b.who.gids;
}

inline bool
operator!=(const Nfs4Principal& a, const Nfs4Principal& b)
{
    return !(a == b);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_PRINCIPAL_H
