/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-messages.h"

#include "nfs/xdr-list.h"

namespace ns3::nfsrdma
{

namespace
{

ByteVector
ReadObject(XdrReader& reader)
{
    const ByteSpan octets = reader.ReadOpaque(NLM_OBJECT_MAX);
    return ByteVector(octets.begin(), octets.end());
}

void
WriteStatus(XdrWriter& writer, NlmStatus status)
{
    writer.WriteU32(static_cast<uint32_t>(status));
}

NlmStatus
ReadStatus(XdrReader& reader)
{
    return DecodeEnum(reader, NlmStatus::FAILED);
}

} // namespace

void
NlmLock::Encode(XdrWriter& writer) const
{
    writer.WriteString(caller);
    file.Encode(writer);
    writer.WriteOpaque(owner);
    writer.WriteU32(svid);
    writer.WriteU64(offset);
    writer.WriteU64(length);
}

Decoded<NlmLock>
NlmLock::Decode(XdrReader& reader)
{
    NlmLock lock;
    lock.caller = reader.ReadString(NLM_NAME_MAX);
    lock.file = NfsFh3::Decode(reader);
    lock.owner = ReadObject(reader);
    lock.svid = reader.ReadU32();
    lock.offset = reader.ReadU64();
    lock.length = reader.ReadU64();
    return FinishDecoding(reader, std::move(lock));
}

void
NlmHolder::Encode(XdrWriter& writer) const
{
    writer.WriteBool(exclusive);
    writer.WriteU32(svid);
    writer.WriteOpaque(owner);
    writer.WriteU64(offset);
    writer.WriteU64(length);
}

Decoded<NlmHolder>
NlmHolder::Decode(XdrReader& reader)
{
    NlmHolder holder;
    holder.exclusive = reader.ReadBool();
    holder.svid = reader.ReadU32();
    holder.owner = ReadObject(reader);
    holder.offset = reader.ReadU64();
    holder.length = reader.ReadU64();
    return FinishDecoding(reader, std::move(holder));
}

void
NlmRes::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    WriteStatus(writer, status);
}

Decoded<NlmRes>
NlmRes::Decode(XdrReader& reader)
{
    NlmRes results;
    results.cookie = ReadObject(reader);
    results.status = ReadStatus(reader);
    return FinishDecoding(reader, std::move(results));
}

void
NlmTestRes::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    WriteStatus(writer, status);
    if (status == NlmStatus::DENIED)
    {
        holder.Encode(writer);
    }
}

Decoded<NlmTestRes>
NlmTestRes::Decode(XdrReader& reader)
{
    NlmTestRes results;
    results.cookie = ReadObject(reader);
    results.status = ReadStatus(reader);
    if (results.status == NlmStatus::DENIED)
    {
        results.holder = DecodeElement<NlmHolder>(reader);
    }
    return FinishDecoding(reader, std::move(results));
}

void
NlmTestArgs::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    writer.WriteBool(exclusive);
    lock.Encode(writer);
}

Decoded<NlmTestArgs>
NlmTestArgs::Decode(XdrReader& reader)
{
    NlmTestArgs args;
    args.cookie = ReadObject(reader);
    args.exclusive = reader.ReadBool();
    args.lock = DecodeElement<NlmLock>(reader);
    return FinishDecoding(reader, std::move(args));
}

void
NlmLockArgs::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    writer.WriteBool(block);
    writer.WriteBool(exclusive);
    lock.Encode(writer);
    writer.WriteBool(reclaim);
    writer.WriteU32(state);
}

Decoded<NlmLockArgs>
NlmLockArgs::Decode(XdrReader& reader)
{
    NlmLockArgs args;
    args.cookie = ReadObject(reader);
    args.block = reader.ReadBool();
    args.exclusive = reader.ReadBool();
    args.lock = DecodeElement<NlmLock>(reader);
    args.reclaim = reader.ReadBool();
    args.state = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

void
NlmCancelArgs::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    writer.WriteBool(block);
    writer.WriteBool(exclusive);
    lock.Encode(writer);
}

Decoded<NlmCancelArgs>
NlmCancelArgs::Decode(XdrReader& reader)
{
    NlmCancelArgs args;
    args.cookie = ReadObject(reader);
    args.block = reader.ReadBool();
    args.exclusive = reader.ReadBool();
    args.lock = DecodeElement<NlmLock>(reader);
    return FinishDecoding(reader, std::move(args));
}

void
NlmUnlockArgs::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    lock.Encode(writer);
}

Decoded<NlmUnlockArgs>
NlmUnlockArgs::Decode(XdrReader& reader)
{
    NlmUnlockArgs args;
    args.cookie = ReadObject(reader);
    args.lock = DecodeElement<NlmLock>(reader);
    return FinishDecoding(reader, std::move(args));
}

void
NlmShareArgs::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    writer.WriteString(caller);
    file.Encode(writer);
    writer.WriteOpaque(owner);
    writer.WriteU32(deny);
    writer.WriteU32(access);
    writer.WriteBool(reclaim);
}

Decoded<NlmShareArgs>
NlmShareArgs::Decode(XdrReader& reader)
{
    NlmShareArgs args;
    args.cookie = ReadObject(reader);
    args.caller = reader.ReadString(NLM_NAME_MAX);
    args.file = NfsFh3::Decode(reader);
    args.owner = ReadObject(reader);
    args.deny = reader.ReadU32();
    args.access = reader.ReadU32();
    args.reclaim = reader.ReadBool();
    if (args.deny > BOTH || args.access > BOTH)
    {
        reader.Fail();
    }
    return FinishDecoding(reader, std::move(args));
}

void
NlmShareRes::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    WriteStatus(writer, status);
    writer.WriteU32(sequence);
}

Decoded<NlmShareRes>
NlmShareRes::Decode(XdrReader& reader)
{
    NlmShareRes results;
    results.cookie = ReadObject(reader);
    results.status = ReadStatus(reader);
    results.sequence = reader.ReadU32();
    return FinishDecoding(reader, std::move(results));
}

void
NlmNotify::Encode(XdrWriter& writer) const
{
    writer.WriteString(name);
    writer.WriteU32(state);
}

Decoded<NlmNotify>
NlmNotify::Decode(XdrReader& reader)
{
    NlmNotify args;
    args.name = reader.ReadString(NLM_NAME_MAX);
    args.state = reader.ReadU32();
    return FinishDecoding(reader, std::move(args));
}

} // namespace ns3::nfsrdma
