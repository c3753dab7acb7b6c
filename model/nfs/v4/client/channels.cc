/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/channels.h"

#include "nfs/v4/client/callback-program.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// NFS_MAX_FILE_IO_SIZE, nfs41_maxwrite_overhead and nfs41_maxread_overhead; the largest reply of a
/// call that is cached.
constexpr uint32_t LINUX_TRANSFER = 1024 * 1024;
constexpr uint32_t WRITE_OVERHEAD = 1044;
constexpr uint32_t READ_OVERHEAD = 904;
constexpr uint32_t FORE_MAX_CACHED = 7584;
constexpr uint32_t FORE_MAX_OPERATIONS = 8;
constexpr uint32_t BACK_MAX_OPERATIONS = 2;

} // namespace

Nfs4ClientChannels
MakeNfs4ClientChannels(uint32_t slots, uint32_t transfer, const RpcReverseLimits& reverse)
{
    const uint32_t data = std::max(transfer, LINUX_TRANSFER);
    Nfs4ClientChannels channels;
    channels.fore.maxRequestSize = data + WRITE_OVERHEAD;
    channels.fore.maxResponseSize = data + READ_OVERHEAD;
    channels.fore.maxResponseSizeCached = FORE_MAX_CACHED;
    channels.fore.maxOperations = FORE_MAX_OPERATIONS;
    channels.fore.maxRequests = slots;
    channels.back.maxRequestSize = reverse.message;
    channels.back.maxResponseSize = reverse.message;
    channels.back.maxOperations = BACK_MAX_OPERATIONS;
    channels.back.maxRequests = std::clamp(reverse.calls, 1U, Nfs4CallbackProgram::SLOTS);
    return channels;
}

} // namespace ns3::nfsrdma
