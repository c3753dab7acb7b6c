/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_TERMINATE_MESSAGE_H
#define NFSRDMA_RDMAP_TERMINATE_MESSAGE_H

#include "ddp/buffer-error.h"
#include "mpa/connection-error.h"
#include "rdmap/read-request.h"

#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// RDMAP errors, RFC 5040 section 4.8; the value is (error type << 8 | error code), layer 0.
enum class RdmapError : uint16_t
{
    LOCAL_CATASTROPHIC = 0x000,
    PROTECTION_INVALID_STAG = 0x100,
    PROTECTION_BOUNDS = 0x101,
    PROTECTION_ACCESS = 0x102,
    PROTECTION_NOT_ASSOCIATED = 0x103,
    PROTECTION_WRAP = 0x104,
    PROTECTION_CANNOT_INVALIDATE = 0x109,
    PROTECTION_UNSPECIFIED = 0x1ff,
    OPERATION_VERSION = 0x205,
    OPERATION_UNEXPECTED_OPCODE = 0x206,
    OPERATION_CATASTROPHIC_STREAM = 0x207,
    OPERATION_CATASTROPHIC_GLOBAL = 0x208,
    OPERATION_CANNOT_INVALIDATE = 0x209,
    OPERATION_UNSPECIFIED = 0x2ff,
};

/// The three fields that say what went wrong: layer (0 RDMAP, 1 DDP, 2 LLP), error type, code.
struct TerminateReason
{
    uint8_t layer{0};
    uint8_t errorType{0};
    uint8_t errorCode{0};

    static TerminateReason From(RdmapError error);
    static TerminateReason From(DdpError error);
    static TerminateReason From(MpaError error);

    bool operator==(const TerminateReason& other) const
    {
        return layer == other.layer && errorType == other.errorType && errorCode == other.errorCode;
    }

    /// \return "layer/type/code" with a name, for example "1/2/02 no buffer".
    [[nodiscard]] std::string ToString() const;
};

/**
 * \brief Payload of a Terminate message, RFC 5040 section 4.8.
 *
 *     | layer:4 type:4 | code 8 | M D R reserved 13 | [DDP segment length 2] [DDP header 14 or 18]
 *     [Read Request header 28] |
 *
 * The length is there when M or D is set.
 */
struct TerminateMessage
{
    TerminateReason reason;
    std::optional<uint16_t> segmentLength;      ///< M: ULPDU_Length of the segment at fault.
    std::optional<DdpHeader> ddpHeader;         ///< D: its DDP header.
    std::optional<RdmaReadRequest> readRequest; ///< R: its RDMAP header.

    [[nodiscard]] uint32_t EncodedSize() const;
    void Encode(ByteWriter& writer) const;
    /**
     * \return the message, or TRUNCATED. The DDP header attached may be of any version. Octets
     * after the copies announced are ignored: Linux's siw has the two halves of the first octet and
     * the places of M, D and R the other way round, so that its copies are not announced.
     */
    [[nodiscard]] static Decoded<TerminateMessage> Decode(ByteSpan payload);
    /// \return the reason alone, of a message that may be cut short after it; TRUNCATED.
    [[nodiscard]] static Decoded<TerminateReason> DecodeReason(ByteSpan payload);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_TERMINATE_MESSAGE_H
