/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_LACPDU_H
#define NFSRDMA_LINK_LACPDU_H

#include "wire/bytes.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// What one end of a link says of a port: IEEE 802.1AX-2008 section 5.4.2.2.
struct LacpPortInfo
{
    // Bits of the state.
    static constexpr uint8_t ACTIVITY = 0x01;     ///< Speaks unasked.
    static constexpr uint8_t TIMEOUT = 0x02;      ///< Short: wants to hear every second.
    static constexpr uint8_t AGGREGATION = 0x04;  ///< May be one of several.
    static constexpr uint8_t SYNC = 0x08;         ///< Belongs to the right aggregate.
    static constexpr uint8_t COLLECTING = 0x10;   ///< Takes frames.
    static constexpr uint8_t DISTRIBUTING = 0x20; ///< Sends frames.
    static constexpr uint8_t DEFAULTED = 0x40;    ///< Has not heard its partner.
    static constexpr uint8_t EXPIRED = 0x80;      ///< Has not heard it of late.

    uint16_t systemPriority{0};
    std::array<uint8_t, 6> system{};
    uint16_t key{0}; ///< Ports with the same may be aggregated.
    uint16_t portPriority{0};
    uint16_t port{0};
    uint8_t state{0};

    [[nodiscard]] bool Has(uint8_t bits) const
    {
        return (state & bits) == bits;
    }

    void Set(uint8_t bits, bool to)
    {
        state = static_cast<uint8_t>(to ? state | bits : state & ~bits);
    }

    /// \return whether \p other is the same port with the same key, priorities and \p bits of the
    /// state.
    [[nodiscard]] bool IsLike(const LacpPortInfo& other, uint8_t bits) const;
};

/**
 * \brief A frame of the Link Aggregation Control Protocol, IEEE 802.1AX-2008 section 5.4.2, version
 * 1.
 *
 *     destination 6, 01-80-C2-00-00-02 | source 6 | 0x8809 2 | subtype 1, 1 | version 1
 *     actor      type 1, length 20 | system priority 2 | system 6 | key 2 | port priority 2 |
 *                port 2 | state 1 | reserved 3
 *     partner    type 2, length 20 | as of the actor
 *     collector  type 3, length 16 | delay 2, in units of 10 us | reserved 12
 *     terminator type 0, length 0 | reserved 50
 *
 * What is reserved is sent as zero and not looked at. A later version is read as version 1.
 */
struct Lacpdu
{
    static constexpr uint32_t SIZE = 124; ///< Without FCS, as all frames here.
    static constexpr uint8_t VERSION = 1;

    std::array<uint8_t, 6> source{};
    uint8_t version{VERSION};
    LacpPortInfo actor;
    LacpPortInfo partner;
    uint16_t collectorDelay{0};

    /// \param frame SIZE octets
    void Encode(MutableByteSpan frame) const;
    /// \return nothing when \p frame is none, is too short, or has other parts.
    [[nodiscard]] static std::optional<Lacpdu> Decode(ByteSpan frame);
    /// \return whether \p frame is for the group address of the slow protocols, which no bridge
    /// passes on (IEEE 802.1Q table 8-1).
    [[nodiscard]] static bool IsSlowProtocol(ByteSpan frame);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_LACPDU_H
