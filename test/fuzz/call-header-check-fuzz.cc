/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpcrdma/server/call-header-check.h"

namespace ns3::nfsrdma
{

namespace
{

/// What a good Call must hold, whatever the rules.
void
ExpectGood(const CheckedCall& checked, ByteSpan input, const CallLimits& limits)
{
    const RpcRdmaHeader& header = checked.header;
    FuzzExpect(checked.payloadOffset <= input.size());
    FuzzExpect(header.GetEncodedSize() == checked.payloadOffset);
    FuzzExpect(header.version == RpcRdmaHeader::VERSION);
    FuzzExpect(header.proc == RpcRdmaProc::MSG || header.proc == RpcRdmaProc::NOMSG);
    FuzzExpect(header.chunks.writeList.size() <= limits.lists.writeChunks);
    uint64_t octets = 0;
    uint64_t zero = 0;
    for (const RpcRdmaReadSegment& segment : header.chunks.readList)
    {
        FuzzExpect(segment.position % 4 == 0);
        octets += segment.target.length;
        zero += segment.position == 0 ? segment.target.length : 0;
    }
    FuzzExpect(octets <= limits.readOctets);
    const uint64_t stream = zero != 0 ? zero : input.size() - checked.payloadOffset;
    for (const RpcRdmaReadSegment& segment : header.chunks.readList)
    {
        FuzzExpect(segment.position <= stream + octets + 3 * header.chunks.readList.size());
    }
}

void
CheckWith(const CallHeaderRules& rules, ByteSpan input)
{
    CallLimits limits;
    limits.lists.readSegments = 64;
    limits.lists.writeChunks = 16;
    limits.lists.chunkSegments = 32;
    limits.readChunks = 8;
    limits.readOctets = 1 << 20;
    const CheckedCall checked = CallHeaderCheck(rules, limits).Check(input);
    FuzzExpect(ToString(checked.verdict) != nullptr && ToString(checked.fault) != nullptr);
    const bool isGood =
        checked.verdict == CallVerdict::CALL || checked.verdict == CallVerdict::REPLY;
    FuzzExpect(isGood == (checked.fault == CallFault::NONE));
    FuzzExpect((checked.verdict == CallVerdict::DONE) == (checked.fault == CallFault::DONE));
    FuzzExpect((checked.verdict == CallVerdict::ERROR) == (checked.fault == CallFault::ERROR));
    if (checked.verdict == CallVerdict::CALL || checked.verdict == CallVerdict::REPLY)
    {
        ExpectGood(checked, input, limits);
        const RpcMessageLimits program{input.size(), input.size()};
        const CallFault fault = CallHeaderCheck::CheckSizes(checked.header.chunks, program);
        FuzzExpect(fault == CallFault::NONE || fault == CallFault::CALL_TOO_LARGE ||
                   fault == CallFault::REPLY_TOO_LARGE);
    }
    const bool hasLists = checked.fixed.proc != static_cast<uint32_t>(RpcRdmaProc::DONE) &&
                          checked.fixed.proc != static_cast<uint32_t>(RpcRdmaProc::ERROR);
    if (checked.verdict == CallVerdict::ERR_CHUNK ||
        (checked.verdict == CallVerdict::ERR_VERS && hasLists))
    {
        FuzzExpect(input.size() >= rules.minimumSize);
    }
}

} // namespace

void
FuzzOne(ByteSpan input)
{
    for (const std::string& name : CallHeaderRules::GetNames())
    {
        CheckWith(*CallHeaderRules::Create(name), input);
    }
}

} // namespace ns3::nfsrdma
