/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SET_UID = 04000;
constexpr uint32_t GROUP_EXECUTE = 0010;
constexpr uint32_t ACCESS_TIME_LAG_SECONDS = 24 * 3600;

struct AccessRule
{
    uint32_t access;
    uint32_t wanted;
};

Nfs3Status
CheckRegular(const Inode& inode)
{
    if (inode.directory)
    {
        return Nfs3Status::ISDIR;
    }
    return inode.content ? Nfs3Status::OK : Nfs3Status::INVAL;
}

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

void
ClearSetIds(Inode& inode)
{
    inode.attributes.mode &= ~SET_UID;
    if ((inode.attributes.mode & GROUP_EXECUTE) != 0)
    {
        inode.attributes.mode &= ~MODE_SET_GID;
    }
}

} // namespace

WccAttr
FileStore::GetWcc(InodeNumber number) const
{
    const Fattr3& attributes = Get(number).attributes;
    return {attributes.size, attributes.mtime, attributes.ctime};
}

uint32_t
FileStore::CheckAccess(InodeNumber number, uint32_t wanted, const FileCredential& who) const
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
    const Inode& inode = Get(number);
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
FileStore::CheckChanges(const Inode& inode, const Sattr3& changes, const FileCredential& who) const
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
        if (*changes.size > m_maxFileSize)
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
FileStore::SetAttributes(InodeNumber number,
                         const Sattr3& changes,
                         const std::optional<NfsTime3>& guard,
                         const FileCredential& who)
{
    Inode& inode = GetMutable(number);
    if (guard && *guard != inode.attributes.ctime)
    {
        return Nfs3Status::NOT_SYNC;
    }
    const Nfs3Status status = CheckChanges(inode, changes, who);
    if (status == Nfs3Status::OK && !changes.IsEmpty())
    {
        ApplyChanges(inode, changes, who);
    }
    return status;
}

void
FileStore::ApplyChanges(Inode& inode, const Sattr3& changes, const FileCredential& who)
{
    Fattr3& attributes = inode.attributes;
    const NfsTime3 now = Now();
    if (changes.size)
    {
        Resize(inode, *changes.size);
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
    NoteChange(inode);
    inode.createVerifier.reset();
}

void
FileStore::Resize(Inode& file, uint64_t size)
{
    if (size == file.attributes.size)
    {
        return;
    }
    const uint64_t before = file.attributes.size;
    file.content->SetSize(size);
    file.attributes.size = size;
    m_sizeChanged(file.attributes.fileid, before, size);
    file.attributes.mtime = Now();
    SetUsed(file, file.content->GetUsed());
}

void
FileStore::TouchAccessTime(Inode& inode)
{
    Fattr3& attributes = inode.attributes;
    const NfsTime3 now = Now();
    const bool isOlder =
        !(attributes.mtime < attributes.atime) || !(attributes.ctime < attributes.atime);
    if (isOlder || now.seconds >= attributes.atime.seconds + ACCESS_TIME_LAG_SECONDS)
    {
        attributes.atime = now;
    }
}

FileResult<std::string>
FileStore::ReadLink(InodeNumber number) const
{
    const Inode& inode = Get(number);
    if (inode.attributes.type != Ftype3::LNK)
    {
        return tl::make_unexpected(Nfs3Status::INVAL);
    }
    return inode.target;
}

FileResult<FileStore::ReadRange>
FileStore::PrepareRead(InodeNumber number,
                       uint64_t offset,
                       uint32_t count,
                       const FileCredential& who) const
{
    const Inode& inode = Get(number);
    const Nfs3Status regular = CheckRegular(inode);
    if (regular != Nfs3Status::OK)
    {
        return tl::make_unexpected(regular);
    }
    if (!IsOwner(inode, who) && !MayAccess(inode, who, MAY_READ) &&
        !MayAccess(inode, who, MAY_EXECUTE))
    {
        return tl::make_unexpected(Nfs3Status::ACCES);
    }
    const uint64_t size = inode.attributes.size;
    ReadRange range;
    if (offset < size)
    {
        range.count = static_cast<uint32_t>(std::min<uint64_t>(count, size - offset));
    }
    range.eof = offset >= size || range.count == size - offset;
    return range;
}

void
FileStore::Read(InodeNumber number, uint64_t offset, uint32_t count, const SparseFile::Sink& sink)
{
    Inode& inode = GetMutable(number);
    inode.content->Read(offset, count, sink);
    TouchAccessTime(inode);
}

Nfs3Status
FileStore::CheckCommit(InodeNumber number, const FileCredential& who) const
{
    const Inode& inode = Get(number);
    const Nfs3Status regular = CheckRegular(inode);
    if (regular != Nfs3Status::OK)
    {
        return regular;
    }
    const bool writable = IsOwner(inode, who) || MayAccess(inode, who, MAY_WRITE);
    return writable ? Nfs3Status::OK : Nfs3Status::ACCES;
}

Nfs3Status
FileStore::Write(InodeNumber number,
                 uint64_t offset,
                 uint32_t count,
                 const SparseFile::Source& source,
                 const FileCredential& who)
{
    const Nfs3Status writable = CheckCommit(number, who);
    if (writable != Nfs3Status::OK)
    {
        return writable;
    }
    Inode& inode = GetMutable(number);
    if (offset > m_maxFileSize || count > m_maxFileSize - offset)
    {
        return Nfs3Status::FBIG;
    }
    if (offset + count > inode.attributes.size && m_usedBytes + count > m_totalBytes)
    {
        return Nfs3Status::NOSPC;
    }
    if (count == 0)
    {
        return Nfs3Status::OK;
    }
    inode.content->Write(offset, count, source);
    const uint64_t before = inode.attributes.size;
    inode.attributes.size = inode.content->GetSize();
    if (inode.attributes.size != before)
    {
        m_sizeChanged(number, before, inode.attributes.size);
    }
    SetUsed(inode, inode.content->GetUsed());
    inode.attributes.mtime = Now();
    NoteChange(inode);
    inode.createVerifier.reset();
    if (!who.IsSuperuser())
    {
        ClearSetIds(inode);
    }
    return Nfs3Status::OK;
}

void
FileStore::Wipe(InodeNumber file, uint64_t offset, uint64_t length)
{
    SparseFile& content = *GetMutable(file).content;
    const uint64_t size = content.GetSize();
    if (offset < size)
    {
        content.Write(offset,
                      std::min(length, size - offset),
                      [](uint64_t /* position */, MutableByteSpan octets) {
                          std::fill(octets.begin(), octets.end(), uint8_t{0});
                      });
    }
}

FileResult<const Directory*>
FileStore::OpenDirectory(InodeNumber dir, const FileCredential& who)
{
    const Nfs3Status status = CheckDirectory(dir, MAY_READ, who);
    if (status != Nfs3Status::OK)
    {
        return tl::make_unexpected(status);
    }
    Inode& inode = GetMutable(dir);
    TouchAccessTime(inode);
    return inode.directory.get();
}

} // namespace ns3::nfsrdma
