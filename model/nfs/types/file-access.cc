/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/file-access.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t ANY_EXECUTE = 0111;

} // namespace

FileCredential
FileCredential::FromCall(const RpcCallHeader& header)
{
    FileCredential credential;
    if (header.flavor == RpcAuthFlavor::SYS || header.flavor == RpcAuthFlavor::GSS)
    {
        credential.uid = header.authSys.uid;
        credential.gid = header.authSys.gid;
        credential.gids = header.authSys.gids;
    }
    else
    {
        credential.uid = NOBODY;
        credential.gid = NOBODY;
    }
    return credential;
}

bool
FileCredential::IsInGroup(uint32_t group) const
{
    return group == gid || std::find(gids.begin(), gids.end(), group) != gids.end();
}

bool
MayAccess(const Fattr3& attributes, const FileCredential& credential, uint32_t wanted)
{
    if (credential.IsSuperuser())
    {
        const bool executable =
            attributes.type == Ftype3::DIR || (attributes.mode & ANY_EXECUTE) != 0;
        return (wanted & MAY_EXECUTE) == 0 || executable;
    }
    uint32_t granted = attributes.mode;
    if (credential.uid == attributes.uid)
    {
        granted >>= 6;
    }
    else if (credential.IsInGroup(attributes.gid))
    {
        granted >>= 3;
    }
    return (granted & wanted) == wanted;
}

} // namespace ns3::nfsrdma
