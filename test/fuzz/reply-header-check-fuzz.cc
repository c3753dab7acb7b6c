/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpcrdma/client/reply-header-check.h"

namespace ns3::nfsrdma
{

namespace
{

/// The chunks that some call offered.
RpcRdmaChunkLists
MakeOffer()
{
    RpcRdmaChunkLists offered;
    offered.writeList = {{{7, 100, 0x1000}, {8, 50, 0x2000}}, {{9, 20, 0x3000}}};
    offered.replyChunk = RpcRdmaWriteChunk{{10, 200, 0x4000}};
    return offered;
}

void
ExpectWithin(const RpcRdmaWriteChunk& returned, const RpcRdmaWriteChunk& offered)
{
    FuzzExpect(returned.size() == offered.size());
    for (std::size_t i = 0; i < returned.size(); ++i)
    {
        FuzzExpect(returned[i].handle == offered[i].handle &&
                   returned[i].offset == offered[i].offset &&
                   returned[i].length <= offered[i].length);
    }
}

void
CheckWith(const ReplyHeaderRules& rules, ByteSpan input)
{
    const RpcRdmaChunkLists offered = MakeOffer();
    const CheckedReply checked = ReplyHeaderCheck(rules).Check(input, offered);
    FuzzExpect(ToString(checked.verdict) != nullptr && ToString(checked.fault) != nullptr);
    if (checked.verdict != ReplyVerdict::COMPLETE)
    {
        FuzzExpect(checked.fault != ReplyFault::NONE);
        return;
    }
    FuzzExpect(checked.fault == ReplyFault::NONE && checked.header.has_value());
    FuzzExpect(checked.payloadOffset <= input.size());
    const RpcRdmaChunkLists& chunks = checked.header->chunks;
    FuzzExpect(chunks.readList.empty());
    if (!chunks.writeList.empty())
    {
        FuzzExpect(chunks.writeList.size() == offered.writeList.size());
        for (std::size_t i = 0; i < chunks.writeList.size(); ++i)
        {
            if (!chunks.writeList[i].empty())
            {
                ExpectWithin(chunks.writeList[i], offered.writeList[i]);
            }
        }
    }
    FuzzExpect(chunks.replyChunk.has_value() || checked.header->proc == RpcRdmaProc::MSG);
    if (chunks.replyChunk)
    {
        ExpectWithin(*chunks.replyChunk, *offered.replyChunk);
    }
}

} // namespace

void
FuzzOne(ByteSpan input)
{
    for (const std::string& name : ReplyHeaderRules::GetNames())
    {
        CheckWith(*ReplyHeaderRules::Create(name), input);
    }
}

} // namespace ns3::nfsrdma
