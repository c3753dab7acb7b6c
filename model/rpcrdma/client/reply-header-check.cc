/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-header-check.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{
namespace
{

constexpr std::array<const char*, REPLY_FAULTS> FAULT_NAMES{
    "none",      "too short",    "version",        "unknown XID",  "procedure",
    "RDMA_MSGP", "RDMA_DONE",    "truncated",      "bad value",    "too many segments",
    "Read list", "other chunks", "no Reply chunk", "error code",   "error truncated",
    "ERR_VERS",  "ERR_CHUNK",    "no credits",     "foreign STag", "continuation"};

/// \return whether \p returned is \p offered, filled in order with no more than was offered.
bool
IsReturnOf(const RpcRdmaWriteChunk& returned, const RpcRdmaWriteChunk& offered)
{
    if (returned.size() != offered.size())
    {
        return false;
    }
    bool full = true;
    for (std::size_t i = 0; i < returned.size(); ++i)
    {
        if (returned[i].handle != offered[i].handle || returned[i].offset != offered[i].offset ||
            returned[i].length > (full ? offered[i].length : 0))
        {
            return false;
        }
        full = full && returned[i].length == offered[i].length;
    }
    return true;
}

/// An empty Write chunk stands for a result without data (RFC 8267 section 6.4.1).
bool
IsWriteChunkReturned(const RpcRdmaWriteChunk& returned, const RpcRdmaWriteChunk& offered)
{
    return returned.empty() || IsReturnOf(returned, offered);
}

bool
AreReturned(const RpcRdmaChunkLists& returned, const RpcRdmaChunkLists& offered)
{
    if (!returned.writeList.empty() && !std::equal(returned.writeList.begin(),
                                                   returned.writeList.end(),
                                                   offered.writeList.begin(),
                                                   offered.writeList.end(),
                                                   IsWriteChunkReturned))
    {
        return false;
    }
    return !returned.replyChunk ||
           (offered.replyChunk && IsReturnOf(*returned.replyChunk, *offered.replyChunk));
}

/// A Long Reply: a Position-Zero Read chunk of at least one octet, and no other.
bool
IsPositionZeroReply(const RpcRdmaHeader& header)
{
    uint64_t length = 0;
    for (const RpcRdmaReadSegment& segment : header.chunks.readList)
    {
        if (segment.position != 0)
        {
            return false;
        }
        length += segment.target.length;
    }
    return header.proc == RpcRdmaProc::NOMSG && length > 0;
}

ReplyFault
ToFault(WireError error, uint32_t proc)
{
    const bool isError = proc == static_cast<uint32_t>(RpcRdmaProc::ERROR);
    switch (error)
    {
    case WireError::TRUNCATED:
        return isError ? ReplyFault::ERROR_TRUNCATED : ReplyFault::TRUNCATED;
    case WireError::TOO_LONG:
        return ReplyFault::TOO_MANY;
    case WireError::BAD_VERSION:
        return ReplyFault::VERSION;
    default:
        if (proc > static_cast<uint32_t>(RpcRdmaProc::ERROR))
        {
            return ReplyFault::PROC;
        }
        return isError ? ReplyFault::ERROR_CODE : ReplyFault::BAD_VALUE;
    }
}

} // namespace

const char*
ToString(ReplyVerdict verdict)
{
    switch (verdict)
    {
    case ReplyVerdict::COMPLETE:
        return "complete";
    case ReplyVerdict::PULL:
        return "pull";
    case ReplyVerdict::ERROR:
        return "error";
    case ReplyVerdict::BAD:
        return "bad";
    case ReplyVerdict::DISCARD:
        return "discard";
    }
    return "unknown";
}

const char*
ToString(ReplyFault fault)
{
    return FAULT_NAMES.at(static_cast<std::size_t>(fault));
}

std::optional<ReplyHeaderRules>
ReplyHeaderRules::Create(const std::string& name)
{
    if (name == "rfc8166")
    {
        return ReplyHeaderRules();
    }
    if (name == "linux")
    {
        return ReplyHeaderRules{false, true, false};
    }
    return std::nullopt;
}

std::vector<std::string>
ReplyHeaderRules::GetNames()
{
    return {"linux", "rfc8166"};
}

ReplyHeaderCheck::ReplyHeaderCheck(const ReplyHeaderRules& rules)
    : m_rules(rules)
{
    m_limits.anyDiscriminator = rules.anyDiscriminator;
}

CheckedReply
ReplyHeaderCheck::Reject(ReplyFault fault, std::optional<RpcRdmaHeader> header) const
{
    CheckedReply checked;
    checked.verdict = m_rules.discardBad && fault != ReplyFault::READ_LIST ? ReplyVerdict::DISCARD
                                                                           : ReplyVerdict::BAD;
    checked.fault = fault;
    checked.header = std::move(header);
    return checked;
}

CheckedReply
ReplyHeaderCheck::Check(ByteSpan message, const RpcRdmaChunkLists& offered) const
{
    ByteReader start(message);
    const auto fixed = RpcRdmaFixedHeader::Decode(start);
    if (!fixed)
    {
        return Reject(ReplyFault::TOO_SHORT, std::nullopt);
    }
    ByteReader reader(message);
    auto decoded = RpcRdmaHeader::Decode(reader, m_limits);
    if (!decoded)
    {
        return Reject(ToFault(decoded.error(), fixed->proc), std::nullopt);
    }
    const RpcRdmaHeader& header = *decoded;
    if (header.version != RpcRdmaHeader::VERSION)
    {
        return Reject(ReplyFault::VERSION, std::move(*decoded));
    }
    CheckedReply checked;
    checked.payloadOffset = reader.Position();
    if (header.proc == RpcRdmaProc::ERROR)
    {
        checked.verdict = ReplyVerdict::ERROR;
        checked.fault = header.error == RpcRdmaErrorCode::ERR_VERS ? ReplyFault::ERR_VERS
                                                                   : ReplyFault::ERR_CHUNK;
        checked.header = std::move(*decoded);
        return checked;
    }
    if (header.proc != RpcRdmaProc::MSG && header.proc != RpcRdmaProc::NOMSG)
    {
        const bool isDone = header.proc == RpcRdmaProc::DONE;
        return Reject(isDone ? ReplyFault::DONE : ReplyFault::MSGP, std::move(*decoded));
    }
    const bool pull = m_readChunks && IsPositionZeroReply(header);
    if (!pull && !header.chunks.readList.empty())
    {
        return Reject(ReplyFault::READ_LIST, std::move(*decoded));
    }
    const bool usesReplyChunk =
        header.chunks.replyChunk && GetChunkLength(*header.chunks.replyChunk) > 0;
    if (header.proc == RpcRdmaProc::NOMSG && !usesReplyChunk && !pull)
    {
        return Reject(ReplyFault::NO_REPLY_CHUNK, std::move(*decoded));
    }
    if (!AreReturned(header.chunks, offered) || (usesReplyChunk && header.proc == RpcRdmaProc::MSG))
    {
        return Reject(ReplyFault::OTHER_CHUNKS, std::move(*decoded));
    }
    checked.verdict = pull ? ReplyVerdict::PULL : ReplyVerdict::COMPLETE;
    checked.header = std::move(*decoded);
    return checked;
}

} // namespace ns3::nfsrdma
