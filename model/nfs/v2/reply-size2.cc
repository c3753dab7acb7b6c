/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/reply-size2.h"

#include "nfs/types/reply-parts.h"
#include "nfs/types/xdr-size.h"
#include "nfs/v2/messages2.h"
#include "rpc/message.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

template <typename... Procedure>
struct ResultSizes2
{
    static std::array<uint32_t, NFS2_PROCEDURES> Measure()
    {
        return {GetLeastXdrSize<typename Procedure::Results>()...};
    }
};

/// \return octets of the results of \p procedure, NFS_OK, without octets of their item and entries.
uint32_t
GetResultSize(Nfs2Procedure procedure)
{
    static const auto SIZES = OfNfs2Procedures<ResultSizes2>::Measure();
    return SIZES.at(static_cast<uint32_t>(procedure));
}

} // namespace

RpcReplyEstimate
EstimateNfs2Reply(Nfs2Procedure procedure, uint32_t count, bool reduceReadlink)
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE + GetResultSize(procedure);
    estimate.minimum = estimate.head;
    switch (procedure)
    {
    case Nfs2Procedure::READDIR:
        estimate.head -= EMPTY_LIST_SIZE;
        estimate.items.push_back({std::max(count, EMPTY_LIST_SIZE), 0, false});
        estimate.tail = Pad4(count);
        break;
    case Nfs2Procedure::READLINK:
        estimate.items.push_back({count, 0, reduceReadlink});
        estimate.tail = Pad4(count);
        break;
    case Nfs2Procedure::READ:
        estimate.items.push_back({count, 0, true});
        estimate.tail = Pad4(count);
        break;
    default:
        break;
    }
    return estimate;
}

} // namespace ns3::nfsrdma
