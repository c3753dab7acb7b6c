/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_STAGE_TIMES_H
#define NFSRDMA_RNIC_HARDWARE_STAGE_TIMES_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a post brings to the device, in octets but for the first.
struct PostedWork
{
    uint32_t requests{0};
    uint64_t descriptors{0}; ///< Of the work requests as the device reads them.
    uint64_t inlineData{0};  ///< Copied into them.
    bool pushed{false};      ///< Written to the device with the doorbell, nothing to fetch.
};

/// How far a post has come when.
struct PostTimes
{
    Time posted;  ///< The thread is through with the call.
    Time rung;    ///< The device knows of it.
    Time fetched; ///< The device has the work requests.
};

/// From a work request that may start to its first FPDU, all idle.
struct StartCosts
{
    Time context; ///< To have the context of the queue pair at hand.
    Time engine;
    Time gather; ///< To fetch the payload of the first FPDU.

    [[nodiscard]] Time GetSum() const
    {
        return context + engine + gather;
    }
};

/// An FPDU, as the engines see it; octets.
struct FpduSize
{
    uint32_t payload{0}; ///< From or to host memory.
    uint32_t crc{0};     ///< Under its CRC; 0 without one.
};

/// The way of an arrived FPDU into host memory.
struct ReceiveTimes
{
    Time arrived;
    Time handled; ///< The receive engine is through with it.
    Time miss;    ///< How much of that was for contexts.
    Time done;    ///< It is in host memory, and so is all before it of its queue pair.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_STAGE_TIMES_H
