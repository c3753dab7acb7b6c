/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/object-attributes.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t MAX_XATTR_OCTETS = 4096;

struct AccessRule
{
    uint32_t access;
    uint32_t wanted;
};

Nfs3Status
CheckTime(const SetTime3& set, const Inode& inode, const FileCredential& who)
{
    if (set.how == TimeHow::DONT_CHANGE || IsOwner(inode, who))
    {
        return Nfs3Status::OK;
    }
    if (set.how == TimeHow::SET_TO_CLIENT_TIME)
    {
        return Nfs3Status::PERM;
    }
    return MayAccess(inode, who, MAY_WRITE) ? Nfs3Status::OK : Nfs3Status::ACCES;
}

bool
MayBeSet(const PosixAcl& acl)
{
    return acl.empty() || IsValidAcl(acl);
}

} // namespace

ObjectAttributes::ObjectAttributes(FileSystem& system)
    : m_system(system)
{
}

WccAttr
ObjectAttributes::GetWcc(InodeNumber number) const
{
    const Fattr3& attributes = m_system.Get(number).attributes;
    return {attributes.size, attributes.mtime, attributes.ctime};
}

uint32_t
ObjectAttributes::CheckAccess(InodeNumber number, uint32_t wanted, const FileCredential& who) const
{
    static constexpr std::array<AccessRule, 5> DIRECTORY_RULES{
        {{ACCESS3_READ, MAY_READ},
         {ACCESS3_LOOKUP, MAY_EXECUTE},
         {ACCESS3_MODIFY, MAY_WRITE | MAY_EXECUTE},
         {ACCESS3_EXTEND, MAY_WRITE | MAY_EXECUTE},
         {ACCESS3_DELETE, MAY_WRITE | MAY_EXECUTE}}};
    static constexpr std::array<AccessRule, 4> OTHER_RULES{{{ACCESS3_READ, MAY_READ},
                                                            {ACCESS3_EXECUTE, MAY_EXECUTE},
                                                            {ACCESS3_MODIFY, MAY_WRITE},
                                                            {ACCESS3_EXTEND, MAY_WRITE}}};
    const Inode& inode = m_system.Get(number);
    uint32_t granted = 0;
    const auto grant = [&](const AccessRule& rule) {
        if ((wanted & rule.access) != 0 && MayAccess(inode, who, rule.wanted))
        {
            granted |= rule.access;
        }
    };
    if (inode.directory)
    {
        std::for_each(DIRECTORY_RULES.begin(), DIRECTORY_RULES.end(), grant);
    }
    else
    {
        std::for_each(OTHER_RULES.begin(), OTHER_RULES.end(), grant);
    }
    return granted;
}

Nfs3Status
ObjectAttributes::CheckChanges(const Inode& inode,
                               const Sattr3& changes,
                               const FileCredential& who) const
{
    if (changes.size)
    {
        const Nfs3Status regular = CheckRegular(inode);
        if (regular != Nfs3Status::OK)
        {
            return regular;
        }
        if (!IsOwner(inode, who) && !MayAccess(inode, who, MAY_WRITE))
        {
            return Nfs3Status::ACCES;
        }
        if (*changes.size > m_system.GetSettings().maxFileSize)
        {
            return Nfs3Status::FBIG;
        }
    }
    const bool ownerOnly = changes.mode || changes.uid || changes.gid;
    if (ownerOnly && !IsOwner(inode, who))
    {
        return Nfs3Status::PERM;
    }
    if (!who.IsSuperuser())
    {
        const bool newOwner = changes.uid && *changes.uid != inode.attributes.uid;
        const bool foreignGroup =
            changes.gid && *changes.gid != inode.attributes.gid && !who.IsInGroup(*changes.gid);
        if (newOwner || foreignGroup)
        {
            return Nfs3Status::PERM;
        }
    }
    const Nfs3Status atime = CheckTime(changes.atime, inode, who);
    return atime != Nfs3Status::OK ? atime : CheckTime(changes.mtime, inode, who);
}

Nfs3Status
ObjectAttributes::SetAttributes(InodeNumber number,
                                const Sattr3& changes,
                                const std::optional<NfsTime3>& guard,
                                const FileCredential& who)
{
    Inode& inode = m_system.Get(number);
    if (guard && *guard != inode.attributes.ctime)
    {
        return Nfs3Status::NOT_SYNC;
    }
    const Nfs3Status status = CheckChanges(inode, changes, who);
    if (status == Nfs3Status::OK && !changes.IsEmpty())
    {
        Apply(inode, changes, who);
    }
    return status;
}

void
ObjectAttributes::Apply(Inode& inode, const Sattr3& changes, const FileCredential& who)
{
    Fattr3& attributes = inode.attributes;
    const NfsTime3 now = m_system.Now();
    if (changes.size)
    {
        m_system.Resize(inode, *changes.size);
    }
    if (changes.uid || changes.gid)
    {
        attributes.uid = changes.uid.value_or(attributes.uid);
        attributes.gid = changes.gid.value_or(attributes.gid);
        if (!inode.directory)
        {
            ClearSetIds(inode);
        }
    }
    if (changes.mode && attributes.type != Ftype3::LNK)
    {
        attributes.mode = *changes.mode & MODE_BITS;
        ApplyModeToAcl(attributes.mode, inode.accessAcl);
        if (!who.IsSuperuser() && !who.IsInGroup(attributes.gid))
        {
            attributes.mode &= ~MODE_SET_GID;
        }
    }
    if (changes.atime.how != TimeHow::DONT_CHANGE)
    {
        attributes.atime =
            changes.atime.how == TimeHow::SET_TO_CLIENT_TIME ? changes.atime.time : now;
    }
    if (changes.mtime.how != TimeHow::DONT_CHANGE)
    {
        attributes.mtime =
            changes.mtime.how == TimeHow::SET_TO_CLIENT_TIME ? changes.mtime.time : now;
    }
    m_system.NoteChange(inode);
    inode.createVerifier.reset();
}

PosixAcl
ObjectAttributes::GetAccessAcl(InodeNumber number) const
{
    const Inode& inode = m_system.Get(number);
    return inode.accessAcl.empty() ? MakeMinimalAcl(inode.attributes.mode) : inode.accessAcl;
}

void
ObjectAttributes::AddAcls(InodeNumber number, const PosixAcl& access, const PosixAcl& defaultAcl)
{
    Inode& inode = m_system.Get(number);
    NS_ABORT_MSG_UNLESS(MayBeSet(access) && MayBeSet(defaultAcl), "an access list is not valid");
    if (!access.empty())
    {
        const bool minimal = ApplyAclToMode(access, inode.attributes.mode);
        inode.accessAcl = minimal ? PosixAcl() : access;
    }
    inode.defaultAcl = defaultAcl;
}

Nfs3Status
ObjectAttributes::SetAcls(InodeNumber number,
                          const PosixAcl& access,
                          const PosixAcl& defaultAcl,
                          const FileCredential& who)
{
    Inode& inode = m_system.Get(number);
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
        m_system.NoteChange(inode);
    }
    else if (!inode.accessAcl.empty())
    {
        inode.accessAcl.clear();
        m_system.NoteChange(inode);
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
        m_system.NoteChange(inode);
    }
    return Nfs3Status::OK;
}

Nfs3Status
ObjectAttributes::SetXattr(InodeNumber number,
                           const std::string& name,
                           ByteSpan value,
                           std::optional<bool> mustBe,
                           const FileCredential& who)
{
    Inode& inode = m_system.Get(number);
    if (inode.attributes.type != Ftype3::REG && inode.attributes.type != Ftype3::DIR)
    {
        return Nfs3Status::PERM;
    }
    if (!MayAccess(inode, who, MAY_WRITE))
    {
        return Nfs3Status::ACCES;
    }
    const bool exists = inode.xattrs.count(name) > 0;
    if (mustBe && *mustBe != exists)
    {
        return exists ? Nfs3Status::EXIST : Nfs3Status::NOENT;
    }
    if (value.size() > MAX_XATTR_OCTETS)
    {
        return Nfs3Status::NOSPC;
    }
    inode.xattrs[name].assign(value.begin(), value.end());
    m_system.NoteChange(inode);
    return Nfs3Status::OK;
}

Nfs3Status
ObjectAttributes::RemoveXattr(InodeNumber number,
                              const std::string& name,
                              const FileCredential& who)
{
    Inode& inode = m_system.Get(number);
    if (!MayAccess(inode, who, MAY_WRITE))
    {
        return Nfs3Status::ACCES;
    }
    if (inode.xattrs.erase(name) == 0)
    {
        return Nfs3Status::NOENT;
    }
    m_system.NoteChange(inode);
    return Nfs3Status::OK;
}

} // namespace ns3::nfsrdma
