/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_TCP_SEGMENT_H
#define NFSRDMA_HELPER_CAPTURE_TCP_SEGMENT_H

#include "link-type.h"
#include "pcap-reader.h"

#include <array>
#include <string>

namespace ns3::nfsrdma
{

/// One end of a TCP connection.
struct TcpEndpoint
{
    bool ipv6{false};
    std::array<uint8_t, 16> address{}; ///< The first four octets for IPv4.
    uint16_t port{0};

    bool operator==(const TcpEndpoint& other) const;
    bool operator<(const TcpEndpoint& other) const;
    /// \return "10.0.0.1:20049" or "[fd00::1]:20049".
    [[nodiscard]] std::string ToString() const;
};

/// A TCP segment as a capture has it. Checksums are not looked at: offloads leave them unfilled.
struct CapturedSegment
{
    TcpEndpoint source;
    TcpEndpoint destination;
    uint32_t sequence{0};
    bool syn{false};
    bool fin{false};
    bool rst{false};
    bool ack{false};
    ByteSpan payload;      ///< Within the frame.
    uint32_t cutOctets{0}; ///< Payload octets that the capture has not kept (snap length).
};

/// \return the segment in \p frame, or why there is none: IP fragments are not put together.
[[nodiscard]] tl::expected<CapturedSegment, FrameMiss> DecodeTcpSegment(uint32_t linkType,
                                                                        const CapturedFrame& frame);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_TCP_SEGMENT_H
