/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_RATE_REDUCTION_H
#define NFSRDMA_TOE_RATE_REDUCTION_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Proportional rate reduction, RFC 6937: brings what is in flight down to the threshold over a
/// round trip, with the slow-start bound.
class RateReduction
{
  public:
    /// \param flight octets in flight when the reduction begins
    void Begin(uint64_t flight);

    /// \p delivered octets have arrived by an acknowledgment.
    /// \param pipe octets in flight \param segment octets of a full one
    /// \param progress the acknowledgment is of new octets and shows no new loss
    /// \return the congestion window
    [[nodiscard]] uint64_t Acknowledge(uint64_t pipe,
                                       uint64_t delivered,
                                       uint64_t threshold,
                                       uint32_t segment,
                                       bool progress);

    /// \p octets have left, repeated or not.
    void Send(uint64_t octets)
    {
        m_sent += octets;
    }

  private:
    uint64_t m_flight{0}; ///< RecoverFS.
    uint64_t m_delivered{0};
    uint64_t m_sent{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_RATE_REDUCTION_H
