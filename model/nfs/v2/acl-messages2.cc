/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/acl-messages2.h"

namespace ns3::nfsrdma
{

const char*
ToString(NfsAcl2Procedure procedure)
{
    switch (procedure)
    {
    case NfsAcl2Procedure::NULLPROC:
        return "NULL";
    case NfsAcl2Procedure::GETACL:
        return "GETACL";
    case NfsAcl2Procedure::SETACL:
        return "SETACL";
    case NfsAcl2Procedure::GETATTR:
        return "GETATTR";
    case NfsAcl2Procedure::ACCESS:
        return "ACCESS";
    }
    return "unknown";
}

void
Getacl2Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    writer.WriteU32(mask);
}

Decoded<Getacl2Args>
Getacl2Args::Decode(XdrReader& reader)
{
    Getacl2Args args;
    args.object = Nfs2Fh::Decode(reader);
    args.mask = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Getacl2Res::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(status));
    if (status == Nfs2Status::OK)
    {
        attributes.Encode(writer);
        writer.WriteU32(mask);
        access.Encode(writer);
        defaultAcl.Encode(writer);
    }
}

Decoded<Getacl2Res>
Getacl2Res::Decode(XdrReader& reader)
{
    Getacl2Res results;
    results.status = static_cast<Nfs2Status>(reader.ReadU32());
    if (results.status == Nfs2Status::OK)
    {
        results.attributes = Fattr2::Decode(reader);
        results.mask = reader.ReadU32();
        if ((results.mask & ~NFS_ACL_MASK) != 0)
        {
            reader.Fail();
        }
        results.access = NfsAcl::Decode(reader);
        results.defaultAcl = NfsAcl::Decode(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
Setacl2Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    writer.WriteU32(mask);
    access.Encode(writer);
    defaultAcl.Encode(writer);
}

Decoded<Setacl2Args>
Setacl2Args::Decode(XdrReader& reader)
{
    Setacl2Args args;
    args.object = Nfs2Fh::Decode(reader);
    args.mask = reader.ReadU32();
    if ((args.mask & ~NFS_ACL_MASK) != 0)
    {
        reader.Fail();
    }
    args.access = NfsAcl::Decode(reader);
    args.defaultAcl = NfsAcl::Decode(reader);
    return FinishDecoding(reader, std::move(args));
}

void
Access2Args::Encode(XdrWriter& writer) const
{
    object.Encode(writer);
    writer.WriteU32(access);
}

Decoded<Access2Args>
Access2Args::Decode(XdrReader& reader)
{
    Access2Args args;
    args.object = Nfs2Fh::Decode(reader);
    args.access = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
Access2Res::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(status));
    if (status == Nfs2Status::OK)
    {
        attributes.Encode(writer);
        writer.WriteU32(access);
    }
}

Decoded<Access2Res>
Access2Res::Decode(XdrReader& reader)
{
    Access2Res results;
    results.status = static_cast<Nfs2Status>(reader.ReadU32());
    if (results.status == Nfs2Status::OK)
    {
        results.attributes = Fattr2::Decode(reader);
        results.access = reader.ReadU32();
    }
    return FinishDecoding(reader, std::move(results));
}

} // namespace ns3::nfsrdma
