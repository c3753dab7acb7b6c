/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_TRANSPORT_HEADER_H
#define NFSRDMA_RPCRDMA_MESSAGE_TRANSPORT_HEADER_H

#include "ddp/segment-header.h"
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/decode-error.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// rdma_proc, RFC 8166 section 4.2.4.
enum class RpcRdmaProc : uint32_t
{
    MSG = 0,   ///< An RPC message follows the header.
    NOMSG = 1, ///< The RPC message is in a chunk.
    MSGP = 2,  ///< Obsolete: padded message.
    DONE = 3,  ///< Obsolete: end of a Read-Read exchange.
    ERROR = 4
};

const char* ToString(RpcRdmaProc proc);

/// rdma_err, RFC 8166 section 4.5.
enum class RpcRdmaErrorCode : uint32_t
{
    ERR_VERS = 1,
    ERR_CHUNK = 2
};

/// A plain segment (rdma_segment): handle, length, offset; 16 octets.
struct RpcRdmaSegment
{
    static constexpr uint32_t SIZE = 16;

    Stag handle{0};
    uint32_t length{0};
    uint64_t offset{0};

    bool operator==(const RpcRdmaSegment& other) const
    {
        return handle == other.handle && length == other.length && offset == other.offset;
    }
};

/// A Read segment: its Position in the un-reduced XDR stream, and the memory; 20 octets.
struct RpcRdmaReadSegment
{
    static constexpr uint32_t SIZE = 20;

    uint32_t position{0};
    RpcRdmaSegment target;

    bool operator==(const RpcRdmaReadSegment& other) const
    {
        return position == other.position && target == other.target;
    }
};

/// A Write chunk or a Reply chunk: a counted array of plain segments.
using RpcRdmaWriteChunk = std::vector<RpcRdmaSegment>;

/// \return octets of all segments of \p chunk.
uint64_t GetChunkLength(const RpcRdmaWriteChunk& chunk);

/// The chunk lists of RDMA_MSG, RDMA_NOMSG and RDMA_MSGP, RFC 8166 section 4.3.
struct RpcRdmaChunkLists
{
    std::vector<RpcRdmaReadSegment> readList;
    std::vector<RpcRdmaWriteChunk> writeList;
    std::optional<RpcRdmaWriteChunk> replyChunk;

    [[nodiscard]] uint32_t GetEncodedSize() const;

    [[nodiscard]] bool IsEmpty() const
    {
        return readList.empty() && writeList.empty() && !replyChunk;
    }

    /// \return whether a segment has \p handle.
    [[nodiscard]] bool Names(Stag handle) const;
    /// \return whether a chunk of the Write list has no segments.
    [[nodiscard]] bool HasEmptyWriteChunk() const;
};

/// What a decoder accepts before it allocates anything.
struct RpcRdmaDecodeLimits
{
    uint32_t readSegments{1024};  ///< In the whole Read list.
    uint32_t writeChunks{64};     ///< In the Write list.
    uint32_t chunkSegments{1024}; ///< In one Write or Reply chunk.
    bool anyDiscriminator{false}; ///< Takes every word but 0 for 1, as Linux's decoders do.
};

/// The first four words of every message.
struct RpcRdmaFixedHeader
{
    static constexpr uint32_t SIZE = 16;

    uint32_t xid{0};
    uint32_t version{1};
    uint32_t credit{0};
    uint32_t proc{0};

    void Encode(ByteWriter& writer) const;
    /// TRUNCATED, or the words as they stand: nothing is judged.
    [[nodiscard]] static Decoded<RpcRdmaFixedHeader> Decode(ByteReader& reader);
};

/**
 * \brief The transport header of RPC-over-RDMA version 1, RFC 8166 section 4.
 *
 *     | xid | vers | credit | proc | body by proc |
 *     MSG, NOMSG: Read list, Write list, Reply chunk
 *     MSGP:       align, thresh, Read list, Write list, Reply chunk
 *     DONE:       empty
 *     ERROR:      ERR_VERS low high, or ERR_CHUNK
 */
struct RpcRdmaHeader
{
    static constexpr uint32_t VERSION = 1;
    /// Octets of RDMA_MSG without chunks.
    static constexpr uint32_t MINIMUM_SIZE = 28;

    uint32_t xid{0};
    uint32_t version{VERSION}; ///< In RDMA_ERROR the version word that was received.
    uint32_t credit{0};        ///< Requested in Calls, granted in Replies.
    RpcRdmaProc proc{RpcRdmaProc::MSG};
    uint32_t align{0};  ///< MSGP.
    uint32_t thresh{0}; ///< MSGP.
    RpcRdmaChunkLists chunks;
    RpcRdmaErrorCode error{RpcRdmaErrorCode::ERR_CHUNK}; ///< ERROR.
    uint32_t versionLow{VERSION};                        ///< ERROR with ERR_VERS.
    uint32_t versionHigh{VERSION};                       ///< ERROR with ERR_VERS.

    [[nodiscard]] uint32_t GetEncodedSize() const;
    void Encode(ByteWriter& writer) const;

    /**
     * \brief Decodes a header; \p reader stands at the payload afterwards.
     *
     * TRUNCATED; BAD_VERSION unless rdma_vers is 1 (any version in RDMA_ERROR); BAD_VALUE for an
     * unknown rdma_proc or error code, a discriminator that is neither 0 nor 1, a Position that is
     * not a multiple of 4; TOO_LONG beyond \p limits.
     */
    [[nodiscard]] static Decoded<RpcRdmaHeader> Decode(ByteReader& reader,
                                                       const RpcRdmaDecodeLimits& limits = {});
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_TRANSPORT_HEADER_H
