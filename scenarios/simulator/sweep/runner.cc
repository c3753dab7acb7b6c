/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/runner.h"

#include "helper/progress-meter.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <sys/prctl.h>
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

SweepRunner::SweepRunner(const SweepPlan& plan,
                         std::vector<std::size_t> runs,
                         unsigned jobs,
                         Task task,
                         Ended ended)
    : m_plan(plan),
      m_runs(std::move(runs)),
      m_jobs(jobs),
      m_task(std::move(task)),
      m_ended(std::move(ended))
{
}

void
SweepRunner::Execute(std::chrono::milliseconds progressInterval)
{
    ProgressMeter progress("runs", m_runs.size(), progressInterval);
    for (std::size_t done = 0; done < m_runs.size(); ++done)
    {
        while (m_next < m_runs.size() && m_running.size() < m_jobs)
        {
            StartNext();
        }
        WaitForOne();
        progress.Update(done + 1);
    }
}

void
SweepRunner::StartNext()
{
    const auto place = m_runs[m_next];
    const auto& run = m_plan.GetRuns()[place];
    std::cout.flush();
    std::cerr.flush();
    const auto parent = getpid();
    const auto process = fork();
    if (process < 0)
    {
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    if (process == 0)
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
        {
            _exit(static_cast<int>(RunStatus::FAILED));
        }
        const auto status = RunChild(m_task, run);
        std::cout.flush();
        std::cerr.flush();
        _exit(status);
    }
    m_running.emplace(process, place);
    ++m_next;
}

void
SweepRunner::WaitForOne()
{
    auto ended = m_running.end();
    int status = 0;
    while (ended == m_running.end())
    {
        const auto process = waitpid(-1, &status, 0);
        if (process < 0)
        {
            throw std::runtime_error(std::string("lost a process: ") + std::strerror(errno));
        }
        ended = m_running.find(process);
    }
    const auto& run = m_plan.GetRuns()[ended->second];
    m_running.erase(ended);
    std::string reason;
    if (WIFSIGNALED(status))
    {
        reason = "ended by signal " + std::to_string(WTERMSIG(status));
        std::cerr << "run " << run.GetName() << " was " << reason << "\n";
    }
    m_ended(run, reason);
}

} // namespace ns3::nfsrdma
