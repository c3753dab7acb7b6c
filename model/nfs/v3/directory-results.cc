/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/xdr-finish.h"
#include "nfs/v3/results.h"

namespace ns3::nfsrdma
{

namespace
{

template <typename Results>
void
EncodeDirectory(XdrWriter& writer, const Results& results)
{
    writer.WriteU32(static_cast<uint32_t>(results.status));
    Encode(writer, results.dirAttributes);
    if (results.status != Nfs3Status::OK)
    {
        return;
    }
    Encode(writer, results.cookieVerifier);
    for (const auto& entry : results.entries)
    {
        writer.WriteBool(true);
        entry.Encode(writer);
    }
    writer.WriteBool(false);
    writer.WriteBool(results.eof);
}

template <typename Results, typename Entry>
Decoded<Results>
DecodeDirectory(XdrReader& reader)
{
    Results results;
    results.status = static_cast<Nfs3Status>(reader.ReadU32());
    results.dirAttributes = DecodePostOpAttr(reader);
    if (results.status == Nfs3Status::OK)
    {
        results.cookieVerifier = DecodeVerifier(reader);
        while (reader.ReadBool())
        {
            results.entries.push_back(Entry::Decode(reader));
        }
        results.eof = reader.ReadBool();
    }
    return FinishDecoding(reader, std::move(results));
}

} // namespace

uint32_t
Entry3::GetEncodedSize() const
{
    return 4 + 8 + 4 + RoundUp4(name.size()) + 8;
}

void
Entry3::Encode(XdrWriter& writer) const
{
    writer.WriteU64(fileid);
    writer.WriteString(name);
    writer.WriteU64(cookie);
}

Entry3
Entry3::Decode(XdrReader& reader)
{
    Entry3 entry;
    entry.fileid = reader.ReadU64();
    entry.name = reader.ReadString(NFS3_MAXNAMLEN);
    entry.cookie = reader.ReadU64();
    return entry;
}

uint32_t
EntryPlus3::GetEncodedSize() const
{
    return 4 + 8 + 4 + RoundUp4(name.size()) + 8 + 4 + (attributes ? Fattr3::SIZE : 0) + 4 +
           (handle ? 4 + RoundUp4(handle->length) : 0);
}

void
EntryPlus3::Encode(XdrWriter& writer) const
{
    writer.WriteU64(fileid);
    writer.WriteString(name);
    writer.WriteU64(cookie);
    nfsrdma::Encode(writer, attributes);
    nfsrdma::Encode(writer, handle);
}

EntryPlus3
EntryPlus3::Decode(XdrReader& reader)
{
    EntryPlus3 entry;
    entry.fileid = reader.ReadU64();
    entry.name = reader.ReadString(NFS3_MAXNAMLEN);
    entry.cookie = reader.ReadU64();
    entry.attributes = DecodePostOpAttr(reader);
    entry.handle = DecodePostOpFh3(reader);
    return entry;
}

void
Readdir3Res::Encode(XdrWriter& writer) const
{
    EncodeDirectory(writer, *this);
}

Decoded<Readdir3Res>
Readdir3Res::Decode(XdrReader& reader)
{
    return DecodeDirectory<Readdir3Res, Entry3>(reader);
}

void
Readdirplus3Res::Encode(XdrWriter& writer) const
{
    EncodeDirectory(writer, *this);
}

Decoded<Readdirplus3Res>
Readdirplus3Res::Decode(XdrReader& reader)
{
    return DecodeDirectory<Readdirplus3Res, EntryPlus3>(reader);
}

} // namespace ns3::nfsrdma
