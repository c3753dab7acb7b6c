/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/tcp-header-start.h"

#include <array>

namespace ns3::nfsrdma
{

TcpHeaderStart::TcpHeaderStart(const Packet& segment)
{
    std::array<uint8_t, 14> octets{};
    segment.CopyData(octets.data(), octets.size());
    const auto word = [&octets](std::size_t at) {
        return SequenceNumber32(static_cast<uint32_t>(octets[at]) << 24 |
                                static_cast<uint32_t>(octets[at + 1]) << 16 |
                                static_cast<uint32_t>(octets[at + 2]) << 8 | octets[at + 3]);
    };
    sequence = word(4);
    acknowledgment = word(8);
    headerSize = (octets[12] >> 4) * 4U;
    flags = octets[13] & ~OTHER_FLAGS;
    payload = segment.GetSize() > headerSize ? segment.GetSize() - headerSize : 0;
}

} // namespace ns3::nfsrdma
