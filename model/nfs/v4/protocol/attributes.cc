/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/attributes.h"

#include <type_traits>

namespace ns3::nfsrdma
{

const char*
ToString(Nfs4Attr attribute)
{
    switch (attribute)
    {
    case Nfs4Attr::SUPPORTED_ATTRS:
        return "supported_attrs";
    case Nfs4Attr::TYPE:
        return "type";
    case Nfs4Attr::FH_EXPIRE_TYPE:
        return "fh_expire_type";
    case Nfs4Attr::CHANGE:
        return "change";
    case Nfs4Attr::SIZE:
        return "size";
    case Nfs4Attr::LINK_SUPPORT:
        return "link_support";
    case Nfs4Attr::SYMLINK_SUPPORT:
        return "symlink_support";
    case Nfs4Attr::NAMED_ATTR:
        return "named_attr";
    case Nfs4Attr::FSID:
        return "fsid";
    case Nfs4Attr::UNIQUE_HANDLES:
        return "unique_handles";
    case Nfs4Attr::LEASE_TIME:
        return "lease_time";
    case Nfs4Attr::RDATTR_ERROR:
        return "rdattr_error";
    case Nfs4Attr::ACL:
        return "acl";
    case Nfs4Attr::ACLSUPPORT:
        return "aclsupport";
    case Nfs4Attr::ARCHIVE:
        return "archive";
    case Nfs4Attr::CANSETTIME:
        return "cansettime";
    case Nfs4Attr::CASE_INSENSITIVE:
        return "case_insensitive";
    case Nfs4Attr::CASE_PRESERVING:
        return "case_preserving";
    case Nfs4Attr::CHOWN_RESTRICTED:
        return "chown_restricted";
    case Nfs4Attr::FILEHANDLE:
        return "filehandle";
    case Nfs4Attr::FILEID:
        return "fileid";
    case Nfs4Attr::FILES_AVAIL:
        return "files_avail";
    case Nfs4Attr::FILES_FREE:
        return "files_free";
    case Nfs4Attr::FILES_TOTAL:
        return "files_total";
    case Nfs4Attr::FS_LOCATIONS:
        return "fs_locations";
    case Nfs4Attr::HIDDEN:
        return "hidden";
    case Nfs4Attr::HOMOGENEOUS:
        return "homogeneous";
    case Nfs4Attr::MAXFILESIZE:
        return "maxfilesize";
    case Nfs4Attr::MAXLINK:
        return "maxlink";
    case Nfs4Attr::MAXNAME:
        return "maxname";
    case Nfs4Attr::MAXREAD:
        return "maxread";
    case Nfs4Attr::MAXWRITE:
        return "maxwrite";
    case Nfs4Attr::MIMETYPE:
        return "mimetype";
    case Nfs4Attr::MODE:
        return "mode";
    case Nfs4Attr::NO_TRUNC:
        return "no_trunc";
    case Nfs4Attr::NUMLINKS:
        return "numlinks";
    case Nfs4Attr::OWNER:
        return "owner";
    case Nfs4Attr::OWNER_GROUP:
        return "owner_group";
    case Nfs4Attr::QUOTA_AVAIL_HARD:
        return "quota_avail_hard";
    case Nfs4Attr::QUOTA_AVAIL_SOFT:
        return "quota_avail_soft";
    case Nfs4Attr::QUOTA_USED:
        return "quota_used";
    case Nfs4Attr::RAWDEV:
        return "rawdev";
    case Nfs4Attr::SPACE_AVAIL:
        return "space_avail";
    case Nfs4Attr::SPACE_FREE:
        return "space_free";
    case Nfs4Attr::SPACE_TOTAL:
        return "space_total";
    case Nfs4Attr::SPACE_USED:
        return "space_used";
    case Nfs4Attr::SYSTEM:
        return "system";
    case Nfs4Attr::TIME_ACCESS:
        return "time_access";
    case Nfs4Attr::TIME_ACCESS_SET:
        return "time_access_set";
    case Nfs4Attr::TIME_BACKUP:
        return "time_backup";
    case Nfs4Attr::TIME_CREATE:
        return "time_create";
    case Nfs4Attr::TIME_DELTA:
        return "time_delta";
    case Nfs4Attr::TIME_METADATA:
        return "time_metadata";
    case Nfs4Attr::TIME_MODIFY:
        return "time_modify";
    case Nfs4Attr::TIME_MODIFY_SET:
        return "time_modify_set";
    case Nfs4Attr::MOUNTED_ON_FILEID:
        return "mounted_on_fileid";
    case Nfs4Attr::DIR_NOTIF_DELAY:
        return "dir_notif_delay";
    case Nfs4Attr::DIRENT_NOTIF_DELAY:
        return "dirent_notif_delay";
    case Nfs4Attr::DACL:
        return "dacl";
    case Nfs4Attr::SACL:
        return "sacl";
    case Nfs4Attr::CHANGE_POLICY:
        return "change_policy";
    case Nfs4Attr::FS_STATUS:
        return "fs_status";
    case Nfs4Attr::FS_LAYOUT_TYPES:
        return "fs_layout_types";
    case Nfs4Attr::LAYOUT_HINT:
        return "layout_hint";
    case Nfs4Attr::LAYOUT_TYPES:
        return "layout_types";
    case Nfs4Attr::LAYOUT_BLKSIZE:
        return "layout_blksize";
    case Nfs4Attr::LAYOUT_ALIGNMENT:
        return "layout_alignment";
    case Nfs4Attr::FS_LOCATIONS_INFO:
        return "fs_locations_info";
    case Nfs4Attr::MDSTHRESHOLD:
        return "mdsthreshold";
    case Nfs4Attr::RETENTION_GET:
        return "retention_get";
    case Nfs4Attr::RETENTION_SET:
        return "retention_set";
    case Nfs4Attr::RETENTEVT_GET:
        return "retentevt_get";
    case Nfs4Attr::RETENTEVT_SET:
        return "retentevt_set";
    case Nfs4Attr::RETENTION_HOLD:
        return "retention_hold";
    case Nfs4Attr::MODE_SET_MASKED:
        return "mode_set_masked";
    case Nfs4Attr::SUPPATTR_EXCLCREAT:
        return "suppattr_exclcreat";
    case Nfs4Attr::FS_CHARSET_CAP:
        return "fs_charset_cap";
    case Nfs4Attr::CLONE_BLKSIZE:
        return "clone_blksize";
    case Nfs4Attr::SPACE_FREED:
        return "space_freed";
    case Nfs4Attr::CHANGE_ATTR_TYPE:
        return "change_attr_type";
    case Nfs4Attr::SEC_LABEL:
        return "sec_label";
    case Nfs4Attr::MODE_UMASK:
        return "mode_umask";
    case Nfs4Attr::XATTR_SUPPORT:
        return "xattr_support";
    }
    return "unknown";
}

Nfs4Bitmap
MakeAttrMask(std::initializer_list<Nfs4Attr> attributes)
{
    Nfs4Bitmap mask;
    for (const Nfs4Attr attribute : attributes)
    {
        mask.Set(static_cast<uint32_t>(attribute));
    }
    return mask;
}

Nfs4Bitmap
Nfs4Attributes::GetMask() const
{
    Nfs4Bitmap mask = unknown;
    ForEach(*this, [&mask](Nfs4Attr attribute, const auto& value) {
        if (value)
        {
            mask.Set(static_cast<uint32_t>(attribute));
        }
    });
    if (mask.GetWords() < minimumWords)
    {
        mask.SetWords(minimumWords);
    }
    return mask;
}

uint32_t
Nfs4Attributes::GetValuesSize() const
{
    XdrWriter writer;
    Encode(writer);
    return static_cast<uint32_t>(writer.GetSize()) - GetMask().GetSize() - 4;
}

void
Nfs4Attributes::Encode(XdrWriter& writer) const
{
    GetMask().Encode(writer);
    const std::size_t lengthAt = writer.GetSize();
    writer.WriteU32(0);
    Nfs4Encoder encoder(writer);
    ForEach(*this, [&encoder](Nfs4Attr /* attribute */, const auto& value) {
        if (value)
        {
            encoder(*value);
        }
    });
    writer.WriteFixedOpaque(unknownValues);
    writer.PatchU32(lengthAt, static_cast<uint32_t>(writer.GetSize() - lengthAt - 4));
}

Nfs4Attributes
Nfs4Attributes::Decode(XdrReader& reader)
{
    Nfs4Attributes attributes;
    Nfs4Bitmap mask = Nfs4Bitmap::Decode(reader);
    const ByteSpan values = reader.ReadOpaque(std::numeric_limits<uint32_t>::max());
    if (!reader.Ok())
    {
        return attributes;
    }
    attributes.minimumWords = mask.GetWords();
    XdrReader valueReader(values);
    Nfs4Decoder decoder(valueReader);
    ForEach(attributes, [&decoder, &mask](Nfs4Attr attribute, auto& value) {
        const auto bit = static_cast<uint32_t>(attribute);
        if (mask.Has(bit))
        {
            decoder(value.emplace());
            mask.Clear(bit);
        }
    });
    if (!mask.IsEmpty())
    {
        attributes.unknown = mask;
        const ByteSpan rest = valueReader.Rest();
        attributes.unknownValues.assign(rest.begin(), rest.end());
    }
    else if (valueReader.Remaining() > 0)
    {
        reader.Fail();
    }
    if (!valueReader.Ok() || values.size() % 4 != 0)
    {
        reader.Fail();
    }
    return attributes;
}

} // namespace ns3::nfsrdma
