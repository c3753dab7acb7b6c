/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_RPC_PREFIX_H
#define NFSRDMA_RPC_RPC_PREFIX_H

#include "rpc/rpc-payload.h"
#include "rpc/xdr-writer.h"

namespace ns3::nfsrdma
{

/// \return \p payload after the octets of \p header: an RPC message from its header and what a
/// program has encoded.
[[nodiscard]] inline RpcPayload
Prefix(XdrWriter&& header, RpcPayload&& payload)
{
    const auto length = static_cast<uint32_t>(header.GetSize());
    header.WriteFixedOpaque(payload.octets);
    RpcPayload message;
    message.octets = header.Take();
    message.items = std::move(payload.items);
    for (RpcDataItem& item : message.items)
    {
        item.offset += length;
    }
    return message;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_RPC_PREFIX_H
