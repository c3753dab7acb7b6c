/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_PREFIX_H
#define NFSRDMA_RPC_PREFIX_H

#include "rpc/payload.h"
#include "rpc/xdr-writer.h"

namespace ns3::nfsrdma
{

/// \return \p payload after the octets of \p header: an RPC message from its header and what a
/// program has encoded. \p headerRoom is what a buffer must have for the header, if the program
/// says what it must have for the rest.
[[nodiscard]] inline RpcPayload
Prefix(XdrWriter&& header, RpcPayload&& payload, uint32_t headerRoom = 0)
{
    const auto length = static_cast<uint32_t>(header.GetSize());
    header.WriteFixedOpaque(payload.octets);
    RpcPayload message;
    message.octets = header.Take();
    message.items = std::move(payload.items);
    message.room = payload.room > 0 ? payload.room + headerRoom : 0;
    for (RpcDataItem& item : message.items)
    {
        item.offset += length;
    }
    return message;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_PREFIX_H
