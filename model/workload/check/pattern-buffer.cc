/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/pattern-buffer.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

void
FillBuffer(HostBuffer& buffer, const ContentPattern& pattern, uint64_t offset, uint32_t count)
{
    constexpr uint32_t PIECE = 4096;
    std::array<uint8_t, PIECE> piece;
    for (uint32_t done = 0; done < count;)
    {
        const MutableByteSpan octets(piece.data(), std::min(PIECE, count - done));
        pattern.Fill(offset + done, octets);
        buffer.Write(done, octets);
        done += static_cast<uint32_t>(octets.size());
    }
}

} // namespace ns3::nfsrdma
