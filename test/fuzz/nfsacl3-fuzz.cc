/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v3/acl-messages3.h"

namespace ns3::nfsrdma
{

namespace
{

/// A list that the server would keep can be sent again as it is kept.
void
CheckList(const NfsAcl& wire)
{
    const auto acl = wire.ToPosixAcl();
    if (acl && !acl->empty() && IsValidAcl(*acl))
    {
        const NfsAcl made = NfsAcl::Make(*acl, 0, 0, true, 0);
        FuzzExpect(made.ToPosixAcl() == acl);
    }
}

} // namespace

/// The first octet chooses the message; its octets follow.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const ByteSpan message = input.subspan(1);
    switch (input[0] % 4)
    {
    case 0:
        return CheckXdrRoundTrip<Getacl3Args>(message);
    case 1:
        return CheckXdrRoundTrip<Setacl3Res>(message);
    case 2: {
        CheckXdrRoundTrip<Getacl3Res>(message);
        XdrReader reader(message);
        if (const auto results = DecodeXdr<Getacl3Res>(reader))
        {
            CheckList(results->access);
            CheckList(results->defaultAcl);
        }
        return;
    }
    default: {
        CheckXdrRoundTrip<Setacl3Args>(message);
        XdrReader reader(message);
        if (const auto args = DecodeXdr<Setacl3Args>(reader))
        {
            CheckList(args->access);
            CheckList(args->defaultAcl);
        }
        return;
    }
    }
}

} // namespace ns3::nfsrdma
