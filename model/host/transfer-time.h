/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_TRANSFER_TIME_H
#define NFSRDMA_HOST_TRANSFER_TIME_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// \return time of \p octets at \p rate, rounded up to a nanosecond; none at rate 0.
inline Time
GetTransferTime(uint64_t octets, const DataRate& rate)
{
    constexpr uint64_t BITS_PER_OCTET_NANO = 8000000000;
    const uint64_t bits = rate.GetBitRate();
    return bits == 0 ? Time(0) : NanoSeconds((octets * BITS_PER_OCTET_NANO + bits - 1) / bits);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_TRANSFER_TIME_H
