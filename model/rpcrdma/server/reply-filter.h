/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_REPLY_FILTER_H
#define NFSRDMA_RPCRDMA_SERVER_REPLY_FILTER_H

#include "host/memory.h"
#include "rnic/queue/work-request.h"
#include "rpcrdma/message/transport-header.h"
#include "wire/bytes.h"
#include "wire/ip-address.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// A reply that is about to be posted. RDMA Writes into Write chunks have been posted before.
struct SvcRdmaOutgoingReply
{
    struct Send
    {
        ByteVector octets; ///< Transport header, and what follows inline.
        std::optional<Stag> invalidates;
    };

    uint32_t xid{0};
    IpAddress client;
    const RpcRdmaChunkLists& offered; ///< By the Call.
    uint32_t headerLength{0};         ///< Of the transport header in the first Send.
    /// Before the Sends: RDMA Writes into the Reply chunk, or registrations of a Read chunk.
    std::vector<SendWorkRequest> chain;
    std::vector<Send> sends; ///< As they come: one, or the parts of a reply; none: nothing is sent.
    std::vector<std::shared_ptr<HostBuffer>> held{}; ///< Memory of what was added to the chain.
};

/**
 * \brief Changes replies between the responder and its queue pair: fault injection.
 */
class SvcRdmaReplyFilter
{
  public:
    virtual ~SvcRdmaReplyFilter() = default;

    virtual void Filter(SvcRdmaOutgoingReply& reply) = 0;
};

/// Those of a responder, in the order in which they were added. They outlive it or are taken out.
using SvcRdmaReplyFilters = std::vector<SvcRdmaReplyFilter*>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_REPLY_FILTER_H
