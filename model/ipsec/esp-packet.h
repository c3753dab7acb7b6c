/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_ESP_PACKET_H
#define NFSRDMA_IPSEC_ESP_PACKET_H

#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief An ESP packet (RFC 4303 section 2) with the initialization vector and the integrity check
 * value of AES-GCM (RFC 4106 sections 3 and 4), as it stands behind an IP header:
 *
 *     SPI 4 | sequence number 4 | IV 8 | ciphertext, a multiple of 4, at least 4 | ICV 16
 *
 * Its spans are of the octets decoded, or of those to be encoded.
 */
struct EspPacket
{
    static constexpr std::size_t HEADER_SIZE = 8;
    static constexpr std::size_t IV_SIZE = 8;
    static constexpr std::size_t ICV_SIZE = 16;
    /// Octets besides the ciphertext.
    static constexpr std::size_t FIXED_SIZE = HEADER_SIZE + IV_SIZE + ICV_SIZE;
    static constexpr std::size_t ALIGNMENT = 4;

    uint32_t spi{0};      ///< Never 0 on the wire (RFC 4303 section 2.1).
    uint32_t sequence{0}; ///< The low half of an extended one.
    uint64_t iv{0};
    ByteSpan ciphertext;
    ByteSpan icv; ///< ICV_SIZE octets.

    [[nodiscard]] std::size_t GetSize() const
    {
        return FIXED_SIZE + ciphertext.size();
    }

    /// Writes it at the beginning of \p octets, GetSize() or more. The ciphertext and the ICV may
    /// be in their places there already.
    void Encode(MutableByteSpan octets) const;
    /// \return TRUNCATED when \p octets are too few for any; BAD_VALUE for SPI 0, and for a
    /// ciphertext that does not end on a word.
    static Decoded<EspPacket> Decode(ByteSpan octets);
};

/**
 * \brief What an ESP packet hides (RFC 4303 sections 2.3 to 2.6):
 *
 *     payload | padding 1, 2, 3, ... (0 to 255) | pad length 1 | next header 1
 */
struct EspPlaintext
{
    static constexpr std::size_t TRAILER_SIZE = 2; ///< Pad length and next header.
    /// Next header of a dummy packet, which is to be dropped in silence (RFC 4303 section 2.6).
    static constexpr uint8_t NO_NEXT_HEADER = 59;

    ByteSpan payload;
    uint8_t padLength{0};
    uint8_t nextHeader{0};

    /// \return the least padding that ends \p payload octets and the trailer on a word.
    static constexpr uint8_t GetLeastPadding(std::size_t payload)
    {
        return static_cast<uint8_t>(Pad4(static_cast<uint32_t>(payload + TRAILER_SIZE)));
    }

    [[nodiscard]] std::size_t GetSize() const
    {
        return payload.size() + padLength + TRAILER_SIZE;
    }

    /// Writes it at the beginning of \p octets, GetSize() or more, where the payload may be
    /// already.
    void Encode(MutableByteSpan octets) const;
    /// \return TRUNCATED when there is no room for the trailer or for as much padding as it says;
    /// BAD_VALUE when the padding is not 1, 2, 3, ...
    static Decoded<EspPlaintext> Decode(ByteSpan octets);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_ESP_PACKET_H
