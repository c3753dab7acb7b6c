/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_INLINE_THRESHOLD_H
#define NFSRDMA_RPCRDMA_POLICY_INLINE_THRESHOLD_H

#include "rpcrdma/message/private-data.h"
#include "settings/named.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What one side of a connection advertises (RFC 8797 section 4.2), octets.
struct InlineThresholds
{
    uint32_t send{RpcRdmaPrivateData::MINIMUM_INLINE};    ///< Its largest Send.
    uint32_t receive{RpcRdmaPrivateData::MINIMUM_INLINE}; ///< Its receive buffers.
};

/// What the thresholds of a connection that is being made may depend on.
struct InlineSituation
{
    InlineThresholds maximum; ///< That the side is set up for.
    InlineThresholds needed;  ///< Requester: for most messages so far.
    InlineThresholds peer;    ///< Responder: what the requester advertised.
    uint64_t receives{0};     ///< Responder: receives that it keeps for the connection at first.
    /// Responder: octets of receive buffers that it may still have.
    uint64_t memoryLeft{std::numeric_limits<uint64_t>::max()};
};

/**
 * \brief Which inline thresholds one side of a connection advertises. Policies, by name:
 * - "fixed": the maximum (Linux, both sides);
 * - "observed", of requesters: what carried most messages of earlier connections;
 * - "as-peer", of responders: receives as long as the requester's Sends and no longer, Sends as
 *   long as its receives;
 * - "memory-share", of responders: the receives that a connection starts with take half of the
 *   memory that is left at most, down to the least size.
 *
 * Guaranteed of each connection: largest Send to the server <= client_inline_send, and largest Send
 * to the client <= client_inline_receive.
 *
 * The smaller of what both sides say holds. But for "fixed" all give multiples of 1024 octets, as
 * private data say it. A policy that is added (Named::Add()) is for both sides unless it says
 * otherwise.
 */
class InlineThresholdPolicy : public Named<InlineThresholdPolicy>
{
  public:
    virtual ~InlineThresholdPolicy() = default;

    /// \return at most situation.maximum, in each direction.
    [[nodiscard]] virtual InlineThresholds Choose(const InlineSituation& situation) const = 0;

    /// \return octets of the smallest receives that it may choose where \p maximum is the largest.
    [[nodiscard]] virtual uint32_t GetLeastReceive(uint32_t maximum) const
    {
        return maximum;
    }

    /// \return whether requesters, or responders, may have it.
    [[nodiscard]] virtual bool IsForRequesters() const
    {
        return true;
    }

    [[nodiscard]] virtual bool IsForResponders() const
    {
        return true;
    }

    [[nodiscard]] static Registry<InlineThresholdPolicy>& GetKinds();
    static std::vector<std::string> GetRequesterNames();
    static std::vector<std::string> GetResponderNames();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_INLINE_THRESHOLD_H
