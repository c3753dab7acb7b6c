/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/types2.h"

#include "nfs/types/file-access.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<const char*, NFS2_PROCEDURES> NFS2_PROCEDURE_NAMES{"NULL",
                                                                        "GETATTR",
                                                                        "SETATTR",
                                                                        "ROOT",
                                                                        "LOOKUP",
                                                                        "READLINK",
                                                                        "READ",
                                                                        "WRITECACHE",
                                                                        "WRITE",
                                                                        "CREATE",
                                                                        "REMOVE",
                                                                        "RENAME",
                                                                        "LINK",
                                                                        "SYMLINK",
                                                                        "MKDIR",
                                                                        "RMDIR",
                                                                        "READDIR",
                                                                        "STATFS"};
constexpr uint32_t NANOSECONDS = 1000;
constexpr uint64_t BLOCK = 512;

uint32_t
GetTypeBits(Ftype3 type)
{
    switch (type)
    {
    case Ftype3::REG:
        return MODE2_REG;
    case Ftype3::DIR:
        return MODE2_DIR;
    case Ftype3::BLK:
        return MODE2_BLK;
    case Ftype3::CHR:
        return MODE2_CHR;
    case Ftype3::LNK:
        return MODE2_LNK;
    case Ftype3::SOCK:
        return MODE2_SOCK;
    case Ftype3::FIFO:
        return MODE2_FIFO;
    }
    return 0;
}

Ftype3
GetType(const Fattr2& attributes)
{
    switch (attributes.mode & MODE2_TYPE)
    {
    case MODE2_DIR:
        return Ftype3::DIR;
    case MODE2_BLK:
        return Ftype3::BLK;
    case MODE2_CHR:
        return Ftype3::CHR;
    case MODE2_LNK:
        return Ftype3::LNK;
    case MODE2_SOCK:
        return Ftype3::SOCK;
    case MODE2_FIFO:
        return Ftype3::FIFO;
    default:
        return Ftype3::REG;
    }
}

Timeval2
ToTimeval(const NfsTime3& time)
{
    return {time.seconds, time.nseconds / NANOSECONDS};
}

NfsTime3
ToTime3(const Timeval2& time)
{
    NfsTime3 converted;
    converted.seconds = time.seconds;
    converted.nseconds = time.useconds * NANOSECONDS;
    return converted;
}

SetTime3
ToSetTime(const Timeval2& time, bool serverTime)
{
    SetTime3 set;
    if (time.seconds != Sattr2::UNSET)
    {
        set.how = serverTime ? TimeHow::SET_TO_SERVER_TIME : TimeHow::SET_TO_CLIENT_TIME;
        set.time = ToTime3(time);
    }
    return set;
}

Timeval2
ToTimeval(const SetTime3& set)
{
    switch (set.how)
    {
    case TimeHow::SET_TO_CLIENT_TIME:
        return ToTimeval(set.time);
    case TimeHow::SET_TO_SERVER_TIME:
        return {0, Sattr2::SERVER_TIME};
    case TimeHow::DONT_CHANGE:
        break;
    }
    return {Sattr2::UNSET, Sattr2::UNSET};
}

std::optional<uint32_t>
ToOptional(uint32_t value)
{
    return value == Sattr2::UNSET ? std::nullopt : std::make_optional(value);
}

/// The type bits of the mode of a CREATE that makes a special file.
uint32_t
GetNodeBits(Ftype3 type)
{
    switch (type)
    {
    case Ftype3::BLK:
        return MODE2_BLK;
    case Ftype3::SOCK:
        return MODE2_SOCK;
    default:
        return MODE2_CHR;
    }
}

} // namespace

const char*
ToString(Nfs2Procedure procedure)
{
    const auto number = static_cast<uint32_t>(procedure);
    return number < NFS2_PROCEDURE_NAMES.size() ? NFS2_PROCEDURE_NAMES[number] : "UNKNOWN";
}

Nfs2Status
ToNfs2Status(Nfs3Status status)
{
    if (status == Nfs3Status::BADHANDLE)
    {
        return Nfs2Status::STALE;
    }
    const auto number = static_cast<uint32_t>(status);
    const bool known =
        status == Nfs3Status::JUKEBOX || number <= static_cast<uint32_t>(Nfs3Status::STALE);
    return known ? static_cast<Nfs2Status>(number) : Nfs2Status::IO;
}

Nfs2Fh::Nfs2Fh(const NfsFh3& handle)
{
    NS_ASSERT_MSG(handle.length <= NFS2_FHSIZE, "a handle too long for NFS version 2");
    std::copy_n(handle.octets.begin(), std::min(handle.length, NFS2_FHSIZE), octets.begin());
}

Fattr2
Fattr2::Make(const Fattr3& attributes, uint32_t blocksize)
{
    Fattr2 made;
    made.type =
        attributes.type == Ftype3::FIFO ? Ftype2::CHR : static_cast<Ftype2>(attributes.type);
    made.mode = GetTypeBits(attributes.type) | (attributes.mode & MODE_BITS);
    made.nlink = attributes.nlink;
    made.uid = attributes.uid;
    made.gid = attributes.gid;
    made.size = static_cast<uint32_t>(attributes.size);
    made.blocksize = blocksize;
    made.rdev = EncodeDevice2(attributes.rdev);
    made.blocks = static_cast<uint32_t>((attributes.used + BLOCK - 1) / BLOCK);
    made.fsid = static_cast<uint32_t>(attributes.fsid);
    made.fileid = static_cast<uint32_t>(attributes.fileid);
    made.atime = ToTimeval(attributes.atime);
    made.mtime = ToTimeval(attributes.mtime);
    made.ctime = ToTimeval(attributes.ctime);
    return made;
}

Fattr3
Fattr2::ToFattr3() const
{
    Fattr3 attributes;
    attributes.type = GetType(*this);
    attributes.mode = mode & MODE_BITS;
    attributes.nlink = nlink;
    attributes.uid = uid;
    attributes.gid = gid;
    attributes.size = size;
    attributes.used = BLOCK * blocks;
    attributes.rdev = DecodeDevice2(rdev);
    attributes.fsid = fsid;
    attributes.fileid = fileid;
    attributes.atime = ToTime3(atime);
    attributes.mtime = ToTime3(mtime);
    attributes.ctime = ToTime3(ctime);
    return attributes;
}

Sattr2
Sattr2::Make(const Sattr3& changes)
{
    Sattr2 made;
    made.mode = changes.mode.value_or(UNSET);
    made.uid = changes.uid.value_or(UNSET);
    made.gid = changes.gid.value_or(UNSET);
    made.size = changes.size ? static_cast<uint32_t>(*changes.size) : UNSET;
    made.atime = ToTimeval(changes.atime);
    made.mtime = ToTimeval(changes.mtime);
    return made;
}

Sattr2
Sattr2::MakeNode(Ftype3 type, const SpecData3& device, const Sattr3& attributes)
{
    constexpr uint32_t DEFAULT_MODE = 0644;
    Sattr2 made = Make(attributes);
    made.mode = attributes.mode.value_or(DEFAULT_MODE) | GetNodeBits(type);
    const bool isDevice = type == Ftype3::CHR || type == Ftype3::BLK;
    made.size = isDevice ? EncodeDevice2(device) : UNSET;
    return made;
}

std::optional<Ftype3>
Sattr2::GetTypeToMake() const
{
    switch (mode == UNSET ? 0 : mode & MODE2_TYPE)
    {
    case 0:
    case MODE2_REG:
        return Ftype3::REG;
    case MODE2_FIFO:
        return Ftype3::FIFO;
    case MODE2_CHR:
        return size == UNSET ? Ftype3::FIFO : Ftype3::CHR;
    case MODE2_BLK:
        return Ftype3::BLK;
    case MODE2_SOCK:
        return Ftype3::SOCK;
    default:
        return std::nullopt;
    }
}

Sattr3
Sattr2::ToSattr3() const
{
    Sattr3 changes;
    changes.mode = mode == UNSET ? std::nullopt : std::make_optional(mode & MODE_BITS);
    changes.uid = ToOptional(uid);
    changes.gid = ToOptional(gid);
    if (size != UNSET)
    {
        changes.size = size;
    }
    const bool serverTime = mtime.seconds != UNSET && mtime.useconds == SERVER_TIME;
    changes.atime = ToSetTime(atime, serverTime);
    changes.mtime = ToSetTime(mtime, serverTime);
    return changes;
}

uint32_t
EncodeDevice2(const SpecData3& device)
{
    const uint32_t major = device.specdata1;
    const uint32_t minor = device.specdata2;
    return (minor & 0xff) | (major & 0xfff) << 8 | (minor & 0xfff00) << 12;
}

SpecData3
DecodeDevice2(uint32_t device)
{
    SpecData3 decoded;
    decoded.specdata1 = (device & 0xfff00) >> 8;
    decoded.specdata2 = (device & 0xff) | ((device >> 12) & 0xfff00);
    return decoded;
}

} // namespace ns3::nfsrdma
