/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_COMMAND_LINE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_COMMAND_LINE_H

#include "scenarios/simulator/config/scenario-file.h"
#include "scenarios/simulator/config/sweep-shard.h"

#include "ns3/nstime.h"

#include <chrono>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What the user asked for on the command line of nfsrdma-sim.
 */
struct CommandLineRequest
{
    enum class Action
    {
        RUN,
        EXPLORE,
        CHECK_CAPTURE,
        MERGE,
        PRINT_CONFIG,
        PRINT_STATUS,
        LIST_KEYS,
        HELP,
        VERSION
    };

    Action action{Action::HELP};
    std::string file;                  ///< Empty: defaults only (PRINT_CONFIG).
    std::vector<std::string> captures; ///< CHECK_CAPTURE: at least one.
    std::vector<std::string> shards;   ///< MERGE: directories, at least one.
    /// From --set and from the options that stand for keys, in the order in which they count.
    std::vector<ScenarioEntry> overrides;
    std::string out;   ///< --out; empty: results/<scenario>.
    unsigned jobs{1};  ///< Runs at a time.
    SweepShard shard;  ///< --shard: the part of the sweep to run.
    bool fresh{false}; ///< --fresh: unfinished results do not count.
    /// --progress: wall-clock time between lines about progress; 0: on a terminal only.
    std::chrono::milliseconds progressInterval{0};
    /// --checkpoint-interval: simulated time between partial results; 0: there are none.
    Time checkpointInterval{};

    /// \return a command that has the same results, of a scenario called \p name: "nfsrdma-sim run
    /// NAME --set ...", without what only says where, in how many parts and how many at a time.
    [[nodiscard]] std::string GetCommand(const std::string& name) const;

    /// Throws ScenarioError.
    static CommandLineRequest Parse(const std::vector<std::string>& arguments);
    /// \return the text of --help.
    static std::string GetHelp();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_COMMAND_LINE_H
