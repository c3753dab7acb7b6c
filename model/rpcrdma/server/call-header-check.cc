/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/call-header-check.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t RPC_REPLY = 1;

CheckedCall
Refuse(const RpcRdmaFixedHeader& fixed, CallVerdict verdict, CallFault fault)
{
    CheckedCall checked;
    checked.verdict = verdict;
    checked.fault = fault;
    checked.fixed = fixed;
    return checked;
}

CallFault
ToFault(WireError error)
{
    switch (error)
    {
    case WireError::TRUNCATED:
        return CallFault::TRUNCATED;
    case WireError::TOO_LONG:
        return CallFault::TOO_MANY;
    default:
        return CallFault::BAD_VALUE;
    }
}

bool
IsReverseReply(const RpcRdmaHeader& header, ByteSpan payload)
{
    return header.proc == RpcRdmaProc::MSG && header.chunks.IsEmpty() &&
           payload.size() >= std::size_t{2} * XDR_WORD &&
           boost::endian::load_big_u32(payload.data() + XDR_WORD) == RPC_REPLY;
}

bool
HasPositionZero(const RpcRdmaChunkLists& chunks)
{
    return std::any_of(chunks.readList.begin(), chunks.readList.end(), [](const auto& segment) {
        return segment.position == 0;
    });
}

bool
HasEmptyChunk(const RpcRdmaChunkLists& chunks)
{
    return (chunks.replyChunk && chunks.replyChunk->empty()) || chunks.HasEmptyWriteChunk();
}

} // namespace

const char*
ToString(CallVerdict verdict)
{
    switch (verdict)
    {
    case CallVerdict::CALL:
        return "call";
    case CallVerdict::REPLY:
        return "reply";
    case CallVerdict::DONE:
        return "done";
    case CallVerdict::ERROR:
        return "error";
    case CallVerdict::ERR_VERS:
        return "ERR_VERS";
    case CallVerdict::ERR_CHUNK:
        return "ERR_CHUNK";
    case CallVerdict::DISCARD:
        return "discard";
    }
    return "unknown";
}

const char*
ToString(CallFault fault)
{
    switch (fault)
    {
    case CallFault::NONE:
        return "none";
    case CallFault::TOO_SHORT:
        return "too short";
    case CallFault::VERSION:
        return "version";
    case CallFault::PROC:
        return "procedure";
    case CallFault::MSGP:
        return "RDMA_MSGP";
    case CallFault::DONE:
        return "RDMA_DONE for nothing lent";
    case CallFault::ERROR:
        return "RDMA_ERROR for nothing asked";
    case CallFault::TRUNCATED:
        return "truncated";
    case CallFault::BAD_VALUE:
        return "bad value";
    case CallFault::TOO_MANY:
        return "too many segments";
    case CallFault::POSITION:
        return "position";
    case CallFault::LIST_ORDER:
        return "list order";
    case CallFault::NO_MESSAGE:
        return "no message";
    case CallFault::NOMSG_WITHOUT_ZERO:
        return "RDMA_NOMSG without Position zero";
    case CallFault::NOMSG_WITH_MESSAGE:
        return "RDMA_NOMSG with a message";
    case CallFault::MSG_WITH_ZERO:
        return "RDMA_MSG with Position zero";
    case CallFault::XID:
        return "XID";
    case CallFault::DUPLICATE_XID:
        return "duplicate XID";
    case CallFault::CALL_TOO_LARGE:
        return "call too large";
    case CallFault::REPLY_TOO_LARGE:
        return "reply too large";
    case CallFault::FAILED_BEFORE:
        return "failed before";
    case CallFault::COUNT:
        break;
    }
    return "unknown";
}

std::optional<CallHeaderRules>
CallHeaderRules::Create(const std::string& name)
{
    if (name == "rfc8166")
    {
        return CallHeaderRules();
    }
    if (name == "linux")
    {
        CallHeaderRules rules;
        rules.minimumSize = RpcRdmaFixedHeader::SIZE;
        rules.anyDiscriminator = true;
        rules.answerEmptyNomsg = false;
        rules.matchForm = false;
        rules.ascending = false;
        rules.matchXid = false;
        rules.discardDuplicates = false;
        return rules;
    }
    return std::nullopt;
}

std::vector<std::string>
CallHeaderRules::GetNames()
{
    return {"linux", "rfc8166"};
}

CallHeaderCheck::CallHeaderCheck(const CallHeaderRules& rules, const CallLimits& limits)
    : m_rules(rules),
      m_limits(limits)
{
    m_limits.lists.anyDiscriminator = rules.anyDiscriminator;
}

CheckedCall
CallHeaderCheck::Check(ByteSpan message) const
{
    ByteReader reader(message);
    const auto fixed = RpcRdmaFixedHeader::Decode(reader);
    if (!fixed)
    {
        return Refuse({}, CallVerdict::DISCARD, CallFault::TOO_SHORT);
    }
    const bool hasLists = fixed->proc != static_cast<uint32_t>(RpcRdmaProc::DONE) &&
                          fixed->proc != static_cast<uint32_t>(RpcRdmaProc::ERROR);
    if (hasLists && message.size() < m_rules.minimumSize)
    {
        return Refuse(*fixed, CallVerdict::DISCARD, CallFault::TOO_SHORT);
    }
    if (fixed->version != RpcRdmaHeader::VERSION)
    {
        return Refuse(*fixed, CallVerdict::ERR_VERS, CallFault::VERSION);
    }
    switch (fixed->proc)
    {
    case static_cast<uint32_t>(RpcRdmaProc::MSG):
    case static_cast<uint32_t>(RpcRdmaProc::NOMSG):
        break;
    case static_cast<uint32_t>(RpcRdmaProc::DONE):
        return Refuse(*fixed, CallVerdict::DONE, CallFault::DONE);
    case static_cast<uint32_t>(RpcRdmaProc::ERROR):
        return Refuse(*fixed, CallVerdict::ERROR, CallFault::ERROR);
    case static_cast<uint32_t>(RpcRdmaProc::MSGP):
        return Refuse(*fixed, CallVerdict::ERR_CHUNK, CallFault::MSGP);
    default:
        return Refuse(*fixed, CallVerdict::ERR_CHUNK, CallFault::PROC);
    }

    ByteReader whole(message);
    auto header = RpcRdmaHeader::Decode(whole, m_limits.lists);
    if (!header)
    {
        return Refuse(*fixed, CallVerdict::ERR_CHUNK, ToFault(header.error()));
    }
    if (const CallFault fault = CheckForm(*header, whole.Rest()); fault != CallFault::NONE)
    {
        const bool silent = fault == CallFault::NO_MESSAGE && !m_rules.answerEmptyNomsg;
        return Refuse(*fixed, silent ? CallVerdict::DISCARD : CallVerdict::ERR_CHUNK, fault);
    }
    CheckedCall checked;
    checked.verdict =
        IsReverseReply(*header, whole.Rest()) ? CallVerdict::REPLY : CallVerdict::CALL;
    checked.fixed = *fixed;
    checked.header = std::move(*header);
    checked.payloadOffset = whole.Position();
    return checked;
}

CallFault
CallHeaderCheck::CheckForm(const RpcRdmaHeader& header, ByteSpan payload) const
{
    const RpcRdmaChunkLists& chunks = header.chunks;
    const bool isMessage = header.proc == RpcRdmaProc::MSG;
    if (m_rules.needsSegments && HasEmptyChunk(chunks))
    {
        return CallFault::BAD_VALUE;
    }
    if (!isMessage && chunks.IsEmpty() && (payload.empty() || m_rules.matchForm))
    {
        return CallFault::NO_MESSAGE;
    }
    if (m_rules.matchForm)
    {
        const bool zero = HasPositionZero(chunks);
        if (isMessage && zero)
        {
            return CallFault::MSG_WITH_ZERO;
        }
        if (!isMessage && !zero)
        {
            return CallFault::NOMSG_WITHOUT_ZERO;
        }
        if (!isMessage && !payload.empty())
        {
            return CallFault::NOMSG_WITH_MESSAGE;
        }
    }
    if (m_rules.matchXid && isMessage && payload.size() >= XDR_WORD &&
        boost::endian::load_big_u32(payload.data()) != header.xid)
    {
        return CallFault::XID;
    }
    return chunks.readList.empty() ? CallFault::NONE
                                   : CheckReadList(chunks.readList, payload.size());
}

CallFault
CallHeaderCheck::CheckReadList(const std::vector<RpcRdmaReadSegment>& list,
                               std::size_t inlineLength) const
{
    if (m_rules.ascending &&
        !std::is_sorted(list.begin(), list.end(), [](const auto& one, const auto& other) {
            return one.position < other.position;
        }))
    {
        return CallFault::LIST_ORDER;
    }

    struct Extent
    {
        uint64_t length{0};
        uint32_t segments{0};
    };

    std::map<uint32_t, Extent> chunks;
    uint64_t total = 0;
    for (const RpcRdmaReadSegment& segment : list)
    {
        Extent& chunk = chunks[segment.position];
        chunk.length += segment.target.length;
        total += segment.target.length;
        if (++chunk.segments > m_limits.lists.chunkSegments)
        {
            return CallFault::TOO_MANY;
        }
    }
    const bool zero = chunks.begin()->first == 0;
    if (chunks.size() - (zero ? 1 : 0) > m_limits.readChunks)
    {
        return CallFault::TOO_MANY;
    }
    if (total > m_limits.readOctets)
    {
        return CallFault::CALL_TOO_LARGE;
    }
    uint64_t stream = zero ? chunks.begin()->second.length : inlineLength;
    uint64_t end = 0;
    for (const auto& [position, chunk] : chunks)
    {
        if (position == 0)
        {
            continue;
        }
        if (position < end || position > stream)
        {
            return CallFault::POSITION;
        }
        const uint64_t padded = (chunk.length + 3) / XDR_WORD * XDR_WORD;
        end = position + padded;
        stream += padded;
    }
    return CallFault::NONE;
}

CallFault
CallHeaderCheck::CheckSizes(const RpcRdmaChunkLists& chunks, const RpcMessageLimits& program)
{
    uint64_t arguments = 0;
    for (const RpcRdmaReadSegment& segment : chunks.readList)
    {
        arguments += segment.target.length;
    }
    if (arguments > program.arguments)
    {
        return CallFault::CALL_TOO_LARGE;
    }
    uint64_t results = chunks.replyChunk ? GetChunkLength(*chunks.replyChunk) : 0;
    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        results = std::max(results, GetChunkLength(chunk));
    }
    return results > program.results ? CallFault::REPLY_TOO_LARGE : CallFault::NONE;
}

} // namespace ns3::nfsrdma
