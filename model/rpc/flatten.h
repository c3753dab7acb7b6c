/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_FLATTEN_H
#define NFSRDMA_RPC_FLATTEN_H

#include "rpc/payload.h"

namespace ns3::nfsrdma
{

/// \return the whole un-reduced stream of \p payload, items and pads in their places. \p memory is
/// where the items are; it may be null when there are none.
[[nodiscard]] ByteVector Flatten(const RpcPayload& payload, Ptr<const HostMemory> memory);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_FLATTEN_H
