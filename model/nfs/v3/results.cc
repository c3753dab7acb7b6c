/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/results.h"

#include "nfs/types/xdr-finish.h"

#include <limits>

namespace ns3::nfsrdma
{

namespace
{

void
EncodeStatus(XdrWriter& writer, Nfs3Status status)
{
    writer.WriteU32(static_cast<uint32_t>(status));
}

Nfs3Status
DecodeStatus(XdrReader& reader)
{
    return static_cast<Nfs3Status>(reader.ReadU32());
}

} // namespace

void
Null3Res::Encode(XdrWriter& /* writer */) const
{
}

Decoded<Null3Res>
Null3Res::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, Null3Res());
}

void
Getattr3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    if (status == Nfs3Status::OK)
    {
        attributes.Encode(writer);
    }
}

Decoded<Getattr3Res>
Getattr3Res::Decode(XdrReader& reader)
{
    Getattr3Res results;
    results.status = DecodeStatus(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.attributes = Fattr3::Decode(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Wcc3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    wcc.Encode(writer);
}

Decoded<Wcc3Res>
Wcc3Res::Decode(XdrReader& reader)
{
    Wcc3Res results;
    results.status = DecodeStatus(reader);
    results.wcc = WccData::Decode(reader);
    return FinishDecoding(reader, std::move(results));
}

void
Lookup3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    if (status == Nfs3Status::OK)
    {
        object.Encode(writer);
        nfsrdma::Encode(writer, objectAttributes);
    }
    nfsrdma::Encode(writer, dirAttributes);
}

Decoded<Lookup3Res>
Lookup3Res::Decode(XdrReader& reader)
{
    Lookup3Res results;
    results.status = DecodeStatus(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.object = NfsFh3::Decode(reader);
        results.objectAttributes = DecodePostOpAttr(reader);
    }
    results.dirAttributes = DecodePostOpAttr(reader);
    return FinishDecoding(reader, std::move(results));
}

void
Access3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU32(access);
    }
}

Decoded<Access3Res>
Access3Res::Decode(XdrReader& reader)
{
    Access3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.access = reader.ReadU32();
    }
    return FinishDecoding(reader, std::move(results));
}

void
Readlink3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        path.Encode(writer);
    }
}

Decoded<Readlink3Res>
Readlink3Res::Decode(XdrReader& reader, bool reduced)
{
    Readlink3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.path = Nfs3Data::Decode(reader, NFS3_MAXPATHLEN, reduced);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Read3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU32(count);
        writer.WriteBool(eof);
        data.Encode(writer);
    }
}

Decoded<Read3Res>
Read3Res::Decode(XdrReader& reader, bool reduced)
{
    Read3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.count = reader.ReadU32();
        results.eof = reader.ReadBool();
        results.data = Nfs3Data::Decode(reader, std::numeric_limits<uint32_t>::max(), reduced);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Write3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    wcc.Encode(writer);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU32(count);
        writer.WriteU32(static_cast<uint32_t>(committed));
        nfsrdma::Encode(writer, verifier);
    }
}

Decoded<Write3Res>
Write3Res::Decode(XdrReader& reader)
{
    Write3Res results;
    results.status = DecodeStatus(reader);
    results.wcc = WccData::Decode(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.count = reader.ReadU32();
        results.committed = DecodeEnum(reader, StableHow::FILE_SYNC);
        results.verifier = DecodeVerifier(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Make3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    if (status == Nfs3Status::OK)
    {
        nfsrdma::Encode(writer, object);
        nfsrdma::Encode(writer, attributes);
    }
    dirWcc.Encode(writer);
}

Decoded<Make3Res>
Make3Res::Decode(XdrReader& reader)
{
    Make3Res results;
    results.status = DecodeStatus(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.object = DecodePostOpFh3(reader);
        results.attributes = DecodePostOpAttr(reader);
    }
    results.dirWcc = WccData::Decode(reader);
    return FinishDecoding(reader, std::move(results));
}

void
Rename3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    fromDirWcc.Encode(writer);
    toDirWcc.Encode(writer);
}

Decoded<Rename3Res>
Rename3Res::Decode(XdrReader& reader)
{
    Rename3Res results;
    results.status = DecodeStatus(reader);
    results.fromDirWcc = WccData::Decode(reader);
    results.toDirWcc = WccData::Decode(reader);
    return FinishDecoding(reader, std::move(results));
}

void
Link3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    linkDirWcc.Encode(writer);
}

Decoded<Link3Res>
Link3Res::Decode(XdrReader& reader)
{
    Link3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    results.linkDirWcc = WccData::Decode(reader);
    return FinishDecoding(reader, std::move(results));
}

void
Fsstat3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU64(tbytes);
        writer.WriteU64(fbytes);
        writer.WriteU64(abytes);
        writer.WriteU64(tfiles);
        writer.WriteU64(ffiles);
        writer.WriteU64(afiles);
        writer.WriteU32(invarsec);
    }
}

Decoded<Fsstat3Res>
Fsstat3Res::Decode(XdrReader& reader)
{
    Fsstat3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.tbytes = reader.ReadU64();
        results.fbytes = reader.ReadU64();
        results.abytes = reader.ReadU64();
        results.tfiles = reader.ReadU64();
        results.ffiles = reader.ReadU64();
        results.afiles = reader.ReadU64();
        results.invarsec = reader.ReadU32();
    }
    return FinishDecoding(reader, std::move(results));
}

void
Fsinfo3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU32(rtmax);
        writer.WriteU32(rtpref);
        writer.WriteU32(rtmult);
        writer.WriteU32(wtmax);
        writer.WriteU32(wtpref);
        writer.WriteU32(wtmult);
        writer.WriteU32(dtpref);
        writer.WriteU64(maxfilesize);
        timeDelta.Encode(writer);
        writer.WriteU32(properties);
    }
}

Decoded<Fsinfo3Res>
Fsinfo3Res::Decode(XdrReader& reader)
{
    Fsinfo3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.rtmax = reader.ReadU32();
        results.rtpref = reader.ReadU32();
        results.rtmult = reader.ReadU32();
        results.wtmax = reader.ReadU32();
        results.wtpref = reader.ReadU32();
        results.wtmult = reader.ReadU32();
        results.dtpref = reader.ReadU32();
        results.maxfilesize = reader.ReadU64();
        results.timeDelta = NfsTime3::Decode(reader);
        results.properties = reader.ReadU32();
    }
    return FinishDecoding(reader, std::move(results));
}

void
Pathconf3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    nfsrdma::Encode(writer, attributes);
    if (status == Nfs3Status::OK)
    {
        writer.WriteU32(linkmax);
        writer.WriteU32(nameMax);
        writer.WriteBool(noTrunc);
        writer.WriteBool(chownRestricted);
        writer.WriteBool(caseInsensitive);
        writer.WriteBool(casePreserving);
    }
}

Decoded<Pathconf3Res>
Pathconf3Res::Decode(XdrReader& reader)
{
    Pathconf3Res results;
    results.status = DecodeStatus(reader);
    results.attributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.linkmax = reader.ReadU32();
        results.nameMax = reader.ReadU32();
        results.noTrunc = reader.ReadBool();
        results.chownRestricted = reader.ReadBool();
        results.caseInsensitive = reader.ReadBool();
        results.casePreserving = reader.ReadBool();
    }
    return FinishDecoding(reader, std::move(results));
}

void
Commit3Res::Encode(XdrWriter& writer) const
{
    EncodeStatus(writer, status);
    wcc.Encode(writer);
    if (status == Nfs3Status::OK)
    {
        nfsrdma::Encode(writer, verifier);
    }
}

Decoded<Commit3Res>
Commit3Res::Decode(XdrReader& reader)
{
    Commit3Res results;
    results.status = DecodeStatus(reader);
    results.wcc = WccData::Decode(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.verifier = DecodeVerifier(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

} // namespace ns3::nfsrdma
