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

/**
 * \brief How many credits a responder grants, RFC 8166 section 3.3.1. Policies, by name:
 * - "fixed": always the maximum, whatever was requested (Linux svcrdma);
 * - "requested": what was requested, at least 1 and at most the maximum.
 */
class CreditGrantPolicy
{
  public:
    virtual ~CreditGrantPolicy() = default;

    /// \return 1 to \p maximum, the receives that the responder keeps posted.
    [[nodiscard]] virtual uint32_t Grant(uint32_t requested, uint32_t maximum) const = 0;

    /// \return the policy of that name, or null.
    static std::unique_ptr<CreditGrantPolicy> Create(const std::string& name);
    static std::vector<std::string> GetNames();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CREDIT_GRANT_POLICY_H
