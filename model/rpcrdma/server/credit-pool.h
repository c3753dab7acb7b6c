/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_CREDIT_POOL_H
#define NFSRDMA_RPCRDMA_SERVER_CREDIT_POOL_H

#include "rpcrdma/policy/credit-grant.h"
#include "rpcrdma/server/receive-budget.h"
#include "wire/ring.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

/// What bounds the credits of a responder's connections.
struct SvcRdmaCreditLimits
{
    uint32_t maximum{1};     ///< Credits granted to a connection at most.
    uint32_t receives{0};    ///< That a policy shares out, if it does.
    uint64_t memory{0};      ///< Octets of all receive buffers at most; 0: any amount.
    uint32_t connections{0}; ///< That are expected.
    uint32_t leastSize{1};   ///< Octets of a receive of a connection that is still to come.
};

/**
 * \brief What the connections of one responder have in common as to credits: the policy, and the
 * budget of receive buffers that it works with.
 *
 * With a bound, receives are taken from the budget before the credits behind them are granted:
 * - a receive is kept for each connection that is expected and not there yet, one at least, and
 *   grants do not grow into it: a receive that was promised to an idle client comes back with its
 *   next call only, so that nobody could come otherwise;
 * - a connection that there is no receive for waits until one is given back, in the order of
 *   arrival, and so does a call to a client, which needs one for its reply;
 * - beyond an equal share of the memory a grant grows only while an eighth of it is left.
 *
 * Without, everything is as in Linux, which posts what it grants and some more.
 */
class SvcRdmaCreditPool
{
  public:
    SvcRdmaCreditPool(std::unique_ptr<CreditGrantPolicy> policy, const SvcRdmaCreditLimits& limits);

    /// Credits granted to a connection at most, from the next reply on.
    void SetMaximum(uint32_t maximum)
    {
        m_limits.maximum = maximum;
    }

    [[nodiscard]] uint32_t GetMaximum() const
    {
        return m_limits.maximum;
    }

    [[nodiscard]] SvcRdmaReceiveBudget& GetBudget()
    {
        return m_budget;
    }

    [[nodiscard]] bool IsBounded() const
    {
        return m_budget.IsBounded();
    }

    void AddConnection()
    {
        ++m_connections;
    }

    void RemoveConnection()
    {
        --m_connections;
    }

    /// A connection that was granted \p before credits is granted \p now; 0: it is not there.
    void ChangeGrant(uint32_t before, uint32_t now);
    /// \return octets of receive buffers that a connection which comes now may take; the largest
    /// number when there is no limit.
    [[nodiscard]] uint64_t GetMemoryLeft() const;

    /// \param size octets of the connection's receives
    /// \return the grant of a reply; see CreditSituation for the other parameters
    [[nodiscard]] uint32_t Grant(uint32_t requested,
                                 uint32_t granted,
                                 uint32_t inService,
                                 uint32_t size) const;

    /// \return what a new connection posts receives for.
    [[nodiscard]] uint32_t GrantFirst() const
    {
        return m_policy->GrantFirst(GetSituation(m_limits.leastSize));
    }

    /// \return receives, of \p wanted, that a connection with \p held of \p size octets may take.
    [[nodiscard]] uint32_t LimitGrowth(uint32_t wanted, uint32_t held, uint32_t size) const;
    /// \return receives of \p size octets that are an equal share of what the bounds allow.
    [[nodiscard]] uint32_t GetShare(uint32_t size) const;

    /// \return whether a connection may come that needs \p receives of \p size octets at once.
    [[nodiscard]] bool HasRoomFor(uint32_t receives, uint32_t size) const
    {
        return m_budget.GetRoom(size) >= receives;
    }

    /// \return whether that could be, if there were no other connection.
    [[nodiscard]] bool CanEverHold(uint32_t receives, uint32_t size) const
    {
        return m_budget.GetCapacity(size) >= receives;
    }

    /// What waits for a receive: \return whether it has it, or needs it no longer.
    using Waiter = std::function<bool()>;

    /// Has \p waiter asked when a receive is given back: calls to clients first, each in turn.
    void AwaitReceive(Waiter waiter)
    {
        m_waitingCalls.push_back(std::move(waiter));
    }

    void AwaitConnection(Waiter waiter)
    {
        m_waitingConnections.push_back(std::move(waiter));
    }

    /// Nobody waits any more.
    void Forget();

  private:
    [[nodiscard]] CreditSituation GetSituation(uint32_t size) const;

    /// \return receives kept for connections that are still to come.
    [[nodiscard]] uint32_t GetKept() const
    {
        return m_limits.connections > m_connections ? m_limits.connections - m_connections : 1;
    }

    void HandleGiven();
    void Serve();
    static void ServeFrom(Ring<Waiter>& waiters);

    std::unique_ptr<CreditGrantPolicy> m_policy;
    SvcRdmaCreditLimits m_limits;
    SvcRdmaReceiveBudget m_budget;
    uint32_t m_connections{0};
    uint64_t m_granted{0}; ///< To all connections.
    Ring<Waiter> m_waitingCalls;
    Ring<Waiter> m_waitingConnections;
    std::shared_ptr<bool> m_serving; ///< Whether Serve() is to come; gone with the pool.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_CREDIT_POOL_H
