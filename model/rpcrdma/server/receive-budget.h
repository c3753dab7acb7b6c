/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_RECEIVE_BUDGET_H
#define NFSRDMA_RPCRDMA_SERVER_RECEIVE_BUDGET_H

#include <cstdint>
#include <functional>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief The receive buffers of all connections of one responder, and their bounds: what is not
 * taken from here is not allocated, so that a bound is never passed. That is asserted at every
 * change.
 *
 * Guaranteed: octets of all receive buffers <= server_receive_memory_limit.
 *
 * Buffers are counted whether they are posted or free.
 */
class SvcRdmaReceiveBudget
{
  public:
    /// \param maxReceives buffers at most; 0: any number
    /// \param maxOctets octets of all buffers at most; 0: any amount
    SvcRdmaReceiveBudget(uint64_t maxReceives, uint64_t maxOctets);

    [[nodiscard]] bool IsBounded() const
    {
        return m_maxReceives != 0 || m_maxOctets != 0;
    }

    /// Takes a buffer of \p octets. \return false, and nothing changes, when a bound forbids it.
    [[nodiscard]] bool Take(uint32_t octets);
    /// Gives a buffer back.
    void Give(uint32_t octets);

    /// \p given is told whenever a buffer was given back.
    void SetGiven(std::function<void()> given)
    {
        m_given = std::move(given);
    }

    /// \return buffers of \p octets that may still be taken when \p kept buffers of \p keptOctets
    /// each are to be left; the largest number when there is no bound.
    [[nodiscard]] uint64_t GetRoom(uint32_t octets,
                                   uint64_t kept = 0,
                                   uint32_t keptOctets = 0) const;
    /// \return buffers of \p octets that the bounds allow in all; the largest number without any.
    [[nodiscard]] uint64_t GetCapacity(uint32_t octets) const;

    [[nodiscard]] uint64_t GetMaxOctets() const
    {
        return m_maxOctets;
    }

    [[nodiscard]] uint64_t GetOctets() const
    {
        return m_octets;
    }

    [[nodiscard]] uint64_t GetPeakOctets() const
    {
        return m_peakOctets;
    }

    [[nodiscard]] uint64_t GetPeakReceives() const
    {
        return m_peakReceives;
    }

  private:
    void Check() const;

    uint64_t m_maxReceives;
    uint64_t m_maxOctets;
    uint64_t m_receives{0};
    uint64_t m_octets{0};
    uint64_t m_peakOctets{0};
    uint64_t m_peakReceives{0};
    std::function<void()> m_given;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_RECEIVE_BUDGET_H
