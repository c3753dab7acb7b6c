/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_CALL_FORM_H
#define NFSRDMA_RPCRDMA_POLICY_CALL_FORM_H

#include "rpc/payload.h"
#include "settings/named.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What the form of a call is chosen from.
struct CallFormChoice
{
    const RpcPayload& call;
    bool reduction{true};      ///< Items may be reduced (the security flavour allows it).
    uint32_t maxInline{0};     ///< Largest inline call message, transport header not counted.
    uint32_t elements{1};      ///< Scatter/gather elements of a Send, at most.
    uint32_t maxReadChunks{1}; ///< Read chunks at other Positions than zero, at most.
    /// \return octets of the transport header, not set aside in maxInline, for the Read chunk of
    /// that item of the call. None: all are.
    std::function<uint32_t(const RpcDataItem&)> getReadChunkSize{nullptr};
};

/// How a call crosses the wire.
struct CallForm
{
    bool positionZero{false};         ///< In a Position-Zero Read chunk (RDMA_NOMSG), not inline.
    std::vector<std::size_t> reduced; ///< Items in Read chunks of their own, ascending.
};

/// \return whether the whole call fits into a Send.
[[nodiscard]] bool FitsInline(const CallFormChoice& choice);

/**
 * \brief Which items of a call are reduced into Read chunks, and whether the rest goes inline or in
 * a Position-Zero Read chunk (RFC 8166 section 3.5). Policies, by name:
 * - "linux": inline when it fits and the elements suffice; else the eligible items reduced, when
 *   there are any, else all in a Position-Zero Read chunk (rpcrdma_marshal_req). Linux's calls have
 *   one item; where a rest is still too long for a Send, it goes in a Position-Zero Read chunk;
 * - "reduce-all": every eligible item reduced, however small;
 * - "reduce-as-needed": as few items reduced, the largest first, as let the rest go inline; all
 *   when it never does;
 * - "never-reduce": inline when it fits, else in a Position-Zero Read chunk;
 * - "long": always in a Position-Zero Read chunk;
 * - "long-reduced": always in a Position-Zero Read chunk, eligible items reduced out of it.
 *
 * Of more eligible items than there may be Read chunks the largest are reduced.
 */
class CallFormPolicy : public Named<CallFormPolicy>
{
  public:
    virtual ~CallFormPolicy() = default;

    [[nodiscard]] virtual CallForm Choose(const CallFormChoice& choice) const = 0;

    [[nodiscard]] static Registry<CallFormPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_CALL_FORM_H
