/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/flatten.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ByteVector
Flatten(const RpcPayload& payload, Ptr<const HostMemory> memory)
{
    NS_ASSERT_MSG(payload.items.empty() || memory, "items without memory");
    ByteVector stream(payload.GetLength());
    const MutableByteSpan whole(stream);
    std::size_t position = 0;
    uint32_t taken = 0;
    const auto copy = [&](uint32_t end) {
        std::copy(payload.octets.begin() + taken,
                  payload.octets.begin() + end,
                  stream.begin() + static_cast<std::ptrdiff_t>(position));
        position += end - taken;
        taken = end;
    };
    for (const RpcDataItem& item : payload.items)
    {
        copy(item.offset);
        if (item.length > 0)
        {
            memory->Read(item.address, whole.subspan(position, item.length));
        }
        position += RoundUp4(item.length);
    }
    if (taken < payload.octets.size())
    {
        copy(static_cast<uint32_t>(payload.octets.size()));
    }
    return stream;
}

} // namespace ns3::nfsrdma
