/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "scenarios/simulator/config/command-line.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <sstream>

namespace ns3::nfsrdma
{

/// Input: arguments, one on each line. A command that is taken has what it needs.
void
FuzzOne(ByteSpan input)
{
    std::istringstream lines(std::string(input.begin(), input.end()));
    std::vector<std::string> arguments;
    for (std::string line; std::getline(lines, line);)
    {
        arguments.push_back(line);
    }
    try
    {
        using Action = CommandLineRequest::Action;
        const auto request = CommandLineRequest::Parse(arguments);
        FuzzExpect(request.action != Action::RUN || !request.file.empty());
        FuzzExpect(request.action != Action::CHECK_CAPTURE || !request.captures.empty());
        FuzzExpect(request.action != Action::MERGE || !request.shards.empty());
        FuzzExpect(request.jobs >= 1 && request.shard.index <= request.shard.count);
    }
    catch (const ScenarioError& error)
    {
        FuzzExpect(std::string(error.what()).find('\n') == std::string::npos);
    }
}

} // namespace ns3::nfsrdma
