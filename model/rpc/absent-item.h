/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_ABSENT_ITEM_H
#define NFSRDMA_RPC_ABSENT_ITEM_H

#include "rpc/payload.h"

namespace ns3::nfsrdma
{

/// Where an item would be that is not there: no host address.
constexpr uint64_t ABSENT_ITEM_ADDRESS = UINT64_MAX;

/**
 * \brief An eligible item of length 0 that stands for a result without one: the arm of a union
 * that holds no data, such as that of a READ that failed (RFC 8267 section 6.4.1). It keeps the
 * items that follow with their Write chunks; the chunk that would have been its own is returned
 * empty, without segments, while that of data of length 0 is returned unused, with segments of
 * length 0 (RFC 8166 section 3.4.6).
 * \param offset of RpcPayload::octets, where the data would be
 */
[[nodiscard]] inline RpcDataItem
MakeAbsentItem(uint32_t offset)
{
    RpcDataItem item;
    item.address = ABSENT_ITEM_ADDRESS;
    item.ddpEligible = true;
    item.offset = offset;
    return item;
}

[[nodiscard]] inline bool
IsAbsentItem(const RpcDataItem& item)
{
    return item.length == 0 && item.address == ABSENT_ITEM_ADDRESS;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_ABSENT_ITEM_H
