/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CREDIT_GRANT_POLICY_H
#define NFSRDMA_RPCRDMA_CREDIT_GRANT_POLICY_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a grant may depend on, when a reply is about to be sent. All but pressure are counts.
struct CreditSituation
{
    uint32_t requested{1};   ///< By the Call that is answered.
    uint32_t maximum{1};     ///< That the responder grants to a connection.
    uint32_t granted{1};     ///< With the last reply.
    uint32_t inService{0};   ///< Calls of the connection, that one included.
    uint32_t connections{1}; ///< Of the responder.
    uint32_t pool{0};        ///< Receives that all connections share.
    bool pressure{false};    ///< Receive buffers have more memory than they should.
};

/**
 * \brief How many credits a responder grants, RFC 8166 section 3.3.1. Policies, by name:
 * - "fixed": always the maximum, whatever was requested (Linux svcrdma);
 * - "requested": what was requested;
 * - "shared": an equal share of the pool, but no more than requested: it shrinks as clients come;
 * - "adaptive": begins with 4; twice as many when three quarters are in use, one less when at most
 *   a quarter is, half under memory pressure; no more than requested.
 *
 * All grant at least 1 and at most the maximum.
 */
class CreditGrantPolicy
{
  public:
    virtual ~CreditGrantPolicy() = default;

    /// \return 1 to situation.maximum.
    [[nodiscard]] uint32_t Grant(const CreditSituation& situation) const;
    /// \return what receives are posted for before the first Call, 1 to situation.maximum.
    [[nodiscard]] uint32_t GrantFirst(const CreditSituation& situation) const;

    /// \return the policy of that name, or null.
    static std::unique_ptr<CreditGrantPolicy> Create(const std::string& name);
    static std::vector<std::string> GetNames();

  private:
    [[nodiscard]] virtual uint32_t DoGrant(const CreditSituation& situation) const = 0;
    [[nodiscard]] virtual uint32_t DoGrantFirst(const CreditSituation& situation) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CREDIT_GRANT_POLICY_H
