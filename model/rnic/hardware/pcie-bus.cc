/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/pcie-bus.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t TICKS_PER_NANOSECOND = 1000;

int64_t
ToTicks(uint64_t octets, uint64_t bitRate)
{
    constexpr uint64_t BITS_PER_OCTET_NANO = 8000000000;
    constexpr uint64_t MOST_AT_ONCE = 2'000'000; // More octets overflow 64 bits.
    if (octets <= MOST_AT_ONCE)
    {
        return static_cast<int64_t>(
            (octets * BITS_PER_OCTET_NANO * TICKS_PER_NANOSECOND + bitRate - 1) / bitRate);
    }
    const uint64_t whole = octets * BITS_PER_OCTET_NANO / bitRate;
    const uint64_t rest = octets * BITS_PER_OCTET_NANO % bitRate;
    return static_cast<int64_t>(whole * TICKS_PER_NANOSECOND +
                                (rest * TICKS_PER_NANOSECOND + bitRate - 1) / bitRate);
}

} // namespace

Time
PcieBus::Transfer(Direction direction,
                  Time now,
                  Time earliest,
                  uint64_t octets,
                  const DataRate& rate)
{
    Lane& lane = m_lanes.at(static_cast<std::size_t>(direction));
    lane.octets += octets;
    const uint64_t bitRate = rate.GetBitRate();
    if (octets == 0 || bitRate == 0)
    {
        return std::max(now, earliest);
    }
    const int64_t duration = ToTicks(octets, bitRate);
    lane.busy += duration;
    const int64_t end = lane.calendar.Reserve(now.GetNanoSeconds() * TICKS_PER_NANOSECOND,
                                              earliest.GetNanoSeconds() * TICKS_PER_NANOSECOND,
                                              duration);
    return NanoSeconds((end + TICKS_PER_NANOSECOND - 1) / TICKS_PER_NANOSECOND);
}

Time
PcieBus::GetBusy(Direction direction) const
{
    return NanoSeconds(m_lanes.at(static_cast<std::size_t>(direction)).busy / TICKS_PER_NANOSECOND);
}

} // namespace ns3::nfsrdma
