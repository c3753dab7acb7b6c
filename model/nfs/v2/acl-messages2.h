/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_ACL_MESSAGES2_H
#define NFSRDMA_NFS_V2_ACL_MESSAGES2_H

#include "nfs/v2/messages2.h"
#include "nfs/v3/acl-messages3.h"

namespace ns3::nfsrdma
{

// NFSACL version 2, the program beside NFSv2, as Linux's nfsd serves it (fs/nfsd/nfs2acl.c). No
// data item of it is DDP-eligible (RFC 8267 section 5).

constexpr uint32_t NFSACL_V2 = 2;

enum class NfsAcl2Procedure : uint32_t
{
    NULLPROC = 0,
    GETACL = 1,
    SETACL = 2,
    GETATTR = 3,
    ACCESS = 4
};

/// \return the name without "ACLPROC2_".
[[nodiscard]] const char* ToString(NfsAcl2Procedure procedure);

struct Getacl2Args
{
    Nfs2Fh object;
    uint32_t mask{0}; ///< NFS_ACL, NFS_ACLCNT, NFS_DFACL, NFS_DFACLCNT.
};

struct Getacl2Res
{
    Nfs2Status status{Nfs2Status::OK};
    Fattr2 attributes; ///< OK, and those below.
    uint32_t mask{0};  ///< As asked.
    NfsAcl access;
    NfsAcl defaultAcl;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs2Status::OK)
        {
            xdr(self.attributes, self.mask);
            xdr.Require((self.mask & ~NFS_ACL_MASK) == 0);
            xdr(self.access, self.defaultAcl);
        }
    }
};

struct Setacl2Args
{
    Nfs2Fh object;
    uint32_t mask{0};
    NfsAcl access;
    NfsAcl defaultAcl;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.object, self.mask);
        xdr.Require((self.mask & ~NFS_ACL_MASK) == 0);
        xdr(self.access, self.defaultAcl);
    }
};

struct Access2Args
{
    Nfs2Fh object;
    uint32_t access{0}; ///< ACCESS3_* bits.
};

struct Access2Res
{
    Nfs2Status status{Nfs2Status::OK};
    Fattr2 attributes;  ///< OK.
    uint32_t access{0}; ///< OK.
};

using AclNull2 = RpcProcedure<NfsAcl2Procedure::NULLPROC, XdrVoid, XdrVoid>;
using AclGetacl2 = RpcProcedure<NfsAcl2Procedure::GETACL, Getacl2Args, Getacl2Res>;
using AclSetacl2 = RpcProcedure<NfsAcl2Procedure::SETACL, Setacl2Args, Attr2Res>;
using AclGetattr2 = RpcProcedure<NfsAcl2Procedure::GETATTR, Handle2Args, Attr2Res>;
using AclAccess2 = RpcProcedure<NfsAcl2Procedure::ACCESS, Access2Args, Access2Res>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_ACL_MESSAGES2_H
