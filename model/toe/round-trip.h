/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_ROUND_TRIP_H
#define NFSRDMA_TOE_ROUND_TRIP_H

#include "toe/engine-settings.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Smoothed round trip, its variation, and the retransmission timeout that follows: RFC 6298,
 * with the floor where Linux has it, srtt + max(4 rttvar, rtoMin).
 */
class RoundTripEstimator
{
  public:
    explicit RoundTripEstimator(const TcpEngineSettings& settings);

    /// A round trip of what was sent once only (Karn) took \p sample. Ends back-off.
    void Measure(Time sample, Time now);

    /// \return nothing before the first measurement.
    [[nodiscard]] const std::optional<Time>& GetSmoothed() const
    {
        return m_smoothed;
    }

    /// \return the least of the last minutes; nothing before the first measurement.
    [[nodiscard]] const std::optional<Time>& GetLeast() const
    {
        return m_least;
    }

    /// \return the timeout, doubled as often as it has gone off.
    [[nodiscard]] Time GetTimeout() const;

    void BackOff()
    {
        ++m_backOff;
    }

    void EndBackOff()
    {
        m_backOff = 0;
    }

    [[nodiscard]] uint32_t GetBackOff() const
    {
        return m_backOff;
    }

  private:
    const TcpEngineSettings& m_settings;
    std::optional<Time> m_smoothed;
    Time m_variation;
    std::optional<Time> m_least;
    Time m_leastSince;
    uint32_t m_backOff{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_ROUND_TRIP_H
