/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURED_FRAME_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURED_FRAME_H

#include "wire/bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Why a capture cannot be read, or read on.
struct PcapError
{
    enum class Kind
    {
        NOT_A_CAPTURE, ///< The file does not begin like a capture; the reason may say what it is.
        HEADER_CUT,    ///< It ends within the file header.
        FRAME_CUT,     ///< It ends within a frame.
        DAMAGED,       ///< What stands in the place of a frame can be none.
        LINK_TYPE,     ///< Frames of a kind that is not read.
        UNREADABLE,    ///< The file cannot be read.
        TOO_LARGE      ///< It holds more than is kept in memory.
    };

    Kind kind{Kind::NOT_A_CAPTURE};
    uint64_t frame{0};    ///< FRAME_CUT, DAMAGED: its number, from 1.
    uint32_t linkType{0}; ///< LINK_TYPE.
    std::string reason;   ///< NOT_A_CAPTURE, DAMAGED, UNREADABLE, TOO_LARGE: in words.

    /// \return what is wrong and what would help, on one line.
    [[nodiscard]] std::string ToString() const;
};

/// One frame of a capture.
struct CapturedFrame
{
    uint64_t number{0};     ///< From 1, as Wireshark counts.
    int64_t time{0};        ///< ns since the epoch.
    uint32_t linkType{0};   ///< Of libpcap.
    uint32_t wireLength{0}; ///< Octets on the wire without a frame check sequence; more than
                            ///< octets.size() when cut by a snap length.
    ByteSpan octets; ///< Valid until the next frame is read; as long as the file if that is in
                     ///< memory.

    /// Takes a frame check sequence of \p length octets away from the end.
    void RemoveFcs(std::size_t length);
};

/// The next frame; nothing at the end.
using NextFrame = tl::expected<std::optional<CapturedFrame>, PcapError>;

/// Octets of a frame at most: the largest snap length of libpcap and Wireshark, four times over.
constexpr std::size_t MAX_FRAME_OCTETS = std::size_t{1} << 20;
/// Link types are 16 bits wide; what stands above them is the length of the FCS.
constexpr uint32_t LINK_TYPE_MASK = 0xffff;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURED_FRAME_H
