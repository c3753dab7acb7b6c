/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/nlm-messages.h"

#include "nfs/types/xdr-list.h"

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

void
WriteRange(XdrWriter& writer, bool narrow, uint64_t number)
{
    if (narrow)
    {
        writer.WriteU32(static_cast<uint32_t>(number));
        return;
    }
    writer.WriteU64(number);
}

uint64_t
ReadRange(XdrReader& reader, bool narrow)
{
    return narrow ? reader.ReadU32() : reader.ReadU64();
}

/// As DecodeElement(), of a part that version 1 has otherwise.
template <typename Part>
Part
DecodePart(XdrReader& reader, bool narrow)
{
    auto part = Part::Decode(reader, narrow);
    if (!part)
    {
        reader.Fail();
        return Part();
    }
    return std::move(*part);
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
    WriteRange(writer, narrow, offset);
    WriteRange(writer, narrow, length);
}

Decoded<NlmLock>
NlmLock::Decode(XdrReader& reader, bool narrow)
{
    NlmLock lock;
    lock.caller = reader.ReadString(NLM_NAME_MAX);
    lock.file = NfsFh3::Decode(reader);
    lock.owner = ReadObject(reader);
    lock.svid = reader.ReadU32();
    lock.offset = ReadRange(reader, narrow);
    lock.length = ReadRange(reader, narrow);
    lock.narrow = narrow;
    return FinishDecoding(reader, std::move(lock));
}

void
NlmHolder::Encode(XdrWriter& writer) const
{
    writer.WriteBool(exclusive);
    writer.WriteU32(svid);
    writer.WriteOpaque(owner);
    WriteRange(writer, narrow, offset);
    WriteRange(writer, narrow, length);
}

Decoded<NlmHolder>
NlmHolder::Decode(XdrReader& reader, bool narrow)
{
    NlmHolder holder;
    holder.exclusive = reader.ReadBool();
    holder.svid = reader.ReadU32();
    holder.owner = ReadObject(reader);
    holder.offset = ReadRange(reader, narrow);
    holder.length = ReadRange(reader, narrow);
    holder.narrow = narrow;
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
NlmTestRes::Decode(XdrReader& reader, bool narrow)
{
    NlmTestRes results;
    results.cookie = ReadObject(reader);
    results.status = ReadStatus(reader);
    if (results.status == NlmStatus::DENIED)
    {
        results.holder = DecodePart<NlmHolder>(reader, narrow);
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
NlmTestArgs::Decode(XdrReader& reader, bool narrow)
{
    NlmTestArgs args;
    args.cookie = ReadObject(reader);
    args.exclusive = reader.ReadBool();
    args.lock = DecodePart<NlmLock>(reader, narrow);
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
NlmLockArgs::Decode(XdrReader& reader, bool narrow)
{
    NlmLockArgs args;
    args.cookie = ReadObject(reader);
    args.block = reader.ReadBool();
    args.exclusive = reader.ReadBool();
    args.lock = DecodePart<NlmLock>(reader, narrow);
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
NlmCancelArgs::Decode(XdrReader& reader, bool narrow)
{
    NlmCancelArgs args;
    args.cookie = ReadObject(reader);
    args.block = reader.ReadBool();
    args.exclusive = reader.ReadBool();
    args.lock = DecodePart<NlmLock>(reader, narrow);
    return FinishDecoding(reader, std::move(args));
}

void
NlmUnlockArgs::Encode(XdrWriter& writer) const
{
    writer.WriteOpaque(cookie);
    lock.Encode(writer);
}

Decoded<NlmUnlockArgs>
NlmUnlockArgs::Decode(XdrReader& reader, bool narrow)
{
    NlmUnlockArgs args;
    args.cookie = ReadObject(reader);
    args.lock = DecodePart<NlmLock>(reader, narrow);
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
