/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/checkpoint.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::nfsrdma
{

Checkpoint::Checkpoint(Time interval, OutputDirectory& directory)
    : m_interval(interval),
      m_directory(directory),
      m_next(interval)
{
}

bool
Checkpoint::Fork(Time now)
{
    while (m_next <= now)
    {
        m_next += m_interval;
    }
    const pid_t run = getpid();
    const pid_t copy = fork();
    if (copy == 0)
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != run)
        {
            std::_Exit(EXIT_FAILURE);
        }
        if (m_hasFailed)
        {
            std::cerr.setstate(std::ios::badbit);
        }
        try
        {
            m_directory.Divert();
        }
        catch (const std::exception& error)
        {
            std::cerr << error.what() << "\n";
            std::_Exit(EXIT_FAILURE);
        }
        return true;
    }
    int status = EXIT_FAILURE;
    if (copy > 0)
    {
        while (waitpid(copy, &status, 0) < 0 && errno == EINTR)
        {
        }
    }
    if (status != 0)
    {
        m_directory.RemoveDiverted();
    }
    if (status != 0 && !m_hasFailed)
    {
        m_hasFailed = true;
        std::cerr << "nfsrdma-sim: partial results could not be written; the run goes on\n";
    }
    return false;
}

} // namespace ns3::nfsrdma
