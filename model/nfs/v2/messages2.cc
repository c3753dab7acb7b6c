/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/messages2.h"

#include "nfs/types/xdr-list.h"

namespace ns3::nfsrdma
{

namespace
{

template <typename Results>
bool
EncodeHead(XdrWriter& writer, const Results& results)
{
    writer.WriteU32(static_cast<uint32_t>(results.status));
    return results.status == Nfs2Status::OK;
}

template <typename Results>
bool
DecodeHead(XdrReader& reader, Results& results)
{
    results.status = static_cast<Nfs2Status>(reader.ReadU32());
    return results.status == Nfs2Status::OK;
}

} // namespace

void
Handle2Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
}

Decoded<Handle2Args>
Handle2Args::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, Handle2Args{Nfs2Fh::Decode(reader)});
}

void
Setattr2Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    attributes.Encode(writer);
}

Decoded<Setattr2Args>
Setattr2Args::Decode(XdrReader& reader)
{
    Setattr2Args args;
    args.object = Nfs2Fh::Decode(reader);
    args.attributes = Sattr2::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
DirOp2Args::Encode(XdrWriter& writer) const
{
    dir.Encode(writer);
    writer.WriteString(name);
}

Decoded<DirOp2Args>
DirOp2Args::Decode(XdrReader& reader)
{
    DirOp2Args args;
    args.dir = Nfs2Fh::Decode(reader);
    args.name = reader.ReadString(NFS2_MAXNAMLEN);
    return FinishDecoding(reader, std::move(args));
}

void
Read2Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    writer.WriteU32(offset);
    writer.WriteU32(count);
    writer.WriteU32(totalcount);
}

Decoded<Read2Args>
Read2Args::Decode(XdrReader& reader)
{
    Read2Args args;
    args.file = Nfs2Fh::Decode(reader);
    args.offset = reader.ReadU32();
    args.count = reader.ReadU32();
    args.totalcount = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Write2Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    writer.WriteU32(beginoffset);
    writer.WriteU32(offset);
    writer.WriteU32(totalcount);
    data.Encode(writer);
}

Decoded<Write2Args>
Write2Args::Decode(XdrReader& reader, bool reduced)
{
    Write2Args args;
    args.file = Nfs2Fh::Decode(reader);
    args.beginoffset = reader.ReadU32();
    args.offset = reader.ReadU32();
    args.totalcount = reader.ReadU32();
    args.data = Nfs3Data::Decode(reader, NFS2_MAXDATA, reduced);
    return FinishDecoding(reader, std::move(args));
}

void
Create2Args::Encode(XdrWriter& writer) const
{
    where.Encode(writer);
    attributes.Encode(writer);
}

Decoded<Create2Args>
Create2Args::Decode(XdrReader& reader)
{
    Create2Args args;
    args.where = DecodeElement<DirOp2Args>(reader);
    args.attributes = Sattr2::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Rename2Args::Encode(XdrWriter& writer) const
{
    from.Encode(writer);
    to.Encode(writer);
}

Decoded<Rename2Args>
Rename2Args::Decode(XdrReader& reader)
{
    Rename2Args args;
    args.from = DecodeElement<DirOp2Args>(reader);
    args.to = DecodeElement<DirOp2Args>(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Link2Args::Encode(XdrWriter& writer) const
{
    file.Encode(writer);
    link.Encode(writer);
}

Decoded<Link2Args>
Link2Args::Decode(XdrReader& reader)
{
    Link2Args args;
    args.file = Nfs2Fh::Decode(reader);
    args.link = DecodeElement<DirOp2Args>(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Symlink2Args::Encode(XdrWriter& writer) const
{
    where.Encode(writer);
    path.Encode(writer);
    attributes.Encode(writer);
}

uint32_t
Symlink2Args::GetPathOffset() const
{
    return NFS2_FHSIZE + XDR_WORD + RoundUp4(static_cast<uint32_t>(where.name.size())) + XDR_WORD;
}

Decoded<Symlink2Args>
Symlink2Args::Decode(XdrReader& reader, bool reduced)
{
    Symlink2Args args;
    args.where = DecodeElement<DirOp2Args>(reader);
    args.path = Nfs3Data::Decode(reader, NFS2_MAXPATHLEN, reduced);
    args.attributes = Sattr2::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Readdir2Args::Encode(XdrWriter& writer) const
{
    dir.Encode(writer);
    writer.WriteU32(cookie);
    writer.WriteU32(count);
}

Decoded<Readdir2Args>
Readdir2Args::Decode(XdrReader& reader)
{
    Readdir2Args args;
    args.dir = Nfs2Fh::Decode(reader);
    args.cookie = reader.ReadU32();
    args.count = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Status2Res::Encode(XdrWriter& writer) const
{
    EncodeHead(writer, *this);
}

Decoded<Status2Res>
Status2Res::Decode(XdrReader& reader)
{
    Status2Res results;
    DecodeHead(reader, results);
    return FinishDecoding(reader, std::move(results));
}

void
Attr2Res::Encode(XdrWriter& writer) const
{
    if (EncodeHead(writer, *this))
    {
        attributes.Encode(writer);
    }
}

Decoded<Attr2Res>
Attr2Res::Decode(XdrReader& reader)
{
    Attr2Res results;
    if (DecodeHead(reader, results))
    {
        results.attributes = Fattr2::Decode(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
DirOp2Res::Encode(XdrWriter& writer) const
{
    if (EncodeHead(writer, *this))
    {
        object.Encode(writer);
        attributes.Encode(writer);
    }
}

Decoded<DirOp2Res>
DirOp2Res::Decode(XdrReader& reader)
{
    DirOp2Res results;
    if (DecodeHead(reader, results))
    {
        results.object = Nfs2Fh::Decode(reader);
        results.attributes = Fattr2::Decode(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Readlink2Res::Encode(XdrWriter& writer) const
{
    if (EncodeHead(writer, *this))
    {
        path.Encode(writer);
    }
}

Decoded<Readlink2Res>
Readlink2Res::Decode(XdrReader& reader, bool reduced)
{
    Readlink2Res results;
    if (DecodeHead(reader, results))
    {
        results.path = Nfs3Data::Decode(reader, NFS2_MAXPATHLEN, reduced);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Read2Res::Encode(XdrWriter& writer) const
{
    if (EncodeHead(writer, *this))
    {
        attributes.Encode(writer);
        data.Encode(writer);
    }
}

Decoded<Read2Res>
Read2Res::Decode(XdrReader& reader, bool reduced)
{
    Read2Res results;
    if (DecodeHead(reader, results))
    {
        results.attributes = Fattr2::Decode(reader);
        results.data = Nfs3Data::Decode(reader, NFS2_MAXDATA, reduced);
    }
    return FinishDecoding(reader, std::move(results));
}

uint32_t
Entry2::GetEncodedSize() const
{
    return 4 * XDR_WORD + RoundUp4(static_cast<uint32_t>(name.size()));
}

void
Readdir2Res::Encode(XdrWriter& writer) const
{
    if (EncodeHead(writer, *this))
    {
        EncodeList(writer, entries, [&writer](const Entry2& entry) {
            writer.WriteU32(entry.fileid);
            writer.WriteString(entry.name);
            writer.WriteU32(entry.cookie);
        });
        writer.WriteBool(eof);
    }
}

Decoded<Readdir2Res>
Readdir2Res::Decode(XdrReader& reader)
{
    Readdir2Res results;
    if (DecodeHead(reader, results))
    {
        results.entries = DecodeList<Entry2>(reader, [&reader] {
            Entry2 entry;
            entry.fileid = reader.ReadU32();
            entry.name = reader.ReadString(NFS2_MAXNAMLEN);
            entry.cookie = reader.ReadU32();
            return entry;
        });
        results.eof = reader.ReadBool();
    }
    return FinishDecoding(reader, std::move(results));
}

void
Statfs2Res::Encode(XdrWriter& writer) const
{
    if (EncodeHead(writer, *this))
    {
        for (const uint32_t word : {tsize, bsize, blocks, bfree, bavail})
        {
            writer.WriteU32(word);
        }
    }
}

Decoded<Statfs2Res>
Statfs2Res::Decode(XdrReader& reader)
{
    Statfs2Res results;
    if (DecodeHead(reader, results))
    {
        for (uint32_t* const word :
             {&results.tsize, &results.bsize, &results.blocks, &results.bfree, &results.bavail})
        {
            *word = reader.ReadU32();
        }
    }
    return FinishDecoding(reader, std::move(results));
}

} // namespace ns3::nfsrdma
