/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_MESSAGE_READ_CHUNK_EXTENSION_H
#define NFSRDMA_RPCRDMA_MESSAGE_READ_CHUNK_EXTENSION_H

#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Connection-manager private data by which two peers agree on responder-provided Read
 * chunks, and on message continuation for replies (RpcRdmaContinuation): an extension of this
 * project, a message of its own behind that of RFC 8797 (section 6 there names a format with a
 * different identifier as one way to extend).
 *
 *     | format identifier 9d3c51a7 | version 1 | flags | receives (2 octets) |
 *
 * Flags: 0x01 pulls replies as requester; 0x02 provides Read chunks as responder; 0x04 notices of
 * pull completion may ride on Calls; 0x08 notices may invalidate a tag of the chunk, set by a side
 * whose R flag is set only, since both must have announced remote invalidation (section 4.1.4);
 * 0x10 takes, or sends, replies in parts. The
 * client of a connection sends it in the MPA Request; a server sends it in its Reply to a client
 * that did.
 *
 * The identifier of RFC 8797, f6ab0e18, cannot begin inside the message: no octet before the last
 * three can be f6.
 */
struct ReadChunkExtension
{
    static constexpr uint32_t SIZE = 8;
    static constexpr uint32_t FORMAT_IDENTIFIER = 0x9d3c51a7;
    static constexpr uint8_t VERSION = 1;
    static constexpr uint8_t FLAG_REQUESTER = 0x01;
    static constexpr uint8_t FLAG_RESPONDER = 0x02;
    static constexpr uint8_t FLAG_PIGGYBACK = 0x04;
    static constexpr uint8_t FLAG_REMOTE_INVALIDATION = 0x08;
    static constexpr uint8_t FLAG_CONTINUATION = 0x10;

    bool requester{false};          ///< Pulls replies that come as Read chunks.
    bool responder{false};          ///< Provides Read chunks for large replies.
    bool piggyback{false};          ///< Sends, or takes, notices with a Call.
    bool remoteInvalidation{false}; ///< Sends, or takes, notices with Invalidate.
    bool continuation{false};       ///< Takes, or sends, replies in parts.
    /// Receives that a responder keeps for RDMA_DONE besides those of credits; at least 1 with
    /// responder set. 0 from a requester.
    uint16_t doneReceives{0};
    /// Receives that a requester keeps for the reply to each call; at least 2 with continuation
    /// set. 0 from a responder.
    uint16_t replyMessages{0};

    [[nodiscard]] ByteVector Encode() const;
    /// \return whether a device that carries \p maximum octets has room for it behind RFC 8797's.
    static bool Fits(uint32_t maximum);

    /**
     * \brief Finds and decodes the message at any offset of \p privateData.
     *
     * TRUNCATED when there is none, or it is cut short; BAD_VERSION when its version is unknown;
     * BAD_VALUE for a responder without DONE receives. Without the flag of a responder the receives
     * are those for replies. The peer then counts as one that sent none.
     */
    [[nodiscard]] static Decoded<ReadChunkExtension> Decode(ByteSpan privateData);
};

/// What holds on a connection for replies from \e responder to \e requester.
struct ReadChunkAgreement
{
    bool active{false};
    bool piggyback{false};
    bool remoteInvalidation{false};
    uint32_t doneReceives{0};

    /// Everything needs both: a flag that only one side has set does not hold.
    static ReadChunkAgreement Agree(const ReadChunkExtension& requester,
                                    const ReadChunkExtension& responder);
};

/// \return Sends that a reply from \e responder to \e requester may take; 1 unless both agree on
/// message continuation.
uint32_t AgreeOnReplyMessages(const ReadChunkExtension& requester,
                              const ReadChunkExtension& responder);

/// \return the extension of a peer, or one without a flag when it sent none.
ReadChunkExtension DecodeReadChunkExtensionOrNone(ByteSpan privateData);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_MESSAGE_READ_CHUNK_EXTENSION_H
