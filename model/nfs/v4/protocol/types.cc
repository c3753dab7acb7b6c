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

ByteSpan
Nfs4Fh::AsSpan() const
{
    return ByteSpan(octets).first(length);
}

void
Nfs4Fh::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(AsSpan());
}

Nfs4Fh
Nfs4Fh::Decode(XdrReader& reader)
{
    return Nfs4Fh(reader.ReadOpaque(NFS4_FHSIZE));
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
operator==(const Nfs4StateId& a, const Nfs4StateId& b)
{
    return a.seqid == b.seqid && a.other == b.other;
}

bool
operator!=(const Nfs4StateId& a, const Nfs4StateId& b)
{
    return !(a == b);
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

bool
operator==(const NfsTime4& a, const NfsTime4& b)
{
    return a.seconds == b.seconds && a.nseconds == b.nseconds;
}

bool
operator!=(const NfsTime4& a, const NfsTime4& b)
{
    return !(a == b);
}

bool
operator<(const NfsTime4& a, const NfsTime4& b)
{
    return std::tie(a.seconds, a.nseconds) < std::tie(b.seconds, b.nseconds);
}

bool
operator==(const Fsid4& a, const Fsid4& b)
{
    return a.major == b.major && a.minor == b.minor;
}

bool
operator!=(const Fsid4& a, const Fsid4& b)
{
    return !(a == b);
}

bool
operator==(const NfsAce4& a, const NfsAce4& b)
{
    return std::tie(a.type, a.flag, a.accessMask, a.who) ==
           std::tie(b.type, b.flag, b.accessMask, b.who);
}

bool
operator==(const Nfs4StateOwner& a, const Nfs4StateOwner& b)
{
    return a.clientId == b.clientId && a.owner == b.owner;
}

bool
operator<(const Nfs4StateOwner& a, const Nfs4StateOwner& b)
{
    return std::tie(a.clientId, a.owner) < std::tie(b.clientId, b.owner);
}

} // namespace ns3::nfsrdma
