/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RUNNER_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RUNNER_H

#include "scenarios/simulator/config/sweep-plan.h"
#include "scenarios/simulator/report/run-report.h"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Carries runs of a plan out, each in a process of its own (the simulator is one per
 * process), some at a time. The processes end with this one, however it ends.
 */
class SweepRunner
{
  public:
    /// Carries one run out in the child process. \return the child's exit status.
    using Task = std::function<RunStatus(const SweepRun& run)>;
    /// Told, in this process, that a run's process ended by itself (\p reason is empty), or why
    /// not.
    using Ended = std::function<void(const SweepRun& run, const std::string& reason)>;

    /// \param runs places in the plan, in the order of their start
    SweepRunner(const SweepPlan& plan,
                std::vector<std::size_t> runs,
                unsigned jobs,
                Task task,
                Ended ended);

    /// Carries all out. \param progressInterval see ProgressMeter
    void Execute(std::chrono::milliseconds progressInterval);

  private:
    void StartNext();
    void WaitForOne();

    const SweepPlan& m_plan;
    std::vector<std::size_t> m_runs;
    unsigned m_jobs;
    Task m_task;
    Ended m_ended;
    std::size_t m_next{0};
    std::map<int, std::size_t> m_running; ///< By process: place of the run in the plan.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RUNNER_H
