/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_CHUNK_RETIREMENT_H
#define NFSRDMA_RPCRDMA_CLIENT_CHUNK_RETIREMENT_H

#include "rpcrdma/client/request.h"
#include "rpcrdma/client/send-room.h"
#include "rpcrdma/client/xprt-statistics.h"
#include "rpcrdma/registration/chunk-registrar.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Takes the memory of a call's chunks back from the peer, before the RPC may end (RFC 8166
 * section 4.5.4).
 *
 *     registered -> Retire(), reply received ---+-> invalidationPending, hostPending -> Progress
 *               \-> Fence(), given up ----------+
 *               \-> TakeInvalidated(), by the peer (RFC 8797)
 *     and, after all of them, Release()
 */
class RpcRdmaChunkRetirement
{
  public:
    using Progress = std::function<void(RpcRdmaRequest&)>;
    using Failed = std::function<void(const std::string& reason)>;

    /// \param progress the host is through with the chunks of a request; the completion of its last
    /// invalidation, whose id is the slot, is told by the queue pair
    /// \param failed chunks cannot be invalidated
    RpcRdmaChunkRetirement(ChunkRegistrar& registrar,
                           RpcRdmaSendRoom& room,
                           XprtRdmaStatistics& statistics,
                           Progress progress,
                           Failed failed);

    /// Has the chunks of \p request, whose reply has come, invalidated, and what was written to
    /// them copied.
    void Retire(RpcRdmaRequest& request);
    /// The same where the peer may not be through.
    void Fence(RpcRdmaRequest& request);
    /// The peer has invalidated \p stag. \return false when that is no chunk of \p request.
    [[nodiscard]] bool TakeInvalidated(RpcRdmaRequest& request, Stag stag);
    /// Gives the regions of \p request back. \return whether it had any.
    bool Release(RpcRdmaRequest& request);

  private:
    /// Posts the invalidations in \p chain and waits for them, and for the registrar.
    void Post(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain);

    ChunkRegistrar& m_registrar;
    RpcRdmaSendRoom& m_room;
    XprtRdmaStatistics& m_statistics;
    Progress m_progress;
    Failed m_failed;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_CHUNK_RETIREMENT_H
