/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_MESSAGE_LIMITS_H
#define NFSRDMA_RPC_MESSAGE_LIMITS_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// The largest messages of a program: octets of XDR, RPC headers not counted.
struct RpcMessageLimits
{
    uint64_t arguments{UINT64_MAX};
    uint64_t results{UINT64_MAX};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_MESSAGE_LIMITS_H
