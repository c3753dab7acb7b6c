/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-runner.h"

#include "helper/progress-meter.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

int
RunChild(const SweepRunner::Task& task, const SweepRun& run)
{
    try
    {
        return static_cast<int>(task(run));
    }
    catch (const std::exception& error)
    {
        std::cerr << "run " << run.GetName() << ": " << error.what() << "\n";
        return static_cast<int>(RunStatus::FAILED);
    }
}

} // namespace

SweepRunner::SweepRunner(const SweepPlan& plan, unsigned jobs, Task task)
    : m_plan(plan),
      m_jobs(jobs),
      m_task(std::move(task)),
      m_statuses(plan.GetRuns().size(), RunStatus::FAILED)
{
}

std::vector<RunStatus>
SweepRunner::Execute()
{
    ProgressMeter progress("runs", m_plan.GetRuns().size());
    std::size_t done = 0;
    while (done < m_plan.GetRuns().size())
    {
        while (m_next < m_plan.GetRuns().size() && m_running.size() < m_jobs)
        {
            StartNext();
        }
        WaitForOne();
        ++done;
        progress.Update(done, Time());
    }
    return m_statuses;
}

void
SweepRunner::StartNext()
{
    const auto& run = m_plan.GetRuns()[m_next];
    std::cout.flush();
    std::cerr.flush();
    const auto process = fork();
    if (process < 0)
    {
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    if (process == 0)
    {
        const auto status = RunChild(m_task, run);
        std::cout.flush();
        std::cerr.flush();
        _exit(status);
    }
    m_running.emplace(process, m_next);
    ++m_next;
}

void
SweepRunner::WaitForOne()
{
    int status = 0;
    const auto process = waitpid(-1, &status, 0);
    if (process < 0)
    {
        throw std::runtime_error(std::string("lost a process: ") + std::strerror(errno));
    }
    const auto place = m_running.find(process);
    if (place == m_running.end())
    {
        return;
    }
    const auto index = place->second;
    m_running.erase(place);
    if (WIFEXITED(status))
    {
        m_statuses[index] = static_cast<RunStatus>(WEXITSTATUS(status));
        return;
    }
    std::cerr << "run " << m_plan.GetRuns()[index].GetName() << " was ended by signal "
              << WTERMSIG(status) << "\n";
}

} // namespace ns3::nfsrdma
