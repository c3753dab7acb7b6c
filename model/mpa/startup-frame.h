/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_STARTUP_FRAME_H
#define NFSRDMA_MPA_STARTUP_FRAME_H

#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The first four octets of private data in an enhanced (revision 2) startup frame.
 *
 * RFC 6581 section 9. Layout: IRD word (0x8000 peer-to-peer, 0x4000 RTR by Send, 0x3fff IRD), ORD
 * word (0x8000 RTR by Write, 0x4000 RTR by Read, 0x3fff ORD).
 */
struct MpaEnhancedBlock
{
    static constexpr std::size_t SIZE = 4;
    /// Value of ird or ord that leaves the negotiation to the consumers.
    static constexpr uint16_t NO_NEGOTIATION = 0x3fff;

    bool peerToPeer{false};
    bool rtrSend{false};
    bool rtrWrite{false};
    bool rtrRead{false};
    uint16_t ird{0}; ///< Inbound RDMA Reads the sender of the frame can hold, 0 to 0x3fff.
    uint16_t ord{0}; ///< Outbound RDMA Reads the sender of the frame wants, 0 to 0x3fff.
};

/**
 * \brief An MPA Request or Reply frame, RFC 5044 section 7.1.1 and RFC 6581 section 9.
 *
 *     0        16      17     18           20
 *     | key 16 | flags | rev  | PD_Length  | private data, 0 to 512 octets
 */
struct MpaStartupFrame
{
    static constexpr std::size_t HEADER_SIZE = 20;
    static constexpr std::size_t MAX_PRIVATE_DATA = 512;

    enum class Kind
    {
        REQUEST,
        REPLY
    };

    Kind kind{Kind::REQUEST};
    bool markers{false};    ///< M: the sender of the frame wants to receive markers.
    bool crc{false};        ///< C: the sender of the frame asks for CRCs in both directions.
    bool rejected{false};   ///< R: the connection is refused (Reply only).
    bool enhanced{false};   ///< S: the private data begins with an MpaEnhancedBlock.
    uint8_t revision{1};    ///< 0 RDMA Consortium, 1 RFC 5044, 2 RFC 6581.
    ByteVector privateData; ///< All private data, an enhanced block included.

    /// \return octets that Encode() produces.
    [[nodiscard]] std::size_t EncodedSize() const
    {
        return HEADER_SIZE + privateData.size();
    }

    [[nodiscard]] ByteVector Encode() const;

    /**
     * \brief Octets of the whole frame, once its fixed header has arrived.
     * \param octets what has arrived so far
     * \return nothing while the header is incomplete; BAD_VALUE for a wrong key; TOO_LONG for
     * PD_Length above 512; else the size of the frame
     */
    [[nodiscard]] static Decoded<std::optional<std::size_t>> FrameSize(ByteSpan octets, Kind kind);

    /// Decodes one whole frame and nothing more. Reserved bits are ignored (RFC 5044 7.1.1).
    [[nodiscard]] static Decoded<MpaStartupFrame> Decode(ByteSpan octets, Kind kind);

    /// \return the enhanced block; TRUNCATED when S is set with fewer than four octets; BAD_VALUE
    /// when S is not set.
    [[nodiscard]] Decoded<MpaEnhancedBlock> GetEnhancedBlock() const;
    /// Sets S and puts \p block before \p consumerData.
    void SetEnhancedPrivateData(const MpaEnhancedBlock& block, ByteSpan consumerData);
    /// \return the private data meant for the consumer: without the enhanced block, if any.
    [[nodiscard]] ByteSpan GetConsumerPrivateData() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_STARTUP_FRAME_H
