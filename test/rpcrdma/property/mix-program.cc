/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/property/mix-program.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

uint8_t
GetPatternOctet(uint32_t operation, uint32_t item, uint32_t index)
{
    return static_cast<uint8_t>(operation * 31 + item * 101 + index * 7 + (index >> 8) * 13);
}

ByteVector
MakeMixPattern(uint32_t operation, uint32_t item, uint32_t length)
{
    ByteVector octets(length);
    for (uint32_t i = 0; i < length; ++i)
    {
        octets[i] = GetPatternOctet(operation, item, i);
    }
    return octets;
}

MixProgram::MixProgram(Ptr<HostMemory> memory)
    : m_memory(memory)
{
}

uint32_t
MixProgram::GetProgram() const
{
    return PROGRAM;
}

uint32_t
MixProgram::GetVersion() const
{
    return VERSION;
}

bool
MixProgram::IsIdempotent(uint32_t procedure) const
{
    return procedure != ONCE;
}

void
MixProgram::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    Simulator::Schedule(serviceTime, [this, call, done] { done(Carry(*call)); });
}

bool
MixProgram::CheckArguments(const RpcServerCall& call, XdrReader& reader, uint32_t operation)
{
    const uint32_t count = reader.ReadU32();
    std::size_t reduced = 0;
    uint32_t taken = 0; // octets of reduced items so far, with their pads
    bool good = count <= 64;
    for (uint32_t i = 0; good && i < count; ++i)
    {
        const uint32_t length = reader.ReadU32();
        const auto position =
            static_cast<uint32_t>(call.argumentsPosition + reader.Position()) + taken;
        ByteVector octets(std::min(length, 1U << 24));
        if (reduced < call.message.items.size() &&
            call.message.items[reduced].position == position && length > 0)
        {
            const RpcReceivedItem& item = call.message.items[reduced++];
            good = item.length == length || item.length == RoundUp4(length);
            if (good)
            {
                m_memory->Read(item.address, octets);
            }
            taken += RoundUp4(length);
        }
        else
        {
            const ByteSpan inlined = reader.ReadFixedOpaque(length);
            octets.assign(inlined.begin(), inlined.end());
        }
        good = good && octets == MakeMixPattern(operation, i, length);
    }
    return good && reduced == call.message.items.size() && reader.Ok();
}

RpcServerReply
MixProgram::Carry(const RpcServerCall& call)
{
    XdrReader reader(ByteSpan(call.message.octets).subspan(call.argumentsPosition));
    RpcServerReply reply;
    const uint32_t operation = reader.ReadU32();
    if (!CheckArguments(call, reader, operation))
    {
        ++garbage;
        reply.status = RpcAcceptStatus::GARBAGE_ARGS;
        return reply;
    }
    ++executions[operation];
    XdrWriter writer;
    writer.WriteU32(operation);
    const uint32_t results = reader.ReadU32();
    writer.WriteU32(results);
    for (uint32_t i = 0; i < results; ++i)
    {
        const uint32_t length = reader.ReadU32();
        const bool eligible = reader.ReadBool();
        writer.WriteU32(length);
        if (length == 0 && !eligible)
        {
            continue;
        }
        RpcDataItem item; // also of no octets, for the order of the Write chunks
        item.owner = std::make_shared<HostBuffer>(m_memory, std::max(length, 1U));
        item.owner->Write(0, MakeMixPattern(operation, 100 + i, length));
        item.address = item.owner->GetAddress();
        item.length = length;
        item.ddpEligible = eligible;
        item.offset = static_cast<uint32_t>(writer.GetSize());
        reply.results.items.push_back(std::move(item));
    }
    writer.WriteU32(reader.ReadU32() == WORD && reader.Ok() ? WORD : 0);
    reply.results.octets = writer.Take();
    return reply;
}

} // namespace ns3::nfsrdma
