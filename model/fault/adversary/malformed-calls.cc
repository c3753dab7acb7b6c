/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/malformed-calls.h"

#include "fault/adversary/header-spoiler.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MalformedCalls);

TypeId
MalformedCalls::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::MalformedCalls")
                            .SetParent<RogueRequester>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<MalformedCalls>();
    return tid;
}

MalformedCalls::MalformedCalls() = default;
MalformedCalls::~MalformedCalls() = default;

void
MalformedCalls::Act(RogueConnection& connection)
{
    RpcRdmaChunkLists chunks;
    const auto drawSegment = [this] {
        constexpr uint32_t ANYTHING = 65536;
        return RpcRdmaSegment{GetRandom().GetInteger(1, UINT32_MAX),
                              GetRandom().GetInteger(1, ANYTHING),
                              GetRandom().GetInteger(0, ANYTHING)};
    };
    if (GetRandom().GetInteger(0, 1) == 1)
    {
        chunks.writeList.push_back({drawSegment()});
    }
    if (GetRandom().GetInteger(0, 1) == 1)
    {
        chunks.replyChunk = RpcRdmaWriteChunk{drawSegment(), drawSegment()};
    }
    const HeaderSpoiler spoiler(
        [this](uint32_t bound) { return GetRandom().GetInteger(0, bound - 1); });
    ByteVector call = MakeCall(TakeXid(), Getattr3Args{GetHost().baitFile}, chunks);
    RpcRdmaHeader header;
    header.chunks = chunks;
    const std::string what = spoiler.Spoil(call, header.GetEncodedSize());
    if (connection.Send(call))
    {
        NoteDone(what);
    }
}

} // namespace ns3::nfsrdma
