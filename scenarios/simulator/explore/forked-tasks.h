/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_FORKED_TASKS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_FORKED_TASKS_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Says something to the process that has started this one.
class TaskOutput
{
  public:
    explicit TaskOutput(int descriptor);

    /// Says \p text and ends the process at once.
    [[noreturn]] void End(const std::string& text);

  private:
    int m_descriptor;
};

/// What a process said and how it ended.
struct TaskResult
{
    std::string text;
    int signal{0}; ///< That has ended it; 0: none.
};

/**
 * \brief Carries tasks out, each in a process of its own that begins as a copy of this one, some at
 * a time. What a task prints to the standard error is lost.
 * \param task told which one it is, from 0; a process that returns from it has said nothing
 * \return what each said
 * Throws std::runtime_error when no process can be started.
 */
std::vector<TaskResult> RunForked(std::size_t tasks,
                                  unsigned jobs,
                                  const std::function<void(std::size_t, TaskOutput&)>& task);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_FORKED_TASKS_H
