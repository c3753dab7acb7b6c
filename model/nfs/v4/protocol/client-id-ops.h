/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_CLIENT_ID_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_CLIENT_ID_OPS_H

#include "nfs/v4/protocol/types.h"

#include <cstdint>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

using RenewRes4 = Nfs4StatusRes<Nfs4Op::RENEW>;

/// NFSv4.0 only, RFC 7530 section 16.28.
struct RenewArgs4
{
    Nfs4ClientId clientId{0};
};

struct SetclientidRes4
{
    Nfs4Status status{Nfs4Status::OK};
    Nfs4ClientId clientId{0};
    Nfs4Verifier confirm{};
    NetAddr4 clientUsing; ///< NFS4ERR_CLID_INUSE.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status == Nfs4Status::OK)
        {
            xdr(self.clientId, self.confirm);
        }
        else if (self.status == Nfs4Status::CLID_INUSE)
        {
            xdr(self.clientUsing);
        }
    }
};

/// NFSv4.0 only, RFC 7530 section 16.33.
struct SetclientidArgs4
{
    Nfs4Verifier verifier{};
    XdrBounded<ByteVector, NFS4_OPAQUE_LIMIT> id; ///< Up to NFS4_OPAQUE_LIMIT octets.
    uint32_t cbProgram{0};
    NetAddr4 cbLocation;
    uint32_t callbackIdent{0};
};

using SetclientidConfirmRes4 = Nfs4StatusRes<Nfs4Op::SETCLIENTID_CONFIRM>;

/// NFSv4.0 only, RFC 7530 section 16.34.
struct SetclientidConfirmArgs4
{
    Nfs4ClientId clientId{0};
    Nfs4Verifier confirm{};
};

using DestroyClientidRes4 = Nfs4StatusRes<Nfs4Op::DESTROY_CLIENTID>;

/// Section 18.50.
struct DestroyClientidArgs4
{
    Nfs4ClientId clientId{0};
};

using ReclaimCompleteRes4 = Nfs4StatusRes<Nfs4Op::RECLAIM_COMPLETE>;

/// Section 18.51.
struct ReclaimCompleteArgs4
{
    bool oneFs{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_CLIENT_ID_OPS_H
