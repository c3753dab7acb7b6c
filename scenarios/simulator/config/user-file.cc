/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/user-file.h"

#include "scenarios/simulator/keys/scenario-error.h"
#include "workload/replay/input-error.h"

#include <filesystem>

namespace ns3::nfsrdma
{

std::string
ReadUserFile(const std::string& path, const std::string& expected)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw ScenarioError(path, "", "a directory", expected);
    }
    auto content = ReadInputFile(path);
    if (!content)
    {
        throw ScenarioError(path, "", content.error().found, expected);
    }
    return *std::move(content);
}

} // namespace ns3::nfsrdma
