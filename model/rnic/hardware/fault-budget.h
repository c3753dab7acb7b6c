/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_FAULT_BUDGET_H
#define NFSRDMA_RNIC_HARDWARE_FAULT_BUDGET_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief How many more of a kind of request are to fail, and until when.
 *
 * Each Add() is a share of its own; a request takes from the first that has some left.
 */
class FaultBudget
{
  public:
    /// \param count requests; 0: any number
    /// \param end before which they fail
    void Add(uint64_t count, Time end)
    {
        m_shares.push_back({count == 0 ? std::numeric_limits<uint64_t>::max() : count, end});
    }

    [[nodiscard]] bool IsEmpty() const
    {
        return m_shares.empty();
    }

    /// \return whether a request that is made \p now fails, which is taken from the budget.
    [[nodiscard]] bool Take(Time now)
    {
        m_shares.erase(std::remove_if(m_shares.begin(),
                                      m_shares.end(),
                                      [now](const Share& share) {
                                          return share.left == 0 || share.end <= now;
                                      }),
                       m_shares.end());
        if (m_shares.empty())
        {
            return false;
        }
        --m_shares.front().left;
        return true;
    }

  private:
    struct Share
    {
        uint64_t left{0};
        Time end;
    };

    std::vector<Share> m_shares;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_FAULT_BUDGET_H
