/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nsm-messages.h"

#include "nfs/types/xdr-list.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
NsmName::Encode(XdrWriter& writer) const
{
    writer.WriteString(name);
}

Decoded<NsmName>
NsmName::Decode(XdrReader& reader)
{
    NsmName args;
    args.name = reader.ReadString(NSM_NAME_MAX);
    return FinishDecoding(reader, std::move(args));
}

void
NsmStatRes::Encode(XdrWriter& writer) const
{
    writer.WriteBool(failed);
    writer.WriteU32(state);
}

Decoded<NsmStatRes>
NsmStatRes::Decode(XdrReader& reader)
{
    NsmStatRes results;
    results.failed = reader.ReadBool();
    results.state = reader.ReadU32();
    return FinishDecoding(reader, std::move(results));
}

void
NsmState::Encode(XdrWriter& writer) const
{
    writer.WriteU32(state);
}

Decoded<NsmState>
NsmState::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, NsmState{reader.ReadU32()});
}

void
NsmMyId::Encode(XdrWriter& writer) const
{
    writer.WriteString(name);
    writer.WriteU32(program);
    writer.WriteU32(version);
    writer.WriteU32(procedure);
}

Decoded<NsmMyId>
NsmMyId::Decode(XdrReader& reader)
{
    NsmMyId id;
    id.name = reader.ReadString(NSM_NAME_MAX);
    id.program = reader.ReadU32();
    id.version = reader.ReadU32();
    id.procedure = reader.ReadU32();
    return FinishDecoding(reader, std::move(id));
}

void
NsmMonId::Encode(XdrWriter& writer) const
{
    writer.WriteString(name);
    caller.Encode(writer);
}

Decoded<NsmMonId>
NsmMonId::Decode(XdrReader& reader)
{
    NsmMonId id;
    id.name = reader.ReadString(NSM_NAME_MAX);
    id.caller = DecodeElement<NsmMyId>(reader);
    return FinishDecoding(reader, std::move(id));
}

void
NsmMonArgs::Encode(XdrWriter& writer) const
{
    id.Encode(writer);
    writer.WriteFixedOpaque(priv);
}

Decoded<NsmMonArgs>
NsmMonArgs::Decode(XdrReader& reader)
{
    NsmMonArgs args;
    args.id = DecodeElement<NsmMonId>(reader);
    const ByteSpan octets = reader.ReadFixedOpaque(PRIVATE);
    std::copy(octets.begin(), octets.end(), args.priv.begin());
    return FinishDecoding(reader, std::move(args));
}

void
NsmNotifyArgs::Encode(XdrWriter& writer) const
{
    writer.WriteString(name);
    writer.WriteU32(state);
}

Decoded<NsmNotifyArgs>
NsmNotifyArgs::Decode(XdrReader& reader)
{
    NsmNotifyArgs args;
    args.name = reader.ReadString(NSM_NAME_MAX);
    args.state = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

} // namespace ns3::nfsrdma
