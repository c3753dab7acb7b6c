/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_RPC_NAMER_H
#define NFSRDMA_FAULT_RPC_NAMER_H

#include "fault/frame-event.h"
#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/// \return the program and the procedure, or operations, of \p call, an RPC message of which the
/// end may be missing. Operations of a COMPOUND are named up to the first that cannot be decoded,
/// that one included; none where krb5p hides them.
[[nodiscard]] RpcName NameRpcCall(ByteSpan call);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_RPC_NAMER_H
