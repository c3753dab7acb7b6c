/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_PROGRESS_METER_H
#define NFSRDMA_HELPER_PROGRESS_METER_H

#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief One line on stderr that says how far a run is, rewritten twice a second of the wall clock.
 *
 * Silent when stderr is no terminal. It only looks: nothing it does reaches the simulation.
 */
class ProgressMeter
{
  public:
    /// \param unit what is counted, as "RPCs"
    /// \param total how many there will be; 0 when that is not known
    ProgressMeter(std::string unit, uint64_t total);
    ~ProgressMeter();
    ProgressMeter(const ProgressMeter&) = delete;
    ProgressMeter& operator=(const ProgressMeter&) = delete;

    /// \p done are finished; \p simulated is the simulated time, or zero to leave it out.
    void Update(uint64_t done, Time simulated);
    /// Removes the line.
    void Finish();

  private:
    using Clock = std::chrono::steady_clock;

    void Show(uint64_t done, Time simulated, Clock::time_point now);

    std::string m_unit;
    uint64_t m_total;
    bool m_enabled;
    bool m_shown{false};
    uint64_t m_skipped{0};
    Clock::time_point m_start;
    Clock::time_point m_next;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_PROGRESS_METER_H
