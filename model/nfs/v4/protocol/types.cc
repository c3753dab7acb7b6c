/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/types.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4Fh::Nfs4Fh(ByteSpan handle)
    : length(std::min(static_cast<uint32_t>(handle.size()), NFS4_FHSIZE))
{
    std::copy_n(handle.begin(), length, octets.begin());
}

bool
operator==(const Nfs4Fh& a, const Nfs4Fh& b)
{
    return a.length == b.length && a.octets == b.octets;
}

bool
operator!=(const Nfs4Fh& a, const Nfs4Fh& b)
{
    return !(a == b);
}

bool
operator<(const Nfs4Fh& a, const Nfs4Fh& b)
{
    return std::tie(a.length, a.octets) < std::tie(b.length, b.octets);
}

bool
operator<(const Nfs4StateId& a, const Nfs4StateId& b)
{
    return std::tie(a.other, a.seqid) < std::tie(b.other, b.seqid);
}

Nfs4StateId
MakeAnonymousStateId()
{
    return {};
}

Nfs4StateId
MakeReadBypassStateId()
{
    Nfs4StateId stateid;
    stateid.seqid = 0xffffffff;
    stateid.other.fill(0xff);
    return stateid;
}

Nfs4StateId
MakeCurrentStateId()
{
    Nfs4StateId stateid;
    stateid.seqid = 1;
    return stateid;
}

} // namespace ns3::nfsrdma
