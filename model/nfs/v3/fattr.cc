/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/fattr.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

template <typename T>
void
EncodeOptional(XdrWriter& writer, const std::optional<T>& value)
{
    writer.WriteBool(value.has_value());
    if (value)
    {
        value->Encode(writer);
    }
}

template <typename T>
std::optional<T>
DecodeOptional(XdrReader& reader)
{
    if (!reader.ReadBool())
    {
        return std::nullopt;
    }
    return T::Decode(reader);
}

void
EncodeOptional(XdrWriter& writer, const std::optional<uint32_t>& value)
{
    writer.WriteBool(value.has_value());
    if (value)
    {
        writer.WriteU32(*value);
    }
}

std::optional<uint32_t>
DecodeOptionalU32(XdrReader& reader)
{
    return reader.ReadBool() ? std::make_optional(reader.ReadU32()) : std::nullopt;
}

void
EncodeSetTime(XdrWriter& writer, const SetTime3& set)
{
    writer.WriteU32(static_cast<uint32_t>(set.how));
    if (set.how == TimeHow::SET_TO_CLIENT_TIME)
    {
        set.time.Encode(writer);
    }
}

SetTime3
DecodeSetTime(XdrReader& reader)
{
    SetTime3 set;
    const uint32_t how = reader.ReadU32();
    if (how > static_cast<uint32_t>(TimeHow::SET_TO_CLIENT_TIME))
    {
        reader.Fail();
        return set;
    }
    set.how = static_cast<TimeHow>(how);
    if (set.how == TimeHow::SET_TO_CLIENT_TIME)
    {
        set.time = NfsTime3::Decode(reader);
    }
    return set;
}

} // namespace

void
Encode(XdrWriter& writer, const Nfs3Verifier& verifier)
{
    writer.WriteFixedOpaque(verifier);
}

Nfs3Verifier
DecodeVerifier(XdrReader& reader)
{
    Nfs3Verifier verifier{};
    const ByteSpan octets = reader.ReadFixedOpaque(verifier.size());
    std::copy(octets.begin(), octets.end(), verifier.begin());
    return verifier;
}

NfsFh3::NfsFh3(ByteSpan handle)
    : length(std::min<uint32_t>(handle.size(), NFS3_FHSIZE))
{
    std::copy_n(handle.begin(), length, octets.begin());
}

ByteSpan
NfsFh3::AsSpan() const
{
    return ByteSpan(octets.data(), length);
}

void
NfsFh3::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(AsSpan());
}

NfsFh3
NfsFh3::Decode(XdrReader& reader)
{
    return NfsFh3(reader.ReadOpaque(NFS3_FHSIZE));
}

bool
operator==(const NfsFh3& a, const NfsFh3& b)
{
    return a.length == b.length && a.octets == b.octets;
}

bool
operator!=(const NfsFh3& a, const NfsFh3& b)
{
    return !(a == b);
}

bool
operator<(const NfsFh3& a, const NfsFh3& b)
{
    return std::tie(a.length, a.octets) < std::tie(b.length, b.octets);
}

const char*
ToString(Ftype3 type)
{
    switch (type)
    {
    case Ftype3::REG:
        return "REG";
    case Ftype3::DIR:
        return "DIR";
    case Ftype3::BLK:
        return "BLK";
    case Ftype3::CHR:
        return "CHR";
    case Ftype3::LNK:
        return "LNK";
    case Ftype3::SOCK:
        return "SOCK";
    case Ftype3::FIFO:
        return "FIFO";
    }
    return "UNKNOWN";
}

bool
operator==(const SpecData3& a, const SpecData3& b)
{
    return a.specdata1 == b.specdata1 && a.specdata2 == b.specdata2;
}

void
NfsTime3::Encode(XdrWriter& writer) const
{
    writer.WriteU32(seconds);
    writer.WriteU32(nseconds);
}

NfsTime3
NfsTime3::Decode(XdrReader& reader)
{
    NfsTime3 time;
    time.seconds = reader.ReadU32();
    time.nseconds = reader.ReadU32();
    return time;
}

bool
operator==(const NfsTime3& a, const NfsTime3& b)
{
    return a.seconds == b.seconds && a.nseconds == b.nseconds;
}

bool
operator!=(const NfsTime3& a, const NfsTime3& b)
{
    return !(a == b);
}

bool
operator<(const NfsTime3& a, const NfsTime3& b)
{
    return std::tie(a.seconds, a.nseconds) < std::tie(b.seconds, b.nseconds);
}

void
Fattr3::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(type));
    writer.WriteU32(mode);
    writer.WriteU32(nlink);
    writer.WriteU32(uid);
    writer.WriteU32(gid);
    writer.WriteU64(size);
    writer.WriteU64(used);
    writer.WriteU32(rdev.specdata1);
    writer.WriteU32(rdev.specdata2);
    writer.WriteU64(fsid);
    writer.WriteU64(fileid);
    atime.Encode(writer);
    mtime.Encode(writer);
    ctime.Encode(writer);
}

Fattr3
Fattr3::Decode(XdrReader& reader)
{
    Fattr3 attributes;
    const uint32_t type = reader.ReadU32();
    if (type < static_cast<uint32_t>(Ftype3::REG) || type > static_cast<uint32_t>(Ftype3::FIFO))
    {
        reader.Fail();
        return attributes;
    }
    attributes.type = static_cast<Ftype3>(type);
    attributes.mode = reader.ReadU32();
    attributes.nlink = reader.ReadU32();
    attributes.uid = reader.ReadU32();
    attributes.gid = reader.ReadU32();
    attributes.size = reader.ReadU64();
    attributes.used = reader.ReadU64();
    attributes.rdev.specdata1 = reader.ReadU32();
    attributes.rdev.specdata2 = reader.ReadU32();
    attributes.fsid = reader.ReadU64();
    attributes.fileid = reader.ReadU64();
    attributes.atime = NfsTime3::Decode(reader);
    attributes.mtime = NfsTime3::Decode(reader);
    attributes.ctime = NfsTime3::Decode(reader);
    return attributes;
}

bool
operator==(const Fattr3& a, const Fattr3& b)
{
    return a.type == b.type && a.mode == b.mode && a.nlink == b.nlink && a.uid == b.uid &&
           a.gid == b.gid && a.size == b.size && a.used == b.used && a.rdev == b.rdev &&
           a.fsid == b.fsid && a.fileid == b.fileid && a.atime == b.atime && a.mtime == b.mtime &&
           a.ctime == b.ctime;
}

void
WccAttr::Encode(XdrWriter& writer) const
{
    writer.WriteU64(size);
    mtime.Encode(writer);
    ctime.Encode(writer);
}

WccAttr
WccAttr::Decode(XdrReader& reader)
{
    WccAttr attributes;
    attributes.size = reader.ReadU64();
    attributes.mtime = NfsTime3::Decode(reader);
    attributes.ctime = NfsTime3::Decode(reader);
    return attributes;
}

bool
operator==(const WccAttr& a, const WccAttr& b)
{
    return a.size == b.size && a.mtime == b.mtime && a.ctime == b.ctime;
}

void
Encode(XdrWriter& writer, const PreOpAttr& attributes)
{
    EncodeOptional(writer, attributes);
}

void
Encode(XdrWriter& writer, const PostOpAttr& attributes)
{
    EncodeOptional(writer, attributes);
}

void
Encode(XdrWriter& writer, const PostOpFh3& handle)
{
    EncodeOptional(writer, handle);
}

PreOpAttr
DecodePreOpAttr(XdrReader& reader)
{
    return DecodeOptional<WccAttr>(reader);
}

PostOpAttr
DecodePostOpAttr(XdrReader& reader)
{
    return DecodeOptional<Fattr3>(reader);
}

PostOpFh3
DecodePostOpFh3(XdrReader& reader)
{
    return DecodeOptional<NfsFh3>(reader);
}

void
WccData::Encode(XdrWriter& writer) const
{
    EncodeOptional(writer, before);
    EncodeOptional(writer, after);
}

WccData
WccData::Decode(XdrReader& reader)
{
    WccData data;
    data.before = DecodePreOpAttr(reader);
    data.after = DecodePostOpAttr(reader);
    return data;
}

bool
operator==(const WccData& a, const WccData& b)
{
    return a.before == b.before && a.after == b.after;
}

bool
operator==(const SetTime3& a, const SetTime3& b)
{
    return a.how == b.how && (a.how != TimeHow::SET_TO_CLIENT_TIME || a.time == b.time);
}

void
Sattr3::Encode(XdrWriter& writer) const
{
    EncodeOptional(writer, mode);
    EncodeOptional(writer, uid);
    EncodeOptional(writer, gid);
    writer.WriteBool(size.has_value());
    if (size)
    {
        writer.WriteU64(*size);
    }
    EncodeSetTime(writer, atime);
    EncodeSetTime(writer, mtime);
}

Sattr3
Sattr3::Decode(XdrReader& reader)
{
    Sattr3 attributes;
    attributes.mode = DecodeOptionalU32(reader);
    attributes.uid = DecodeOptionalU32(reader);
    attributes.gid = DecodeOptionalU32(reader);
    if (reader.ReadBool())
    {
        attributes.size = reader.ReadU64();
    }
    attributes.atime = DecodeSetTime(reader);
    attributes.mtime = DecodeSetTime(reader);
    return attributes;
}

bool
operator==(const Sattr3& a, const Sattr3& b)
{
    return a.mode == b.mode && a.uid == b.uid && a.gid == b.gid && a.size == b.size &&
           a.atime == b.atime && a.mtime == b.mtime;
}

bool
Sattr3::IsEmpty() const
{
    return !mode && !uid && !gid && !size && atime.how == TimeHow::DONT_CHANGE &&
           mtime.how == TimeHow::DONT_CHANGE;
}

void
DirOpArgs3::Encode(XdrWriter& writer) const
{
    dir.Encode(writer);
    writer.WriteString(name);
}

DirOpArgs3
DirOpArgs3::Decode(XdrReader& reader)
{
    DirOpArgs3 args;
    args.dir = NfsFh3::Decode(reader);
    args.name = reader.ReadString(NFS3_MAXNAMLEN);
    return args;
}

Nfs3Data::Nfs3Data(ByteSpan inlineOctets)
    : length(inlineOctets.size()),
      octets(inlineOctets)
{
}

Nfs3Data
Nfs3Data::Reduced(uint32_t itemLength)
{
    Nfs3Data data;
    data.length = itemLength;
    data.reduced = true;
    return data;
}

void
Nfs3Data::Encode(XdrWriter& writer) const
{
    if (reduced)
    {
        writer.WriteU32(length);
    }
    else
    {
        writer.WriteOpaque(octets);
    }
}

Nfs3Data
Nfs3Data::Decode(XdrReader& reader, uint32_t limit, bool isReduced)
{
    if (!isReduced)
    {
        return Nfs3Data(reader.ReadOpaque(limit));
    }
    const uint32_t length = reader.ReadU32();
    if (length > limit)
    {
        reader.Fail();
    }
    return Reduced(length);
}

} // namespace ns3::nfsrdma
