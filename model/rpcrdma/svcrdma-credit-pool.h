/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SVCRDMA_CREDIT_POOL_H
#define NFSRDMA_RPCRDMA_SVCRDMA_CREDIT_POOL_H

#include "rpcrdma/credit-grant-policy.h"

#include <cstdint>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief What the connections of one responder have in common as to credits: the policy and its
 * bounds, and the memory of all receive buffers.
 */
class SvcRdmaCreditPool
{
  public:
    /**
     * \param maximum credits granted to a connection at most
     * \param receives that policy "fair-share" shares out
     * \param memoryLimit octets of receive buffers beyond which there is pressure; 0: none
     */
    SvcRdmaCreditPool(std::unique_ptr<CreditGrantPolicy> policy,
                      uint32_t maximum,
                      uint32_t receives,
                      uint64_t memoryLimit);

    /// Credits granted to a connection at most, from the next reply on.
    void SetMaximum(uint32_t maximum);
    [[nodiscard]] uint32_t GetMaximum() const;

    void AddConnection();
    void RemoveConnection();
    /// A connection that was granted \p before credits is granted \p now; 0: it is not there.
    void ChangeGrant(uint32_t before, uint32_t now);
    /// A connection that had \p before octets of receive buffers has \p now.
    void ChangeMemory(uint64_t before, uint64_t now);
    /// \return octets of receive buffers, posted or not, of all connections.
    [[nodiscard]] uint64_t GetMemory() const;
    [[nodiscard]] uint64_t GetPeakMemory() const;
    /// \return octets of receive buffers that all connections may still have; the largest number
    /// when there is no limit.
    [[nodiscard]] uint64_t GetMemoryLeft() const;

    /// \return the grant of a reply; see CreditSituation for the parameters
    [[nodiscard]] uint32_t Grant(uint32_t requested, uint32_t granted, uint32_t inService) const;
    /// \return what a new connection posts receives for.
    [[nodiscard]] uint32_t GrantFirst() const;

  private:
    [[nodiscard]] CreditSituation GetSituation() const;

    std::unique_ptr<CreditGrantPolicy> m_policy;
    uint32_t m_maximum;
    uint32_t m_receives;
    uint64_t m_memoryLimit;
    uint32_t m_connections{0};
    uint64_t m_granted{0}; ///< To all connections.
    uint64_t m_memory{0};
    uint64_t m_peakMemory{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SVCRDMA_CREDIT_POOL_H
