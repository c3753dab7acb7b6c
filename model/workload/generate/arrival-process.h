/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_ARRIVAL_PROCESS_H
#define NFSRDMA_WORKLOAD_GENERATE_ARRIVAL_PROCESS_H

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/**
 * \brief The times between arrivals of an open loop.
 *
 * In BURSTS burstSize requests arrive burstSpacing apart; the pause from the last of them to the
 * first of the next burst is exponential with the mean that makes the rate of all arrivals what it
 * should be: burstSize / rate - (burstSize - 1) * burstSpacing.
 */
class ArrivalProcess
{
  public:
    /// When requests arrive.
    enum Kind
    {
        CLOSED,   ///< When an earlier one has completed: closed loop.
        CONSTANT, ///< At equal distances.
        POISSON,  ///< At exponential distances.
        BURSTS    ///< In bursts of one size, with exponential pauses between them.
    };

    struct Settings
    {
        Kind kind{CLOSED};
        double rate{0};        ///< Arrivals per second on average.
        uint32_t burstSize{1}; ///< BURSTS.
        Time burstSpacing;     ///< BURSTS.
    };

    /// \return nothing when there is such a process, else what is expected.
    [[nodiscard]] static tl::expected<void, std::string> Check(const Settings& settings);

    /// \p settings passed Check().
    explicit ArrivalProcess(const Settings& settings);
    /// Takes one stream number. \return 1.
    int64_t AssignStreams(int64_t stream);

    [[nodiscard]] bool IsOpen() const
    {
        return m_settings.kind != ArrivalProcess::CLOSED;
    }

    /// \return the time from the latest arrival (or the begin) to the next.
    [[nodiscard]] Time GetNextGap();

  private:
    [[nodiscard]] Time DrawExponential(double meanSeconds);

    Settings m_settings;
    uint32_t m_leftInBurst{0};
    Ptr<ExponentialRandomVariable> m_stream;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_ARRIVAL_PROCESS_H
