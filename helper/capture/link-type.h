/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_LINK_TYPE_H
#define NFSRDMA_HELPER_CAPTURE_LINK_TYPE_H

#include "helper/capture/frame-miss.h"
#include "wire/bytes.h"

#include <cstdint>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// The network layer of a frame.
struct NetworkLayer
{
    bool ipv6{false};
    ByteSpan octets; ///< From the IP header to the end of the frame.
};

/// \return whether frames of libpcap's \p linkType can be read.
[[nodiscard]] bool IsKnownLinkType(uint32_t linkType);

/// \return the IP packet in \p frame, behind any VLAN tags (IEEE 802.1Q, 802.1ad, and 0x9100), MPLS
/// labels (RFC 3032) and PPPoE (RFC 2516); or why there is none.
[[nodiscard]] tl::expected<NetworkLayer, FrameMiss> FindNetworkLayer(uint32_t linkType,
                                                                     ByteSpan frame);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_LINK_TYPE_H
