/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/attribute-reader.h"

#include "nfs/store/files.h"
#include "nfs/v4/protocol/acl.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t WORD0 = 0xfdffbfff;
constexpr uint32_t WORD1 = 0x00fdbe3e;
constexpr uint32_t WORD1_LAYOUTS = 0x40000000;
constexpr uint32_t WORD2_MINOR1 = 0x00000803;
constexpr uint32_t WORD2_MINOR2 = 0x00078803;

constexpr uint32_t WRITABLE0 = 0x00001010;
constexpr uint32_t WRITABLE1 = 0x00450032;
constexpr uint32_t WRITABLE2 = 0x00030000;
constexpr uint32_t EXCLUSIVE1 = 0x00040032;

constexpr uint32_t MAX_LINK = 255;
constexpr uint32_t ACL_ALLOW_AND_DENY = 3;
constexpr uint32_t CHANGE_IS_TIME_METADATA = 4;
constexpr uint32_t SECONDS_SHIFT = 30;
constexpr uint32_t PSEUDO_SECONDS_SHIFT = 32;

NfsTime4
ToTime4(const NfsTime3& time)
{
    return {time.seconds, time.nseconds};
}

/// Gives a value to the attribute when it is wanted.
template <typename T, typename U>
void
Give(const Nfs4Bitmap& mask, Nfs4Attr attribute, std::optional<T>& value, const U& given)
{
    if (mask.Has(static_cast<uint32_t>(attribute)))
    {
        value = given;
    }
}

SetTime3
ToSetTime3(const std::optional<SetTime4>& set)
{
    if (!set)
    {
        return {};
    }
    if (!set->time)
    {
        return {TimeHow::SET_TO_SERVER_TIME, {}};
    }
    return {TimeHow::SET_TO_CLIENT_TIME,
            {static_cast<uint32_t>(set->time->seconds), set->time->nseconds}};
}

} // namespace

Nfs4Bitmap
GetSupportedNfs4Attributes(uint32_t minorVersion)
{
    switch (minorVersion)
    {
    case 0:
        return Nfs4Bitmap::FromWords({WORD0, WORD1});
    case 1:
        return Nfs4Bitmap::FromWords({WORD0, WORD1 | WORD1_LAYOUTS, WORD2_MINOR1});
    default:
        return Nfs4Bitmap::FromWords({WORD0, WORD1 | WORD1_LAYOUTS, WORD2_MINOR2});
    }
}

Nfs4Bitmap
GetWritableNfs4Attributes(uint32_t minorVersion)
{
    return Nfs4Bitmap::FromWords({WRITABLE0, WRITABLE1, minorVersion < 2 ? 0 : WRITABLE2});
}

Nfs4Bitmap
GetExclusiveCreateNfs4Attributes(uint32_t minorVersion)
{
    return Nfs4Bitmap::FromWords({WRITABLE0, EXCLUSIVE1, minorVersion < 2 ? 0 : WRITABLE2});
}

Nfs4AttributeReader::Nfs4AttributeReader(const FileStore& store,
                                         const Nfs4Namespace& names,
                                         const Nfs4AttributeLimits& limits,
                                         uint32_t minorVersion)
    : m_store(store),
      m_names(names),
      m_limits(limits),
      m_minorVersion(minorVersion)
{
}

uint64_t
Nfs4AttributeReader::GetChange(InodeNumber number) const
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        const NfsTime3 time = m_names.GetRootAttributes().ctime;
        return (uint64_t{time.seconds} << PSEUDO_SECONDS_SHIFT) + time.nseconds;
    }
    const Inode& inode = m_store.Get(number);
    const NfsTime3& time = inode.attributes.ctime;
    return (uint64_t{time.seconds} << SECONDS_SHIFT) + time.nseconds + inode.changes;
}

Nfs4Attributes
Nfs4AttributeReader::Read(InodeNumber number, const Nfs4Bitmap& wanted) const
{
    const Nfs4Bitmap mask = wanted & GetSupportedNfs4Attributes(m_minorVersion);
    Nfs4Attributes values;
    const Fattr3 object = number == Nfs4Namespace::PSEUDO_ROOT ? m_names.GetRootAttributes()
                                                               : m_store.Get(number).attributes;
    ReadObject(number, object, mask, values);
    ReadTimes(object, mask, values);
    ReadServer(mask, values);
    ReadFileSystem(mask, values);
    if (mask.Has(static_cast<uint32_t>(Nfs4Attr::ACL)))
    {
        ReadAcl(number, values);
    }
    return values;
}

void
Nfs4AttributeReader::ReadObject(InodeNumber number,
                                const Fattr3& object,
                                const Nfs4Bitmap& mask,
                                Nfs4Attributes& values) const
{
    Give(mask, Nfs4Attr::TYPE, values.type, static_cast<Ftype4>(object.type));
    if (mask.Has(static_cast<uint32_t>(Nfs4Attr::CHANGE)))
    {
        values.change = GetChange(number);
    }
    Give(mask, Nfs4Attr::SIZE, values.size, object.size);
    Give(mask, Nfs4Attr::FSID, values.fsid, Fsid4{object.fsid, 0});
    if (mask.Has(static_cast<uint32_t>(Nfs4Attr::FILEHANDLE)))
    {
        values.filehandle = m_names.GetHandle(number);
    }
    Give(mask, Nfs4Attr::FILEID, values.fileid, object.fileid);
    Give(mask, Nfs4Attr::MODE, values.mode, object.mode);
    Give(mask, Nfs4Attr::NUMLINKS, values.numLinks, object.nlink);
    Give(mask, Nfs4Attr::OWNER, values.owner, std::to_string(object.uid));
    Give(mask, Nfs4Attr::OWNER_GROUP, values.ownerGroup, std::to_string(object.gid));
    Give(mask,
         Nfs4Attr::RAWDEV,
         values.rawdev,
         SpecData4{object.rdev.specdata1, object.rdev.specdata2});
    Give(mask, Nfs4Attr::SPACE_USED, values.spaceUsed, object.used);
    Give(mask, Nfs4Attr::MOUNTED_ON_FILEID, values.mountedOnFileid, object.fileid);
}

void
Nfs4AttributeReader::ReadTimes(const Fattr3& object,
                               const Nfs4Bitmap& mask,
                               Nfs4Attributes& values) const
{
    Give(mask, Nfs4Attr::TIME_ACCESS, values.timeAccess, ToTime4(object.atime));
    Give(mask, Nfs4Attr::TIME_CREATE, values.timeCreate, ToTime4(object.ctime));
    Give(mask, Nfs4Attr::TIME_DELTA, values.timeDelta, NfsTime4{0, m_limits.timeDelta});
    Give(mask, Nfs4Attr::TIME_METADATA, values.timeMetadata, ToTime4(object.ctime));
    Give(mask, Nfs4Attr::TIME_MODIFY, values.timeModify, ToTime4(object.mtime));
}

void
Nfs4AttributeReader::ReadServer(const Nfs4Bitmap& mask, Nfs4Attributes& values) const
{
    Give(mask,
         Nfs4Attr::SUPPORTED_ATTRS,
         values.supportedAttrs,
         GetSupportedNfs4Attributes(m_minorVersion));
    Give(mask, Nfs4Attr::FH_EXPIRE_TYPE, values.fhExpireType, 0U);
    Give(mask, Nfs4Attr::LINK_SUPPORT, values.linkSupport, true);
    Give(mask, Nfs4Attr::SYMLINK_SUPPORT, values.symlinkSupport, true);
    Give(mask, Nfs4Attr::NAMED_ATTR, values.namedAttr, false);
    Give(mask, Nfs4Attr::UNIQUE_HANDLES, values.uniqueHandles, true);
    Give(mask, Nfs4Attr::LEASE_TIME, values.leaseTime, m_limits.leaseTime);
    Give(mask, Nfs4Attr::RDATTR_ERROR, values.rdattrError, Nfs4Status::OK);
    Give(mask, Nfs4Attr::ACLSUPPORT, values.aclSupport, ACL_ALLOW_AND_DENY);
    Give(mask, Nfs4Attr::CANSETTIME, values.canSetTime, true);
    Give(mask, Nfs4Attr::CASE_INSENSITIVE, values.caseInsensitive, false);
    Give(mask, Nfs4Attr::CASE_PRESERVING, values.casePreserving, true);
    Give(mask, Nfs4Attr::CHOWN_RESTRICTED, values.chownRestricted, true);
    Give(mask, Nfs4Attr::FS_LOCATIONS, values.fsLocations, FsLocations4());
    Give(mask, Nfs4Attr::HOMOGENEOUS, values.homogeneous, true);
    Give(mask, Nfs4Attr::NO_TRUNC, values.noTrunc, true);
    std::vector<LayoutType4> layouts;
    if (m_limits.layouts)
    {
        layouts.push_back(LayoutType4::NFSV4_1_FILES);
    }
    Give(mask, Nfs4Attr::FS_LAYOUT_TYPES, values.fsLayoutTypes, layouts);
    Give(mask, Nfs4Attr::LAYOUT_TYPES, values.layoutTypes, layouts);
    Give(mask, Nfs4Attr::LAYOUT_BLKSIZE, values.layoutBlkSize, FILE_BLOCK_SIZE);
    Give(mask,
         Nfs4Attr::SUPPATTR_EXCLCREAT,
         values.suppattrExclcreat,
         GetExclusiveCreateNfs4Attributes(m_minorVersion));
    Give(mask, Nfs4Attr::CHANGE_ATTR_TYPE, values.changeAttrType, CHANGE_IS_TIME_METADATA);
    Give(mask, Nfs4Attr::XATTR_SUPPORT, values.xattrSupport, true);
}

void
Nfs4AttributeReader::ReadFileSystem(const Nfs4Bitmap& mask, Nfs4Attributes& values) const
{
    const FileSystemStatistics statistics = m_store.GetFileSystem().GetStatistics();
    Give(mask, Nfs4Attr::FILES_AVAIL, values.filesAvail, statistics.freeFiles);
    Give(mask, Nfs4Attr::FILES_FREE, values.filesFree, statistics.freeFiles);
    Give(mask, Nfs4Attr::FILES_TOTAL, values.filesTotal, statistics.totalFiles);
    Give(mask,
         Nfs4Attr::MAXFILESIZE,
         values.maxFileSize,
         m_store.GetFileSystem().GetSettings().maxFileSize);
    Give(mask, Nfs4Attr::MAXLINK, values.maxLink, MAX_LINK);
    Give(mask, Nfs4Attr::MAXNAME, values.maxName, NFS3_MAXNAMLEN);
    Give(mask, Nfs4Attr::MAXREAD, values.maxRead, m_limits.maxTransfer);
    Give(mask, Nfs4Attr::MAXWRITE, values.maxWrite, m_limits.maxTransfer);
    Give(mask, Nfs4Attr::SPACE_AVAIL, values.spaceAvail, statistics.freeBytes);
    Give(mask, Nfs4Attr::SPACE_FREE, values.spaceFree, statistics.freeBytes);
    Give(mask, Nfs4Attr::SPACE_TOTAL, values.spaceTotal, statistics.totalBytes);
}

void
Nfs4AttributeReader::ReadAcl(InodeNumber number, Nfs4Attributes& values) const
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        values.acl = MakeNfs4Acl({MakeMinimalAcl(m_names.GetRootAttributes().mode), {}}, true);
        return;
    }
    const Inode& inode = m_store.Get(number);
    if (inode.attributes.type == Ftype3::LNK)
    {
        return;
    }
    values.acl = MakeNfs4Acl({m_store.GetAttributes().GetAccessAcl(number), inode.defaultAcl},
                             inode.attributes.type == Ftype3::DIR);
}

Nfs4Result<Sattr3>
MakeSattr3(const Nfs4Attributes& attributes, uint32_t minorVersion)
{
    const Nfs4Bitmap mask = attributes.GetMask();
    if (((mask & GetSupportedNfs4Attributes(minorVersion)) |
         (mask & GetWritableNfs4Attributes(minorVersion))) != mask)
    {
        return tl::unexpected(Nfs4Status::ATTRNOTSUPP);
    }
    if ((mask & GetWritableNfs4Attributes(minorVersion)) != mask ||
        (attributes.mode && attributes.modeUmask))
    {
        return tl::unexpected(Nfs4Status::INVAL);
    }
    Sattr3 changes;
    changes.size = attributes.size;
    changes.mode = attributes.mode;
    if (attributes.modeUmask)
    {
        changes.mode = attributes.modeUmask->mode & ~attributes.modeUmask->umask;
    }
    if (attributes.owner)
    {
        changes.uid = ParseNfs4Identity(*attributes.owner);
    }
    if (attributes.ownerGroup)
    {
        changes.gid = ParseNfs4Identity(*attributes.ownerGroup);
    }
    if ((attributes.owner && !changes.uid) || (attributes.ownerGroup && !changes.gid))
    {
        return tl::unexpected(Nfs4Status::BADOWNER);
    }
    changes.atime = ToSetTime3(attributes.timeAccessSet);
    changes.mtime = ToSetTime3(attributes.timeModifySet);
    return changes;
}

} // namespace ns3::nfsrdma
