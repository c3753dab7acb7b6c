/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_IPV4_FRAME_HEAD_H
#define NFSRDMA_LINK_IPV4_FRAME_HEAD_H

#include "link/ethernet-numbers.h"
#include "wire/bytes.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The headers before TCP, at once: Ethernet and an IPv4 header without options (RFC 791).
 *
 *     destination 6 | source 6 | 0x0800 | 0x45 | type of service | total length 2 |
 *     identification 2 | flags and offset 2 | time to live | protocol | checksum 2 | addresses 8
 */
struct Ipv4FrameHead
{
    static constexpr std::size_t ETHERNET_SIZE = 14;
    static constexpr std::size_t IPV4_SIZE = 20;
    static constexpr std::size_t SIZE = ETHERNET_SIZE + IPV4_SIZE;
    static constexpr uint16_t DONT_FRAGMENT = 0x4000;

    using HardwareAddress = std::array<uint8_t, ETHERNET_ADDRESS_SIZE>;

    HardwareAddress hardwareDestination{};
    HardwareAddress hardwareSource{};
    uint8_t typeOfService{0};
    uint16_t totalLength{0}; ///< Of the IPv4 packet, its header included.
    uint16_t identification{0};
    uint16_t fragmentFlags{0}; ///< DONT_FRAGMENT or none: never a fragment.
    uint8_t timeToLive{0};
    uint8_t protocol{0};
    uint16_t checksum{0}; ///< Of the IPv4 header; ns-3 leaves it zero without ChecksumEnabled.
    uint32_t source{0};
    uint32_t destination{0};

    /// \return the right checksum, whatever is in the field.
    [[nodiscard]] uint16_t ComputeChecksum() const;

    /// Writes it at the beginning of \p frame, SIZE octets or more.
    void Encode(MutableByteSpan frame) const;
    /**
     * \param frame the beginning of a frame, SIZE octets or more
     * \return null when it is too short, or is not IPv4, has options, is a fragment or says that it
     * is shorter than its header; the checksum is not looked at
     */
    static std::optional<Ipv4FrameHead> Decode(ByteSpan frame);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_IPV4_FRAME_HEAD_H
