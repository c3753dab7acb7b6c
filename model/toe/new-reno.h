/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_NEW_RENO_H
#define NFSRDMA_TOE_NEW_RENO_H

#include "toe/congestion-control.h"

namespace ns3::nfsrdma
{

/// RFC 5681: a segment more each round trip, half after a loss. (What is NewReno about it, RFC
/// 6582, is the sender's.)
class NewReno : public CongestionControl
{
  public:
    [[nodiscard]] std::string_view GetName() const override
    {
        return "reno";
    }

    void Avoid(CongestionWindow& window, uint64_t octets, Time now, Time smoothed) override;
    [[nodiscard]] uint64_t ReduceForLoss(const CongestionWindow& window, Time now) override;

  private:
    uint64_t m_acknowledged{0}; ///< Octets since the window grew last.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_NEW_RENO_H
