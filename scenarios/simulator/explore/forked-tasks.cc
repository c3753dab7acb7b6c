/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/explore/forked-tasks.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

/// A task whose process has not ended.
struct Running
{
    std::size_t task{0};
    pid_t process{0};
    int descriptor{-1}; ///< What it says comes here.
};

[[noreturn]] void
Fail(const char* what)
{
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

[[noreturn]] void
RunChild(std::size_t task,
         int descriptor,
         pid_t parent,
         const std::function<void(std::size_t, TaskOutput&)>& run)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
    {
        _exit(1);
    }
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    TaskOutput output(descriptor);
    try
    {
        run(task, output);
    }
    catch (const std::exception& error)
    {
        output.End(std::string("broken ") + error.what() + "\n");
    }
    _exit(1);
}

Running
Start(std::size_t task, const std::function<void(std::size_t, TaskOutput&)>& run)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
    {
        Fail("cannot make a pipe");
    }
    const auto parent = getpid();
    const auto process = fork();
    if (process < 0)
    {
        Fail("cannot start a process");
    }
    if (process == 0)
    {
        RunChild(task, ends[1], parent, run);
    }
    close(ends[1]);
    return {task, process, ends[0]};
}

/// Takes what \p running says. \return whether there may be more
bool
TakeText(const Running& running, TaskResult& result)
{
    std::array<char, 65536> buffer{};
    const auto octets = read(running.descriptor, buffer.data(), buffer.size());
    if (octets > 0)
    {
        result.text.append(buffer.data(), static_cast<std::size_t>(octets));
        return true;
    }
    if (octets < 0 && errno == EINTR)
    {
        return true;
    }
    close(running.descriptor);
    int status = 0;
    if (waitpid(running.process, &status, 0) < 0)
    {
        Fail("lost a process");
    }
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return false;
}

} // namespace

TaskOutput::TaskOutput(int descriptor)
    : m_descriptor(descriptor)
{
}

void
TaskOutput::End(const std::string& text)
{
    std::size_t written = 0;
    while (written < text.size())
    {
        const auto octets = write(m_descriptor, text.data() + written, text.size() - written);
        if (octets < 0 && errno != EINTR)
        {
            break;
        }
        written += octets < 0 ? 0 : static_cast<std::size_t>(octets);
    }
    _exit(0);
}

std::vector<TaskResult>
RunForked(std::size_t tasks,
          unsigned jobs,
          const std::function<void(std::size_t, TaskOutput&)>& task)
{
    std::cout.flush();
    std::cerr.flush();
    std::vector<TaskResult> results(tasks);
    std::vector<Running> running;
    std::size_t next = 0;
    while (next < tasks || !running.empty())
    {
        while (next < tasks && running.size() < jobs)
        {
            running.push_back(Start(next, task));
            ++next;
        }
        std::vector<pollfd> polled;
        polled.reserve(running.size());
        for (const auto& one : running)
        {
            polled.push_back({one.descriptor, POLLIN, 0});
        }
        if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR)
        {
            Fail("cannot wait for a process");
        }
        for (std::size_t i = running.size(); i-- > 0;)
        {
            if (polled[i].revents != 0 && !TakeText(running[i], results[running[i].task]))
            {
                running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
    return results;
}

} // namespace ns3::nfsrdma
