/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/rpcbind-messages.h"

#include "nfs/types/xdr-list.h"

namespace ns3::nfsrdma
{

void
XdrWord::Encode(XdrWriter& writer) const
{
    writer.WriteU32(value);
}

Decoded<XdrWord>
XdrWord::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, XdrWord{reader.ReadU32()});
}

void
XdrBool::Encode(XdrWriter& writer) const
{
    writer.WriteBool(value);
}

Decoded<XdrBool>
XdrBool::Decode(XdrReader& reader)
{
    return FinishDecoding(reader, XdrBool{reader.ReadBool()});
}

void
PortMapping::Encode(XdrWriter& writer) const
{
    writer.WriteU32(program);
    writer.WriteU32(version);
    writer.WriteU32(protocol);
    writer.WriteU32(port);
}

Decoded<PortMapping>
PortMapping::Decode(XdrReader& reader)
{
    PortMapping mapping;
    mapping.program = reader.ReadU32();
    mapping.version = reader.ReadU32();
    mapping.protocol = reader.ReadU32();
    mapping.port = reader.ReadU32();
    return FinishDecoding(reader, std::move(mapping));
}

void
PortMappingList::Encode(XdrWriter& writer) const
{
    EncodeList(writer, mappings, [&writer](const PortMapping& mapping) { mapping.Encode(writer); });
}

Decoded<PortMappingList>
PortMappingList::Decode(XdrReader& reader)
{
    PortMappingList list;
    list.mappings =
        DecodeList<PortMapping>(reader, [&reader] { return DecodeElement<PortMapping>(reader); });
    return FinishDecoding(reader, std::move(list));
}

void
RpcbindMapping::Encode(XdrWriter& writer) const
{
    writer.WriteU32(program);
    writer.WriteU32(version);
    writer.WriteString(netid);
    writer.WriteString(address);
    writer.WriteString(owner);
}

Decoded<RpcbindMapping>
RpcbindMapping::Decode(XdrReader& reader)
{
    RpcbindMapping mapping;
    mapping.program = reader.ReadU32();
    mapping.version = reader.ReadU32();
    mapping.netid = reader.ReadString(MAX_STRING);
    mapping.address = reader.ReadString(MAX_STRING);
    mapping.owner = reader.ReadString(MAX_STRING);
    return FinishDecoding(reader, std::move(mapping));
}

void
RpcbindMappingList::Encode(XdrWriter& writer) const
{
    EncodeList(writer, mappings, [&writer](const RpcbindMapping& mapping) {
        mapping.Encode(writer);
    });
}

Decoded<RpcbindMappingList>
RpcbindMappingList::Decode(XdrReader& reader)
{
    RpcbindMappingList list;
    list.mappings = DecodeList<RpcbindMapping>(reader, [&reader] {
        return DecodeElement<RpcbindMapping>(reader);
    });
    return FinishDecoding(reader, std::move(list));
}

void
RpcbindAddress::Encode(XdrWriter& writer) const
{
    writer.WriteString(address);
}

Decoded<RpcbindAddress>
RpcbindAddress::Decode(XdrReader& reader)
{
    RpcbindAddress results;
    results.address = reader.ReadString(RpcbindMapping::MAX_STRING);
    return FinishDecoding(reader, std::move(results));
}

} // namespace ns3::nfsrdma
