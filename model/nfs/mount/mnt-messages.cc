/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mnt-messages.h"

#include "nfs/types/xdr-list.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
MountPath::Encode(XdrWriter& writer) const
{
    writer.WriteString(path);
}

Decoded<MountPath>
MountPath::Decode(XdrReader& reader)
{
    MountPath args;
    args.path = reader.ReadString(MOUNT_PATH_MAX);
    return FinishDecoding(reader, std::move(args));
}

void
Mount3Res::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(status));
    if (status == MountStatus::OK)
    {
        handle.Encode(writer);
        writer.WriteU32(flavors.size());
        for (const uint32_t flavor : flavors)
        {
            writer.WriteU32(flavor);
        }
    }
}

Decoded<Mount3Res>
Mount3Res::Decode(XdrReader& reader)
{
    Mount3Res results;
    results.status = static_cast<MountStatus>(reader.ReadU32());
    if (results.status == MountStatus::OK)
    {
        results.handle = NfsFh3::Decode(reader);
        const uint32_t count = reader.ReadU32();
        if (count > MAX_FLAVORS)
        {
            reader.Fail();
        }
        for (uint32_t i = 0; i < count && reader.Ok(); ++i)
        {
            results.flavors.push_back(reader.ReadU32());
        }
    }
    return FinishDecoding(reader, std::move(results));
}

void
Mount1Res::Encode(XdrWriter& writer) const
{
    writer.WriteU32(static_cast<uint32_t>(status));
    if (status == MountStatus::OK)
    {
        writer.WriteFixedOpaque(handle);
    }
}

Decoded<Mount1Res>
Mount1Res::Decode(XdrReader& reader)
{
    Mount1Res results;
    results.status = static_cast<MountStatus>(reader.ReadU32());
    if (results.status == MountStatus::OK)
    {
        const ByteSpan octets = reader.ReadFixedOpaque(HANDLE);
        std::copy(octets.begin(), octets.end(), results.handle.begin());
    }
    return FinishDecoding(reader, std::move(results));
}

void
MountEntry::Encode(XdrWriter& writer) const
{
    writer.WriteString(host);
    writer.WriteString(path);
}

Decoded<MountEntry>
MountEntry::Decode(XdrReader& reader)
{
    MountEntry entry;
    entry.host = reader.ReadString(MOUNT_NAME_MAX);
    entry.path = reader.ReadString(MOUNT_PATH_MAX);
    return FinishDecoding(reader, std::move(entry));
}

void
MountList::Encode(XdrWriter& writer) const
{
    EncodeList(writer, entries, [&writer](const MountEntry& entry) { entry.Encode(writer); });
}

Decoded<MountList>
MountList::Decode(XdrReader& reader)
{
    MountList list;
    list.entries =
        DecodeList<MountEntry>(reader, [&reader] { return DecodeElement<MountEntry>(reader); });
    return FinishDecoding(reader, std::move(list));
}

void
ExportNode::Encode(XdrWriter& writer) const
{
    writer.WriteString(path);
    EncodeList(writer, groups, [&writer](const std::string& group) { writer.WriteString(group); });
}

Decoded<ExportNode>
ExportNode::Decode(XdrReader& reader)
{
    ExportNode node;
    node.path = reader.ReadString(MOUNT_PATH_MAX);
    node.groups =
        DecodeList<std::string>(reader, [&reader] { return reader.ReadString(MOUNT_NAME_MAX); });
    return FinishDecoding(reader, std::move(node));
}

void
ExportList::Encode(XdrWriter& writer) const
{
    EncodeList(writer, exports, [&writer](const ExportNode& node) { node.Encode(writer); });
}

Decoded<ExportList>
ExportList::Decode(XdrReader& reader)
{
    ExportList list;
    list.exports =
        DecodeList<ExportNode>(reader, [&reader] { return DecodeElement<ExportNode>(reader); });
    return FinishDecoding(reader, std::move(list));
}

} // namespace ns3::nfsrdma
