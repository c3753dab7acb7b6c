/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "captured-frame.h"

#include <algorithm>

namespace ns3::nfsrdma
{

std::string
PcapError::ToString() const
{
    switch (kind)
    {
    case Kind::NOT_A_CAPTURE:
        return reason.empty() ? "not a capture: a pcap or pcapng file, plain or gzip, is expected"
                              : reason;
    case Kind::HEADER_CUT:
        return "the capture is cut short within its file header";
    case Kind::FRAME_CUT:
        return "the capture is cut short within frame " + std::to_string(frame);
    case Kind::DAMAGED:
        return "the capture is damaged at frame " + std::to_string(frame) + ": " + reason;
    case Kind::LINK_TYPE:
        return "link type " + std::to_string(linkType) +
               " is not read; known are Ethernet (1), Linux cooked (113, 276), raw IP (101), PPP "
               "(9) and loopback (0)";
    case Kind::UNREADABLE:
    case Kind::TOO_LARGE:
        return reason;
    }
    return "unreadable";
}

void
CapturedFrame::RemoveFcs(std::size_t length)
{
    wireLength -= static_cast<uint32_t>(std::min<std::size_t>(length, wireLength));
    octets = octets.first(std::min<std::size_t>(octets.size(), wireLength));
}

} // namespace ns3::nfsrdma
