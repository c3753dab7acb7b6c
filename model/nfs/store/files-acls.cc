/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"

#include "ns3/abort.h"

namespace ns3::nfsrdma
{

namespace
{

bool
MayBeSet(const PosixAcl& acl)
{
    return acl.empty() || IsValidAcl(acl);
}

} // namespace

void
FileStore::AddAcls(InodeNumber number, const PosixAcl& access, const PosixAcl& defaultAcl)
{
    Inode& inode = GetMutable(number);
    NS_ABORT_MSG_UNLESS(MayBeSet(access) && MayBeSet(defaultAcl), "an access list is not valid");
    if (!access.empty())
    {
        const bool minimal = ApplyAclToMode(access, inode.attributes.mode);
        inode.accessAcl = minimal ? PosixAcl() : access;
    }
    inode.defaultAcl = defaultAcl;
}

PosixAcl
FileStore::GetAccessAcl(InodeNumber number) const
{
    const Inode& inode = Get(number);
    return inode.accessAcl.empty() ? MakeMinimalAcl(inode.attributes.mode) : inode.accessAcl;
}

Nfs3Status
FileStore::SetAcls(InodeNumber number,
                   const PosixAcl& access,
                   const PosixAcl& defaultAcl,
                   const FileCredential& who)
{
    Inode& inode = GetMutable(number);
    Fattr3& attributes = inode.attributes;
    if (attributes.type == Ftype3::LNK)
    {
        return Nfs3Status::NOTSUPP;
    }
    if (!IsOwner(inode, who))
    {
        return Nfs3Status::PERM;
    }
    if (!MayBeSet(access))
    {
        return Nfs3Status::INVAL;
    }
    if (!access.empty())
    {
        const bool minimal = ApplyAclToMode(access, attributes.mode);
        inode.accessAcl = minimal ? PosixAcl() : access;
        if (!who.IsSuperuser() && !who.IsInGroup(attributes.gid))
        {
            attributes.mode &= ~MODE_SET_GID;
        }
        NoteChange(inode);
    }
    else if (!inode.accessAcl.empty())
    {
        inode.accessAcl.clear();
        NoteChange(inode);
    }
    if (!inode.directory)
    {
        return defaultAcl.empty() ? Nfs3Status::OK : Nfs3Status::ACCES;
    }
    if (!MayBeSet(defaultAcl))
    {
        return Nfs3Status::INVAL;
    }
    if (!defaultAcl.empty() || !inode.defaultAcl.empty())
    {
        inode.defaultAcl = defaultAcl;
        NoteChange(inode);
    }
    return Nfs3Status::OK;
}

} // namespace ns3::nfsrdma
