/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_CREDIT_GRANT_H
#define NFSRDMA_RPCRDMA_POLICY_CREDIT_GRANT_H

#include "settings/named.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a grant may depend on, when a reply is about to be sent. All but pressure are counts.
struct CreditSituation
{
    uint32_t requested{1};      ///< By the Call that is answered.
    uint32_t maximum{1};        ///< That the responder grants to a connection.
    uint32_t granted{1};        ///< With the last reply.
    uint32_t mean{0};           ///< Of what all connections are granted, rounded down.
    uint32_t inService{0};      ///< Calls of the connection, that one included.
    uint32_t connections{1};    ///< Of the responder.
    uint32_t pool{0};           ///< Receives that all connections share, beside what is kept.
    uint32_t share{UINT32_MAX}; ///< An equal share of the memory for receive buffers, in receives.
    bool pressure{false};       ///< The memory for receive buffers is nearly used up.
};

/**
 * \brief How many credits a responder grants, RFC 8166 section 3.3.1. Policies, by name:
 * - "fixed": always the maximum, whatever was requested (Linux svcrdma);
 * - "requested": what was requested;
 * - "fair-share": an equal share of a pool of receives, but no more than requested. It shrinks as
 *   clients come. Among clients that want more than the share it is the max-min fair one;
 * - "adaptive": follows what a connection uses, see below; no more than requested.
 *
 * A further one is added by Add(), as a plugin does (helper/plugin.h).
 *
 * All grant at least 1 and at most the maximum. Where memory for receive buffers has a limit,
 * "fixed" and "requested" grant an equal share of it at most while it is nearly used up.
 *
 * Guaranteed (helper/guarantees.h):
 * - all: credits of a connection <= server_credits;
 * - all: credits of a connection <= Receives posted for it;
 * - "requested", "fair-share", "adaptive": credits of a reply <= credits that its call requests;
 * - "fair-share": receive buffers of all connections <= server_shared_receives.
 *
 * That is what a policy wants. What it gets is bounded by SvcRdmaCreditPool: receives never pass
 * the pool or the memory, as they are taken before they are granted.
 *
 * Adaptive is a control law on the grant g of a connection, applied at each reply, with u calls in
 * service (the one answered included), and memory of receive buffers as the signal of overload:
 *
 *     no pressure  u >= 3g/4       g := 2g                 the client is held up by g
 *                  u <= g/4        g := g - 1, at least 4  receives lie idle
 *                  else            as it is
 *     pressure     g >= mean       g := g/2, at least 1    who has most gives back first
 *                  else            as it is
 *
 * Where it settles: a client that would have q calls outstanding has u = min(q, g) when its calls
 * wait at the server. While g <= 4q/3 the grant doubles at each reply, as a congestion window in
 * slow start does (RFC 5681 section 3.1), and is there after log2(q / 3) replies; it then stands
 * below 8q/3. When q falls the grant goes down by one for each reply to 4q. Between 4q/3 and 4q
 * nothing moves: the band is wider than the step by which the grant grows, so it does not
 * oscillate. What lies posted is thus at most 8/3 of what is used while q grows and 4 times that
 * while it falls, where "fixed" posts the maximum. Halving under pressure is the multiplicative
 * decrease of Chiu and Jain (1989); that only connections at or above the mean give back leads to
 * equal grants of those that want more, and leaves small ones alone.
 */
class CreditGrantPolicy : public Named<CreditGrantPolicy>
{
  public:
    virtual ~CreditGrantPolicy() = default;

    /// \return 1 to situation.maximum.
    [[nodiscard]] uint32_t Grant(const CreditSituation& situation) const;
    /// \return what receives are posted for before the first Call, 1 to situation.maximum.
    [[nodiscard]] uint32_t GrantFirst(const CreditSituation& situation) const;

    /// \return whether all connections together may have no more than CreditSituation::pool.
    [[nodiscard]] virtual bool SharesPool() const
    {
        return false;
    }

    [[nodiscard]] static Registry<CreditGrantPolicy>& GetKinds();

  private:
    [[nodiscard]] virtual uint32_t DoGrant(const CreditSituation& situation) const = 0;

    [[nodiscard]] virtual uint32_t DoGrantFirst(const CreditSituation& /*situation*/) const
    {
        return 1;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_CREDIT_GRANT_H
