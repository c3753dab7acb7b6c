/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenarios-directory.h"

#include <filesystem>
#include <system_error>

namespace ns3::nfsrdma
{

namespace fs = std::filesystem;

const std::string&
GetScenariosDirectory()
{
    static const std::string DIRECTORY = [] {
        std::error_code error;
        return FindScenariosDirectory(fs::read_symlink("/proc/self/exe", error).string(),
                                      NFSRDMA_SOURCE_SCENARIOS_DIR);
    }();
    return DIRECTORY;
}

std::string
FindScenariosDirectory(const std::string& program, const std::string& fallback)
{
    const auto installed =
        (fs::path(program).parent_path() / NFSRDMA_DATA_FROM_BIN / "scenarios").lexically_normal();
    std::error_code error;
    return !program.empty() && fs::is_directory(installed, error) ? installed.string() : fallback;
}

} // namespace ns3::nfsrdma
