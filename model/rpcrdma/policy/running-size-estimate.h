/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_RUNNING_SIZE_ESTIMATE_H
#define NFSRDMA_RPCRDMA_POLICY_RUNNING_SIZE_ESTIMATE_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// A running mean of sizes in octets: each new one moves it by an eighth of the difference.
class RunningSizeEstimate
{
  public:
    void Add(uint32_t size)
    {
        if (m_empty)
        {
            m_empty = false;
            m_scaled = uint64_t{size} * SCALE;
            return;
        }
        m_scaled = m_scaled - m_scaled / SCALE + size;
    }

    /// \return the mean; 0 before the first size.
    [[nodiscard]] uint32_t Get() const
    {
        return static_cast<uint32_t>(m_scaled / SCALE);
    }

  private:
    static constexpr uint64_t SCALE = 8;

    bool m_empty{true};
    uint64_t m_scaled{0}; ///< The mean in eighths of an octet.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_RUNNING_SIZE_ESTIMATE_H
