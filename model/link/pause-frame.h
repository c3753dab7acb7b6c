/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_PAUSE_FRAME_H
#define NFSRDMA_LINK_PAUSE_FRAME_H

#include "wire/bytes.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// How the two ends of a cable keep each other from sending.
enum class FlowControl : uint8_t
{
    NONE,
    PAUSE, ///< IEEE 802.3 Annex 31B: all frames.
    PFC,   ///< IEEE 802.1Qbb (802.3 Annex 31D): frames of a priority. Without tag that is 0.
};

/**
 * \brief A MAC Control frame that asks the other end of a cable to pause, or to go on.
 *
 *     destination 6, 01-80-C2-00-00-01 | source 6 | 0x8808 2 | opcode 2
 *     PAUSE, opcode 0x0001:  time 2 | zero 42
 *     PFC, opcode 0x0101:    priorities enabled 2 | time of each of eight, 16 | zero 26
 *
 * Times are in quanta of 512 bit times.
 */
struct PauseFrame
{
    static constexpr uint32_t SIZE = 60; ///< Without FCS, as all frames here.
    static constexpr uint16_t MOST_QUANTA = 0xffff;
    static constexpr uint32_t QUANTUM_BITS = 512;

    FlowControl kind{FlowControl::PAUSE}; ///< Not NONE.
    std::array<uint8_t, 6> source{};
    uint16_t quanta{0}; ///< Of all frames, or of priority 0; 0: go on.

    /// \param frame SIZE octets
    void Encode(MutableByteSpan frame) const;
    /// \return nothing when \p frame is none of these; of PFC, when it does not speak of priority
    /// 0.
    [[nodiscard]] static std::optional<PauseFrame> Decode(ByteSpan frame);
    /// \return whether \p frame is of MAC Control, which no station and no bridge passes on.
    [[nodiscard]] static bool IsMacControl(ByteSpan frame);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_PAUSE_FRAME_H
