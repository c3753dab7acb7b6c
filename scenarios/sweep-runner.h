/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SWEEP_RUNNER_H
#define NFSRDMA_SCENARIOS_SWEEP_RUNNER_H

#include "run-report.h"
#include "sweep-plan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Runs every run of a plan in a process of its own (the simulator is one per process), some
 * at a time.
 */
class SweepRunner
{
  public:
    /// Carries one run out in the child process. \return the child's exit status.
    using Task = std::function<RunStatus(const SweepRun& run)>;

    SweepRunner(const SweepPlan& plan, unsigned jobs, Task task);

    /// Runs all. \return the exit status of each run, in the plan's order.
    std::vector<RunStatus> Execute();

  private:
    void StartNext();
    void WaitForOne();

    const SweepPlan& m_plan;
    unsigned m_jobs;
    Task m_task;
    std::size_t m_next{0};
    std::map<int, std::size_t> m_running; ///< By process: index of the run.
    std::vector<RunStatus> m_statuses;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SWEEP_RUNNER_H
