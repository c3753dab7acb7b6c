/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-catalogue.h"

#include "scenarios/simulator/keys/edit-distance.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <filesystem>
#include <vector>

namespace ns3::nfsrdma
{

namespace fs = std::filesystem;

ScenarioCatalogue::ScenarioCatalogue(const std::string& directory)
{
    std::error_code error;
    for (const auto& folder : fs::directory_iterator(directory, error))
    {
        const auto name = folder.path().filename();
        if (!folder.is_directory() || name == "profiles" || name == "validation")
        {
            continue;
        }
        for (const auto& entry : fs::directory_iterator(folder.path(), error))
        {
            if (entry.path().extension() == ".ini")
            {
                m_files.emplace(entry.path().stem().string(), entry.path().string());
            }
        }
    }
}

const std::map<std::string, std::string>&
ScenarioCatalogue::GetFiles() const
{
    return m_files;
}

std::string
ScenarioCatalogue::Find(const std::string& given) const
{
    const fs::path path(given);
    const auto parent = path.parent_path();
    std::error_code error;
    const bool isFile = fs::exists(path, error) && !fs::is_directory(path, error);
    if (isFile || (!parent.empty() && parent != "scenarios"))
    {
        return given;
    }
    const auto name = path.extension() == ".ini" ? path.stem().string() : path.filename().string();
    if (const auto found = m_files.find(name); found != m_files.end())
    {
        return found->second;
    }
    std::vector<std::string> names;
    for (const auto& [known, file] : m_files)
    {
        names.push_back(known);
    }
    throw ScenarioError(given,
                        "",
                        "No such file or directory",
                        "the file of a scenario, or the name of one of scenarios/; nearest name: " +
                            FindNearest(name, names));
}

} // namespace ns3::nfsrdma
