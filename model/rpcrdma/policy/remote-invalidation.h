/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_REMOTE_INVALIDATION_H
#define NFSRDMA_RPCRDMA_POLICY_REMOTE_INVALIDATION_H

#include "rpcrdma/message/transport-header.h"
#include "settings/named.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which STag of a Call a responder invalidates with the Reply's Send. Policies, by name:
 * - "never": none;
 * - "linux": the requester's R flag is set, and all chunks of the Call name one and the same STag;
 * - "rfc8797": both R flags are set; the first STag of the Call: whenever it is legal;
 * - "largest": as "rfc8797", but the STag that names the most octets, of several the first.
 */
class RemoteInvalidationPolicy : public Named<RemoteInvalidationPolicy>
{
  public:
    virtual ~RemoteInvalidationPolicy() = default;

    [[nodiscard]] virtual std::optional<Stag> Choose(bool requesterSupports,
                                                     bool responderSupports,
                                                     const RpcRdmaChunkLists& call) const = 0;

    [[nodiscard]] static Registry<RemoteInvalidationPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_REMOTE_INVALIDATION_H
