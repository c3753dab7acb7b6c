/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/reply-size3.h"

#include "nfs/types/reply-parts.h"
#include "nfs/types/xdr-size.h"
#include "nfs/v3/arguments.h"
#include "rpc/message.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

/// Octets of results with NFS3_OK, without octets of their item and entries.
struct ResultSize
{
    uint32_t least{0};
    uint32_t most{0};
};

/// Of each procedure.
template <typename... Args>
struct ResultSizes
{
    static std::array<ResultSize, NFS3_PROCEDURES> Measure();
};

template <typename... Args>
std::array<ResultSize, NFS3_PROCEDURES>
ResultSizes<Args...>::Measure()
{
    std::array<ResultSize, NFS3_PROCEDURES> sizes;
    ((sizes.at(
          static_cast<uint32_t>(Args::PROCEDURE)) = {GetLeastXdrSize<typename Args::Result>(),
                                                     GetFilledXdrSize<typename Args::Result>()}),
     ...);
    return sizes;
}

const ResultSize&
GetResultSize(Nfs3Procedure procedure)
{
    static const auto SIZES = OfNfs3Args<ResultSizes>::Measure();
    return SIZES.at(static_cast<uint32_t>(procedure));
}

bool
ReadsDirectory(Nfs3Procedure procedure)
{
    return procedure == Nfs3Procedure::READDIR || procedure == Nfs3Procedure::READDIRPLUS;
}

bool
HasItem(Nfs3Procedure procedure)
{
    return procedure == Nfs3Procedure::READ || procedure == Nfs3Procedure::READLINK ||
           ReadsDirectory(procedure);
}

} // namespace

RpcReplyEstimate
EstimateNfs3Reply(Nfs3Procedure procedure, uint32_t count, bool reduceReadlink)
{
    RpcReplyEstimate estimate;
    const ResultSize& size = GetResultSize(procedure);
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE + size.most -
                    (ReadsDirectory(procedure) ? EMPTY_LIST_SIZE : 0);
    estimate.minimum = RpcReplyHeader::ACCEPTED_SIZE + size.least;
    if (HasItem(procedure))
    {
        const bool eligible = procedure == Nfs3Procedure::READ ||
                              (procedure == Nfs3Procedure::READLINK && reduceReadlink);
        estimate.items.push_back({count, 0, eligible});
        estimate.tail = ITEM_PADDING_ROOM;
    }
    return estimate;
}

} // namespace ns3::nfsrdma
