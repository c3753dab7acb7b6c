/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_CALL_HEADER_CHECK_H
#define NFSRDMA_RPCRDMA_SERVER_CALL_HEADER_CHECK_H

#include "rpc/message-limits.h"
#include "rpcrdma/message/transport-header.h"
#include "wire/bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a responder does with a message that it has received.
enum class CallVerdict
{
    CALL,      ///< Serves it.
    REPLY,     ///< A Reply of the reverse direction (RFC 8167): RDMA_MSG without chunks.
    DONE,      ///< RDMA_DONE: discards it (RFC 8166 section 4.6.2) unless it has lent memory.
    ERROR,     ///< RDMA_ERROR: discards it unless it answers a Call of the reverse direction.
    ERR_VERS,  ///< Answers RDMA_ERROR with ERR_VERS.
    ERR_CHUNK, ///< Answers RDMA_ERROR with ERR_CHUNK.
    DISCARD    ///< Discards it without an answer.
};

/// Why a responder does not serve a message.
enum class CallFault
{
    NONE,
    TOO_SHORT,          ///< Too short for a header to be trusted.
    VERSION,            ///< rdma_vers is not 1.
    PROC,               ///< rdma_proc is unknown.
    MSGP,               ///< RDMA_MSGP, which is obsolete.
    DONE,               ///< RDMA_DONE for nothing that the responder has lent.
    ERROR,              ///< RDMA_ERROR that answers nothing.
    TRUNCATED,          ///< A list or a segment count passes the end of the message.
    BAD_VALUE,          ///< A discriminator is not 0 or 1, or a Position no multiple of 4; or a
                        ///< chunk to be written to has no segments.
    TOO_MANY,           ///< More segments or chunks than the responder takes.
    POSITION,           ///< A Read chunk lies in another one, or beyond the end of the stream.
    LIST_ORDER,         ///< Positions do not ascend, or segments of one are not together.
    NO_MESSAGE,         ///< RDMA_NOMSG with all lists empty.
    NOMSG_WITHOUT_ZERO, ///< RDMA_NOMSG with chunks, but no Position-Zero Read chunk.
    NOMSG_WITH_MESSAGE, ///< Octets follow the header of RDMA_NOMSG.
    MSG_WITH_ZERO,      ///< RDMA_MSG with a Position-Zero Read chunk.
    XID,                ///< rdma_xid is not the XID of the RPC message that follows.
    DUPLICATE_XID,      ///< A Call with that XID is in service on the connection.
    CALL_TOO_LARGE,     ///< Read chunks of more octets than the program takes.
    REPLY_TOO_LARGE,    ///< A Write or Reply chunk of more octets than the program gives.
    FAILED_BEFORE,      ///< RDMA Reads for that Call ended an earlier connection.
    COUNT
};

constexpr auto CALL_FAULTS = static_cast<std::size_t>(CallFault::COUNT);

const char* ToString(CallVerdict verdict);
const char* ToString(CallFault fault);

/**
 * \brief Where responders differ in what they take for a good Call.
 *
 * Two sets of rules, by name: "rfc8166", as RFC 8166 says, and "linux", as svcrdma of Linux 6.1
 * does (svc_rdma_recvfrom.c, svc_rdma_pcl.c, svc_rdma_rw.c). They differ in this:
 *
 * | condition                            | rfc8166 (section)  | linux                         |
 * |--------------------------------------|--------------------|-------------------------------|
 * | 16 to 27 octets                      | discarded (4.5)    | decoded as far as they go     |
 * | discriminator above 1                | ERR_CHUNK (4.5.2)  | taken for 1                   |
 * | RDMA_NOMSG, all lists empty          | ERR_CHUNK (4.5.2)  | discarded: a Call of 0 octets |
 * | RDMA_NOMSG, chunks, no Position zero | ERR_CHUNK (3.5.3)  | the message follows inline    |
 * | RDMA_NOMSG, octets after the header  | ERR_CHUNK (4.1)    | ignored beside Position zero  |
 * | RDMA_MSG, Position zero              | ERR_CHUNK (3.5.3)  | the chunk is the message      |
 * | Positions do not ascend              | ERR_CHUNK (3.4.5)  | sorted                        |
 * | segments of a Position not together  | ERR_CHUNK (3.4.5)  | put together                  |
 * | rdma_xid is not that of the message  | ERR_CHUNK (4.5.2)  | served                        |
 * | XID in service on the connection     | discarded          | served                        |
 *
 * The model is stricter than Linux in two cases that are undefined there, under both rules: less
 * than 16 octets are discarded (Linux sends ERR_CHUNK made from what the buffer held before); a
 * Position beyond the stream, or in another chunk, gets ERR_CHUNK (Linux does not look).
 *
 * Alike in both: other versions get ERR_VERS; an unknown rdma_proc, RDMA_MSGP, a list that passes
 * the end and a Position that is no multiple of 4 get ERR_CHUNK; RDMA_DONE and RDMA_ERROR are
 * discarded; segments of no octets and Write chunks of no segments are good.
 */
struct CallHeaderRules
{
    uint32_t minimumSize{RpcRdmaHeader::MINIMUM_SIZE}; ///< Octets; shorter ones are discarded.
    bool anyDiscriminator{false};
    bool answerEmptyNomsg{true}; ///< Else discarded.
    bool matchForm{true};        ///< RDMA_NOMSG with, RDMA_MSG without a chunk of Position zero.
    bool ascending{true};
    bool matchXid{true};
    bool discardDuplicates{true};
    bool needsSegments{false}; ///< Write chunks and Reply chunks without segments are BAD_VALUE.

    /// \return the rules of that name, or nothing.
    static std::optional<CallHeaderRules> Create(const std::string& name);
    static std::vector<std::string> GetNames();
};

/// What a responder takes of one Call.
struct CallLimits
{
    RpcRdmaDecodeLimits lists;
    uint32_t readChunks{UINT32_MAX}; ///< Beside the one of Position zero.
    uint64_t readOctets{UINT64_MAX}; ///< In all Read chunks.
};

/// A received message, judged.
struct CheckedCall
{
    CallVerdict verdict{CallVerdict::DISCARD};
    CallFault fault{CallFault::NONE};
    RpcRdmaFixedHeader fixed;     ///< Unless TOO_SHORT.
    RpcRdmaHeader header;         ///< With CALL and REPLY.
    std::size_t payloadOffset{0}; ///< Of what follows the header; with CALL and REPLY.
};

/**
 * \brief Judges the transport headers of what a responder receives, RFC 8166 sections 4.2 to 4.6.
 * Pure: octets in, verdict out.
 */
class CallHeaderCheck
{
  public:
    CallHeaderCheck(const CallHeaderRules& rules, const CallLimits& limits);

    [[nodiscard]] CheckedCall Check(ByteSpan message) const;
    /// Judges the chunks of a good Call against what its program takes and gives.
    /// \return NONE, CALL_TOO_LARGE or REPLY_TOO_LARGE
    [[nodiscard]] static CallFault CheckSizes(const RpcRdmaChunkLists& chunks,
                                              const RpcMessageLimits& program);

  private:
    [[nodiscard]] CallFault CheckForm(const RpcRdmaHeader& header, ByteSpan payload) const;
    [[nodiscard]] CallFault CheckReadList(const std::vector<RpcRdmaReadSegment>& list,
                                          std::size_t inlineLength) const;

    CallHeaderRules m_rules;
    CallLimits m_limits;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_CALL_HEADER_CHECK_H
