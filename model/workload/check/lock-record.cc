/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/lock-record.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ByteVector
MakeLockRecord(uint64_t count, uint32_t octets)
{
    constexpr uint32_t BITS = 8;
    ByteVector record(octets);
    for (uint32_t i = 0; i < octets; ++i)
    {
        const uint32_t shift = BITS * (LOCK_COUNTER_OCTETS - 1 - (i % LOCK_COUNTER_OCTETS));
        record[i] = static_cast<uint8_t>(count >> shift);
    }
    return record;
}

std::optional<uint64_t>
ReadLockRecord(ByteSpan octets)
{
    constexpr uint32_t BITS = 8;
    if (octets.empty())
    {
        return 0;
    }
    uint64_t count = 0;
    for (uint32_t i = 0; i < LOCK_COUNTER_OCTETS && i < octets.size(); ++i)
    {
        count = count << BITS | octets[i];
    }
    const ByteVector whole = MakeLockRecord(count, static_cast<uint32_t>(octets.size()));
    const bool isOne = octets.size() % LOCK_COUNTER_OCTETS == 0 &&
                       std::equal(whole.begin(), whole.end(), octets.begin());
    return isOne ? std::make_optional(count) : std::nullopt;
}

} // namespace ns3::nfsrdma
