/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_CHANNELS_H
#define NFSRDMA_NFS_V4_CLIENT_CHANNELS_H

#include "nfs/v4/protocol/session-ops.h"
#include "rpc/client-transport.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a client asks for in CREATE_SESSION.
struct Nfs4ClientChannels
{
    ChannelAttrs4 fore;
    ChannelAttrs4 back;
};

/**
 * \brief The channels that Linux 6.1's client asks for (nfs4_init_channel_attrs()).
 *
 *     fore   requests and responses of the largest transfer and the largest head of a WRITE or
 *            READ; the transfer is 1 MiB, or what a mount of this model wants beyond
 *     back   messages and calls of what the transport takes in the reverse direction, 16 slots at
 *            most: over RPC-over-RDMA no more than fits inline (RFC 8267 section 6.5.2)
 *
 * \param slots of the fore channel
 * \param transfer octets of the largest READ or WRITE
 */
[[nodiscard]] Nfs4ClientChannels MakeNfs4ClientChannels(uint32_t slots,
                                                        uint32_t transfer,
                                                        const RpcReverseLimits& reverse);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_CHANNELS_H
