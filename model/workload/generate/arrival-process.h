/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_ARRIVAL_PROCESS_H
#define NFSRDMA_WORKLOAD_GENERATE_ARRIVAL_PROCESS_H

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The times between arrivals of an open loop.
 *
 * In BURSTS burstSize requests arrive burstSpacing apart; the pause from the last of them to the
 * first of the next burst is exponential with the mean that makes the rate of all arrivals what it
 * should be: burstSize / rate - (burstSize - 1) * burstSpacing.
 *
 * ON_OFF arrives while it is on at rate * (busyTime + calmTime) / busyTime, so that rate is the
 * mean of all the time. MMPP is a Markov modulated Poisson process of two states, calm first; its
 * mean is (rate * calmTime + peakRate * busyTime) / (calmTime + busyTime). The arrivals of a RAMP
 * are a Poisson process whose rate is rate + (peakRate - rate) * t / rampOver, drawn by inversion.
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
        BURSTS,   ///< In bursts of one size, with exponential pauses between them.
        ON_OFF,   ///< POISSON while they are on; on and off for exponential times.
        MMPP,     ///< POISSON at one rate, then at another; each for exponential times.
        RAMP,     ///< POISSON at a rate that changes evenly, and then stays.
        TRACE     ///< At times that are given.
    };

    struct Settings
    {
        Kind kind{CLOSED};
        double rate{0};        ///< Arrivals per second on average; MMPP: calm; RAMP: first.
        uint32_t burstSize{1}; ///< BURSTS.
        Time burstSpacing;     ///< BURSTS.
        double peakRate{0};    ///< MMPP: busy; RAMP: last.
        Time busyTime{};       ///< Mean time ON_OFF is on, MMPP busy.
        Time calmTime{};       ///< Mean time ON_OFF is off, MMPP calm.
        Time rampOver{};       ///< RAMP: from the first rate to the last.
        /// TRACE: from the begin on, ascending; null: none.
        std::shared_ptr<const std::vector<Time>> times{};
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

    /// \return whether there is a next arrival: of all but TRACE always.
    [[nodiscard]] bool HasNext() const;
    /// \return the time from the latest arrival (or the begin) to the next.
    [[nodiscard]] Time GetNextGap();

  private:
    [[nodiscard]] double DrawSeconds(double mean);
    [[nodiscard]] Time DrawExponential(double meanSeconds);

    /// \return seconds to the next arrival of a process of two states.
    [[nodiscard]] double DrawModulated();
    /// \return seconds to the next arrival of a RAMP.
    [[nodiscard]] double DrawRamp();

    Settings m_settings;
    uint32_t m_leftInBurst{0};
    bool m_busy{false};    ///< The state; ON_OFF and MMPP.
    double m_state{0};     ///< Seconds that are left of it.
    double m_elapsed{0};   ///< RAMP: seconds from the begin to the latest arrival.
    std::size_t m_next{0}; ///< TRACE.
    Ptr<ExponentialRandomVariable> m_stream;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_ARRIVAL_PROCESS_H
