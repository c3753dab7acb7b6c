/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REPLY_HEADER_CHECK_H
#define NFSRDMA_RPCRDMA_CLIENT_REPLY_HEADER_CHECK_H

#include "rpcrdma/message/transport-header.h"
#include "wire/bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a requester does with a message that it has received.
enum class ReplyVerdict
{
    COMPLETE, ///< The RPC message is there: inline, or in the Reply chunk.
    PULL,     ///< The RPC message is in a Position-Zero Read chunk, which was agreed on.
    ERROR,    ///< RDMA_ERROR: the RPC has failed for good.
    BAD,      ///< The RPC fails: its reply is of no use.
    DISCARD   ///< Nothing: the RPC goes on waiting.
};

/// What is wrong with a reply.
enum class ReplyFault
{
    NONE,
    TOO_SHORT,       ///< Not even the fixed header.
    VERSION,         ///< rdma_vers is not 1.
    UNKNOWN_XID,     ///< No call of that XID waits for a reply.
    PROC,            ///< rdma_proc is unknown.
    MSGP,            ///< RDMA_MSGP, which is obsolete.
    DONE,            ///< RDMA_DONE, which only requesters send.
    TRUNCATED,       ///< A list or a segment count passes the end of the message.
    BAD_VALUE,       ///< A discriminator is not 0 or 1, or a Position no multiple of 4.
    TOO_MANY,        ///< More segments or chunks than the requester takes.
    READ_LIST,       ///< Read chunks, not agreed on; or others than a Long Reply has.
    OTHER_CHUNKS,    ///< Chunks that the call did not offer, longer ones, filled out of order, or
                     ///< a Reply chunk used beside an inline message.
    NO_REPLY_CHUNK,  ///< RDMA_NOMSG without a Reply chunk, or with an unused one.
    ERROR_CODE,      ///< RDMA_ERROR with an unknown code.
    ERROR_TRUNCATED, ///< RDMA_ERROR cut short.
    ERR_VERS,        ///< The responder has answered ERR_VERS.
    ERR_CHUNK,       ///< The responder has answered ERR_CHUNK.
    NO_CREDITS,      ///< Grants 0 credits: taken for 1.
    FOREIGN_STAG,    ///< Has invalidated an STag that is not one of its call's.
    CONTINUATION,    ///< A part of a message that does not continue what came before, or ends it.
    COUNT
};

constexpr auto REPLY_FAULTS = static_cast<std::size_t>(ReplyFault::COUNT);

const char* ToString(ReplyVerdict verdict);
const char* ToString(ReplyFault fault);

/**
 * \brief Where requesters differ in what they do with a bad reply to one of their calls.
 *
 * Two sets of rules, by name: "rfc8166", as RFC 8166 says, and "linux", as xprtrdma of Linux 6.1
 * does (rpc_rdma.c, frwr_ops.c). They differ in this:
 *
 * | condition                            | rfc8166 (section)       | linux                    |
 * |--------------------------------------|-------------------------|--------------------------|
 * | lists malformed, or not as offered   | discarded (4.5)         | the RPC fails            |
 * | rdma_proc unknown, MSGP, DONE        | discarded (4.5, 4.6)    | the RPC fails            |
 * | RDMA_NOMSG without a Reply chunk     | discarded (4.5)         | the RPC fails            |
 * | RDMA_ERROR cut short, unknown code   | discarded (4.5)         | the RPC fails            |
 * | discriminator above 1                | discarded (4.5)         | taken for 1              |
 * | invalidates an STag of another RPC   | connection closed       | ignored                  |
 *
 * The model is stricter than Linux where a chunk comes back that was not offered: Linux adds up
 * lengths, and does not look at handles or the order of filling. It never offers Write and Reply
 * chunk in one call, and would refuse a reply with both; here such a reply is good.
 *
 * Alike in both: less than 16 octets, another version, and unknown XIDs are discarded; a Read list
 * makes the RPC fail (unless it was agreed on, and is that of a Long Reply); a grant of 0 counts as
 * 1; ERR_VERS and ERR_CHUNK end the RPC.
 */
struct ReplyHeaderRules
{
    bool discardBad{true};
    bool anyDiscriminator{false};
    bool closeOnForeignStag{true};

    /// \return the rules of that name, or nothing.
    static std::optional<ReplyHeaderRules> Create(const std::string& name);
    static std::vector<std::string> GetNames();
};

/// A received reply, judged.
struct CheckedReply
{
    ReplyVerdict verdict{ReplyVerdict::DISCARD};
    ReplyFault fault{ReplyFault::NONE};
    std::optional<RpcRdmaHeader> header; ///< When it could be decoded.
    std::size_t payloadOffset{0};        ///< Of what follows the header.
};

/**
 * \brief Judges the transport headers of replies, RFC 8166 sections 4.2 to 4.6. Pure: octets and
 * the chunks offered in, verdict out.
 */
class ReplyHeaderCheck
{
  public:
    explicit ReplyHeaderCheck(const ReplyHeaderRules& rules);

    /// The two sides have agreed that a Long Reply may come as Position-Zero Read chunk.
    void AllowReadChunks()
    {
        m_readChunks = true;
    }

    /// \param message of at least the fixed header, version 1, with the XID of a call that waits
    /// \param offered the chunk lists of that call
    [[nodiscard]] CheckedReply Check(ByteSpan message, const RpcRdmaChunkLists& offered) const;

    [[nodiscard]] const ReplyHeaderRules& GetRules() const
    {
        return m_rules;
    }

  private:
    [[nodiscard]] CheckedReply Reject(ReplyFault fault, std::optional<RpcRdmaHeader> header) const;

    ReplyHeaderRules m_rules;
    RpcRdmaDecodeLimits m_limits;
    bool m_readChunks{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REPLY_HEADER_CHECK_H
