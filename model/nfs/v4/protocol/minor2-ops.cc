/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/minor2-ops.h"

#include <algorithm>

namespace ns3::nfsrdma
{

uint32_t
ReadPlusRes4::Place(uint64_t offset,
                    uint32_t count,
                    const std::function<void(uint64_t position, ByteSpan octets)>& take) const
{
    uint64_t reached = 0;
    for (const auto& content : contents)
    {
        const bool isHole = content.type == DataContent4::HOLE;
        const uint64_t length = isHole ? content.length : content.data.size();
        if (content.offset < offset || content.offset - offset >= count)
        {
            continue;
        }
        const uint64_t position = content.offset - offset;
        const auto within = static_cast<std::size_t>(std::min(length, count - position));
        const ByteVector zeros(isHole ? within : 0);
        take(position, isHole ? ByteSpan(zeros) : ByteSpan(content.data).first(within));
        reached = std::max(reached, position + within);
    }
    return static_cast<uint32_t>(reached);
}

} // namespace ns3::nfsrdma
