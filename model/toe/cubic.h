/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_CUBIC_H
#define NFSRDMA_TOE_CUBIC_H

#include "toe/congestion-control.h"

#include <optional>

namespace ns3::nfsrdma
{

/// RFC 9438: the window follows a cubic function of the time since the last loss, and is never
/// less than Reno's would be, which is what counts at the round trips of a data centre.
class Cubic : public CongestionControl
{
  public:
    [[nodiscard]] std::string_view GetName() const override
    {
        return "cubic";
    }

    void Avoid(CongestionWindow& window, uint64_t octets, Time now, Time smoothed) override;
    [[nodiscard]] uint64_t ReduceForLoss(const CongestionWindow& window, Time now) override;
    void NoteTimeout() override;
    void Restart(const CongestionWindow& window) override;

  private:
    void BeginEpoch(const CongestionWindow& window, Time now);

    // In segments, as the RFC has them.
    double m_largest{0};         ///< W_max.
    double m_plateauAfter{0};    ///< K, seconds.
    double m_renoWindow{0};      ///< W_est.
    double m_windowAtLoss{0};    ///< cwnd_prior.
    double m_growth{0};          ///< Less than an octet so far.
    std::optional<Time> m_epoch; ///< When this congestion avoidance began.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_CUBIC_H
