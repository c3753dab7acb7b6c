/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_MESSAGE_SIZE_H
#define NFSRDMA_HELPER_RPC_MESSAGE_SIZE_H

#include "rpc/record.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// \return octets of the un-reduced RPC call (what Linux counts as bytes sent): the Send without
/// its transport header (RFC 8166 section 4), and the octets of the Read chunks with their pad.
uint64_t GetCallMessageSize(const RpcRecord& record);

/// \return octets of the un-reduced RPC reply; 0 when there was none.
uint64_t GetReplyMessageSize(const RpcRecord& record);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_MESSAGE_SIZE_H
