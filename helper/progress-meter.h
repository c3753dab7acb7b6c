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
 * \brief Says on stderr how far a run is: on a terminal one line, rewritten twice a second of the
 * wall clock; or new lines at an interval, as for a log.
 *
 * A line has what is done of how much, the rate, and when the rest will be done at this rate; of
 * one run also the simulated time, the rate of events and the memory of the process. Of several
 * runs it comes when one of them ends. When stderr is no terminal and there is no interval it is
 * silent. It only looks: nothing it does reaches the simulation.
 */
class ProgressMeter
{
  public:
    /// \param unit what is counted, as "RPCs"
    /// \param total how many there will be; 0 when that is not known
    /// \param interval of the wall clock between new lines; 0: one line on a terminal
    ProgressMeter(std::string unit,
                  uint64_t total,
                  std::chrono::milliseconds interval = std::chrono::milliseconds::zero());
    ~ProgressMeter();
    ProgressMeter(const ProgressMeter&) = delete;
    ProgressMeter& operator=(const ProgressMeter&) = delete;

    /// \p done are finished of several runs.
    void Update(uint64_t done);
    /// To be asked after each RPC. \return whether it is time to Show() how far it is
    [[nodiscard]] bool IsDue();
    /// \p done are finished of one run, at \p simulated, after \p events.
    void Show(uint64_t done, Time simulated, uint64_t events);
    /// Removes the line.
    void Finish();

  private:
    using Clock = std::chrono::steady_clock;

    /// How far a run of the simulator is.
    struct Simulation
    {
        Time now;
        uint64_t events;
    };

    void Print(uint64_t done, const Simulation* simulation, Clock::time_point now);

    std::string m_unit;
    uint64_t m_total;
    bool m_isLog;
    bool m_enabled;
    bool m_shown{false};
    uint64_t m_skipped{0};
    Clock::time_point m_start;
    std::chrono::milliseconds m_interval;
    Clock::time_point m_next;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_PROGRESS_METER_H
