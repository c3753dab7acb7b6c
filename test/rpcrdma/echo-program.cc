/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/echo-program.h"

#include "wire/crc32c.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

ByteVector
MakePattern(uint32_t length, uint32_t seed)
{
    ByteVector octets(length);
    for (uint32_t i = 0; i < length; ++i)
    {
        octets[i] = static_cast<uint8_t>(seed + i * 7 + (i >> 8) * 13);
    }
    return octets;
}

ByteVector
MakeGivenPattern(uint32_t length, std::size_t number)
{
    return MakePattern(length, 100 + 37 * static_cast<uint32_t>(number));
}

EchoProgram::EchoProgram(Ptr<HostMemory> memory)
    : m_memory(memory)
{
}

uint32_t
EchoProgram::GetProgram() const
{
    return PROGRAM;
}

uint32_t
EchoProgram::GetVersion() const
{
    return VERSION;
}

RpcMessageLimits
EchoProgram::GetMessageLimits() const
{
    return limits;
}

void
EchoProgram::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    mostRunning = std::max(mostRunning, ++running);
    Simulator::Schedule(serviceTime, [this, call, done] {
        --running;
        switch (call->header.procedure)
        {
        case TAKE:
            done(Take(*call));
            break;
        case MIX:
            done(Mix(*call));
            break;
        case TEXT:
            done(Text(*call));
            break;
        default:
            done(Give(*call));
        }
    });
}

RpcServerReply
EchoProgram::Take(const RpcServerCall& call)
{
    XdrReader reader(ByteSpan(call.message.octets).subspan(call.argumentsPosition));
    RpcServerReply reply;
    const uint32_t length = reader.ReadU32();
    ByteVector item(length);
    if (!call.message.items.empty())
    {
        const RpcReceivedItem& received = call.message.items.front();
        const bool fits = call.message.items.size() == 1 &&
                          received.position == call.argumentsPosition + reader.Position() &&
                          (received.length == length || received.length == RoundUp4(length));
        if (!fits)
        {
            reply.status = RpcAcceptStatus::GARBAGE_ARGS;
            return reply;
        }
        ++reducedItems;
        m_memory->Read(received.address, item);
    }
    else
    {
        const ByteSpan octets = reader.ReadFixedOpaque(length);
        item.assign(octets.begin(), octets.end());
    }
    const uint32_t word = reader.ReadU32();
    if (!reader.Ok() || reader.Remaining() != 0)
    {
        reply.status = RpcAcceptStatus::GARBAGE_ARGS;
        return reply;
    }
    XdrWriter writer;
    writer.WriteU32(length);
    writer.WriteU32(Crc32c(item));
    writer.WriteU32(word);
    reply.results.octets = writer.Take();
    return reply;
}

RpcServerReply
EchoProgram::Give(const RpcServerCall& call)
{
    XdrReader reader(ByteSpan(call.message.octets).subspan(call.argumentsPosition));
    const uint32_t length = reader.ReadU32();
    const bool eligible = reader.ReadBool();
    const uint32_t tailWords = reader.ReadU32();
    RpcServerReply reply;
    XdrWriter writer;
    writer.WriteU32(length);
    if (length > 0)
    {
        const auto owner = std::make_shared<HostBuffer>(m_memory, length);
        owner->Write(0, MakePattern(length, call.header.xid));
        reply.results.items.push_back({owner->GetAddress(), length, eligible, 4, owner});
    }
    for (uint32_t i = 0; i < tailWords; ++i)
    {
        writer.WriteU32(0xee000000 + i);
    }
    reply.results.octets = writer.Take();
    return reply;
}

bool
EchoProgram::TakeItems(const RpcServerCall& call, XdrReader& reader, XdrWriter& results)
{
    const uint32_t count = reader.ReadU32();
    results.WriteU32(count);
    uint32_t reducedOctets = 0;
    auto next = call.message.items.begin();
    for (uint32_t i = 0; i < count && reader.Ok(); ++i)
    {
        const uint32_t length = reader.ReadU32();
        ByteVector item(length);
        if (next != call.message.items.end() &&
            next->position == call.argumentsPosition + reader.Position() + reducedOctets)
        {
            if (next->length != length && next->length != RoundUp4(length))
            {
                return false;
            }
            m_memory->Read(next->address, item);
            reducedOctets += RoundUp4(next->length);
            ++reducedItems;
            ++next;
        }
        else
        {
            const ByteSpan octets = reader.ReadFixedOpaque(length);
            item.assign(octets.begin(), octets.end());
        }
        results.WriteU32(length);
        results.WriteU32(Crc32c(item));
        if (reader.ReadU32() != MARKER + i)
        {
            return false;
        }
    }
    return reader.Ok() && next == call.message.items.end();
}

RpcServerReply
EchoProgram::Mix(const RpcServerCall& call)
{
    XdrReader reader(ByteSpan(call.message.octets).subspan(call.argumentsPosition));
    RpcServerReply reply;
    XdrWriter writer;
    if (!TakeItems(call, reader, writer))
    {
        reply.status = RpcAcceptStatus::GARBAGE_ARGS;
        return reply;
    }
    const uint32_t count = reader.ReadU32();
    writer.WriteU32(count);
    for (uint32_t i = 0; i < count && reader.Ok(); ++i)
    {
        const uint32_t length = reader.ReadU32();
        const bool eligible = reader.ReadBool();
        const auto owner = std::make_shared<HostBuffer>(m_memory, length + 1);
        owner->Write(0, MakeGivenPattern(length, i));
        writer.WriteU32(length);
        const auto offset = static_cast<uint32_t>(writer.GetSize());
        reply.results.items.push_back({owner->GetAddress(), length, eligible, offset, owner});
        writer.WriteU32(MARKER + i);
    }
    if (!reader.Ok() || reader.Remaining() != 0)
    {
        reply.results = RpcPayload();
        reply.status = RpcAcceptStatus::GARBAGE_ARGS;
        return reply;
    }
    reply.results.octets = writer.Take();
    return reply;
}

RpcServerReply
EchoProgram::Text(const RpcServerCall& call)
{
    XdrReader reader(ByteSpan(call.message.octets).subspan(call.argumentsPosition));
    RpcServerReply reply;
    XdrWriter writer;
    writer.WriteOpaque(MakeGivenPattern(reader.ReadU32(), 0));
    reply.results.octets = writer.Take();
    return reply;
}

} // namespace ns3::nfsrdma
