/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_DELEGATION_OPS_H
#define NFSRDMA_NFS_V4_PROTOCOL_DELEGATION_OPS_H

#include "nfs/v4/protocol/open-ops.h"
#include "nfs/v4/protocol/types.h"

#include <cstdint>

namespace ns3::nfsrdma
{

// Arguments and results of operations, without the operation's number. Results begin with the
// status; their other fields are there with NFS4_OK, unless said otherwise. How they are encoded
// and decoded: xdr.h. Section numbers are those of RFC 8881.

using DelegpurgeRes4 = Nfs4StatusRes<Nfs4Op::DELEGPURGE>;

/// Section 18.5.
struct DelegpurgeArgs4
{
    Nfs4ClientId clientId{0};
};

using DelegreturnRes4 = Nfs4StatusRes<Nfs4Op::DELEGRETURN>;

/// Section 18.6.
struct DelegreturnArgs4
{
    Nfs4StateId stateid;
};

/// deleg_claim4.
struct WantDelegationClaim4
{
    OpenClaim4 type{OpenClaim4::FH};                             ///< FH, DELEG_PREV_FH or PREVIOUS.
    OpenDelegationType4 delegateType{OpenDelegationType4::NONE}; ///< PREVIOUS.

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.type);
        if (self.type == OpenClaim4::PREVIOUS)
        {
            xdr(self.delegateType);
        }
        else if (self.type != OpenClaim4::FH && self.type != OpenClaim4::DELEG_PREV_FH)
        {
            xdr.Fail();
        }
    }
};

struct WantDelegationRes4
{
    Nfs4Status status{Nfs4Status::OK};
    OpenDelegation4 delegation;
};

/// Section 18.49.
struct WantDelegationArgs4
{
    uint32_t want{0};
    WantDelegationClaim4 claim;
};

struct GetDirDelegationRes4
{
    Nfs4Status status{Nfs4Status::OK};
    bool unavailable{false}; ///< GDD4_UNAVAIL; else the ones after willSignal.
    bool willSignal{false};  ///< With GDD4_UNAVAIL.
    Nfs4Verifier cookieVerifier{};
    Nfs4StateId stateid;
    Nfs4Bitmap notification;
    Nfs4Bitmap childAttributes;
    Nfs4Bitmap dirAttributes;

    template <typename Self, typename Xdr>
    static void Fields(Self& self, Xdr& xdr)
    {
        xdr(self.status);
        if (self.status != Nfs4Status::OK)
        {
            return;
        }
        xdr(self.unavailable);
        if (self.unavailable)
        {
            xdr(self.willSignal);
        }
        else
        {
            xdr(self.cookieVerifier,
                self.stateid,
                self.notification,
                self.childAttributes,
                self.dirAttributes);
        }
    }
};

/// Section 18.39.
struct GetDirDelegationArgs4
{
    bool signalDelegAvail{false};
    Nfs4Bitmap notificationTypes;
    NfsTime4 childAttrDelay;
    NfsTime4 dirAttrDelay;
    Nfs4Bitmap childAttributes;
    Nfs4Bitmap dirAttributes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_DELEGATION_OPS_H
