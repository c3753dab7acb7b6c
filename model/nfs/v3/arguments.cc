/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/arguments.h"

#include "nfs/types/xdr-finish.h"

#include <limits>

namespace ns3::nfsrdma
{
namespace
{

bool
IsDevice(Ftype3 type)
{
    return type == Ftype3::CHR || type == Ftype3::BLK;
}

bool
IsPipe(Ftype3 type)
{
    return type == Ftype3::SOCK || type == Ftype3::FIFO;
}

} // namespace

void
Null3Args::Encode(XdrWriter& /* writer */) const
{
}

Decoded<Null3Args>
Null3Args::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, Null3Args());
}

void
Getattr3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
}

Decoded<Getattr3Args>
Getattr3Args::Decode(XdrReader& reader)
{
    Getattr3Args args;
    args.object = NfsFh3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Setattr3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    attributes.Encode(writer);
    writer.WriteBool(guard.has_value());
    if (guard)
    {
        guard->Encode(writer);
    }
}

Decoded<Setattr3Args>
Setattr3Args::Decode(XdrReader& reader)
{
    Setattr3Args args;
    args.object = NfsFh3::Decode(reader);
    args.attributes = Sattr3::Decode(reader);
    if (reader.ReadBool())
    {
        args.guard = NfsTime3::Decode(reader);
    }
    return FinishDecoding(reader, std::move(args));
}

void
Lookup3Args::Encode(XdrWriter& writer) const
{
    what.Encode(writer);
}

Decoded<Lookup3Args>
Lookup3Args::Decode(XdrReader& reader)
{
    Lookup3Args args;
    args.what = DirOpArgs3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Access3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    writer.WriteU32(access);
}

Decoded<Access3Args>
Access3Args::Decode(XdrReader& reader)
{
    Access3Args args;
    args.object = NfsFh3::Decode(reader);
    args.access = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Readlink3Args::Encode(XdrWriter& writer) const
{
    symlink.Encode(writer);
}

Decoded<Readlink3Args>
Readlink3Args::Decode(XdrReader& reader)
{
    Readlink3Args args;
    args.symlink = NfsFh3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Read3Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    writer.WriteU64(offset);
    writer.WriteU32(count);
}

Decoded<Read3Args>
Read3Args::Decode(XdrReader& reader)
{
    Read3Args args;
    args.file = NfsFh3::Decode(reader);
    args.offset = reader.ReadU64();
    args.count = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Write3Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    writer.WriteU64(offset);
    writer.WriteU32(count);
    writer.WriteU32(static_cast<uint32_t>(stable));
    data.Encode(writer);
}

Decoded<Write3Args>
Write3Args::Decode(XdrReader& reader, bool reduced)
{
    Write3Args args;
    args.file = NfsFh3::Decode(reader);
    args.offset = reader.ReadU64();
    args.count = reader.ReadU32();
    args.stable = DecodeEnum(reader, StableHow::FILE_SYNC);
    args.data = Nfs3Data::Decode(reader, std::numeric_limits<uint32_t>::max(), reduced);
    return FinishDecoding(reader, std::move(args));
}

void
Create3Args::Encode(XdrWriter& writer) const
{
    where.Encode(writer);
    writer.WriteU32(static_cast<uint32_t>(mode));
    if (mode == CreateMode3::EXCLUSIVE)
    {
        nfsrdma::Encode(writer, verifier);
    }
    else
    {
        attributes.Encode(writer);
    }
}

Decoded<Create3Args>
Create3Args::Decode(XdrReader& reader)
{
    Create3Args args;
    args.where = DirOpArgs3::Decode(reader);
    args.mode = DecodeEnum(reader, CreateMode3::EXCLUSIVE);
    if (args.mode == CreateMode3::EXCLUSIVE)
    {
        args.verifier = DecodeVerifier(reader);
    }
    else
    {
        args.attributes = Sattr3::Decode(reader);
    }
    return FinishDecoding(reader, std::move(args));
}

void
Mkdir3Args::Encode(XdrWriter& writer) const
{
    where.Encode(writer);
    attributes.Encode(writer);
}

Decoded<Mkdir3Args>
Mkdir3Args::Decode(XdrReader& reader)
{
    Mkdir3Args args;
    args.where = DirOpArgs3::Decode(reader);
    args.attributes = Sattr3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Symlink3Args::Encode(XdrWriter& writer) const
{
    where.Encode(writer);
    attributes.Encode(writer);
    path.Encode(writer);
}

Decoded<Symlink3Args>
Symlink3Args::Decode(XdrReader& reader, bool reduced)
{
    Symlink3Args args;
    args.where = DirOpArgs3::Decode(reader);
    args.attributes = Sattr3::Decode(reader);
    args.path = Nfs3Data::Decode(reader, std::numeric_limits<uint32_t>::max(), reduced);
    return FinishDecoding(reader, std::move(args));
}

void
Mknod3Args::Encode(XdrWriter& writer) const
{
    where.Encode(writer);
    writer.WriteU32(static_cast<uint32_t>(type));
    if (IsDevice(type) || IsPipe(type))
    {
        attributes.Encode(writer);
    }
    if (IsDevice(type))
    {
        writer.WriteU32(spec.specdata1);
        writer.WriteU32(spec.specdata2);
    }
}

Decoded<Mknod3Args>
Mknod3Args::Decode(XdrReader& reader)
{
    Mknod3Args args;
    args.where = DirOpArgs3::Decode(reader);
    args.type = static_cast<Ftype3>(reader.ReadU32());
    if (IsDevice(args.type) || IsPipe(args.type))
    {
        args.attributes = Sattr3::Decode(reader);
    }
    if (IsDevice(args.type))
    {
        args.spec.specdata1 = reader.ReadU32();
        args.spec.specdata2 = reader.ReadU32();
    }
    return FinishDecoding(reader, std::move(args));
}

void
Remove3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
}

Decoded<Remove3Args>
Remove3Args::Decode(XdrReader& reader)
{
    Remove3Args args;
    args.object = DirOpArgs3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Rmdir3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
}

Decoded<Rmdir3Args>
Rmdir3Args::Decode(XdrReader& reader)
{
    Rmdir3Args args;
    args.object = DirOpArgs3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Rename3Args::Encode(XdrWriter& writer) const
{
    from.Encode(writer);
    to.Encode(writer);
}

Decoded<Rename3Args>
Rename3Args::Decode(XdrReader& reader)
{
    Rename3Args args;
    args.from = DirOpArgs3::Decode(reader);
    args.to = DirOpArgs3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Link3Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    link.Encode(writer);
}

Decoded<Link3Args>
Link3Args::Decode(XdrReader& reader)
{
    Link3Args args;
    args.file = NfsFh3::Decode(reader);
    args.link = DirOpArgs3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Readdir3Args::Encode(XdrWriter& writer) const
{
    dir.Encode(writer);
    writer.WriteU64(cookie);
    nfsrdma::Encode(writer, cookieVerifier);
    writer.WriteU32(count);
}

Decoded<Readdir3Args>
Readdir3Args::Decode(XdrReader& reader)
{
    Readdir3Args args;
    args.dir = NfsFh3::Decode(reader);
    args.cookie = reader.ReadU64();
    args.cookieVerifier = DecodeVerifier(reader);
    args.count = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Readdirplus3Args::Encode(XdrWriter& writer) const
{
    dir.Encode(writer);
    writer.WriteU64(cookie);
    nfsrdma::Encode(writer, cookieVerifier);
    writer.WriteU32(dircount);
    writer.WriteU32(maxcount);
}

Decoded<Readdirplus3Args>
Readdirplus3Args::Decode(XdrReader& reader)
{
    Readdirplus3Args args;
    args.dir = NfsFh3::Decode(reader);
    args.cookie = reader.ReadU64();
    args.cookieVerifier = DecodeVerifier(reader);
    args.dircount = reader.ReadU32();
    args.maxcount = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Fsstat3Args::Encode(XdrWriter& writer) const
{
    fsroot.Encode(writer);
}

Decoded<Fsstat3Args>
Fsstat3Args::Decode(XdrReader& reader)
{
    Fsstat3Args args;
    args.fsroot = NfsFh3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Fsinfo3Args::Encode(XdrWriter& writer) const
{
    fsroot.Encode(writer);
}

Decoded<Fsinfo3Args>
Fsinfo3Args::Decode(XdrReader& reader)
{
    Fsinfo3Args args;
    args.fsroot = NfsFh3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Pathconf3Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
}

Decoded<Pathconf3Args>
Pathconf3Args::Decode(XdrReader& reader)
{
    Pathconf3Args args;
    args.object = NfsFh3::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Commit3Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    writer.WriteU64(offset);
    writer.WriteU32(count);
}

Decoded<Commit3Args>
Commit3Args::Decode(XdrReader& reader)
{
    Commit3Args args;
    args.file = NfsFh3::Decode(reader);
    args.offset = reader.ReadU64();
    args.count = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

} // namespace ns3::nfsrdma
