/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/output-directory.h"

#include "workload/replay/input-error.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

namespace ns3::nfsrdma
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* PART = ".part";
constexpr const char* MANIFEST = "manifest.json";
constexpr const char* RUNS = "points"; ///< Of a sweep: a directory for each run.

/// \return what the manifest in \p path lists, itself included; nothing when there is none.
std::vector<std::string>
ListEarlier(const std::string& path)
{
    const auto text = ReadInputFile(path + "/" + MANIFEST);
    const auto manifest = nlohmann::json::parse(text.value_or(""), nullptr, false);
    if (!manifest.is_object() || !manifest.contains("ns3_version") || !manifest.contains("outputs"))
    {
        return {};
    }
    std::vector<std::string> names{MANIFEST};
    for (const auto& name : manifest["outputs"])
    {
        if (name.is_string())
        {
            names.push_back(name.get<std::string>());
        }
    }
    return names;
}

} // namespace

OutputDirectory::OutputDirectory(std::string path)
    : m_path(std::move(path))
{
    std::filesystem::create_directories(m_path);
}

std::string
OutputDirectory::Add(const std::string& name)
{
    m_names.push_back(name);
    return m_path + "/" + name + PART;
}

void
OutputDirectory::Write(const std::string& name, const std::string& content)
{
    const auto path = Add(name);
    std::ofstream stream(path, std::ios::binary);
    stream << content;
    stream.close();
    if (!stream)
    {
        throw std::runtime_error("cannot write " + path);
    }
}

void
OutputDirectory::RemoveRuns(const std::string& path)
{
    static const std::regex name("[0-9]+-s[0-9]+");
    std::error_code none;
    std::vector<fs::path> runs;
    for (const auto& item : fs::directory_iterator(path + "/" + RUNS, none))
    {
        if (std::regex_match(item.path().filename().string(), name))
        {
            runs.push_back(item.path());
        }
    }
    for (const auto& run : runs)
    {
        fs::remove_all(run);
    }
}

void
OutputDirectory::RemoveEarlier(const std::string& path, const std::vector<std::string>& keep)
{
    for (const auto& name : ListEarlier(path))
    {
        const fs::path file = fs::path(path) / name;
        if (std::find(keep.begin(), keep.end(), name) != keep.end() ||
            fs::path(name).filename() != fs::path(name))
        {
            continue;
        }
        if (name == RUNS)
        {
            RemoveRuns(path);
            std::error_code notEmpty;
            fs::remove(file, notEmpty);
        }
        else if (fs::is_regular_file(file))
        {
            fs::remove(file);
        }
    }
}

void
OutputDirectory::Commit()
{
    RemoveEarlier(m_path, m_names);
    for (const auto& name : m_names)
    {
        const auto path = m_path + "/" + name;
        std::filesystem::rename(path + PART, path);
    }
}

const std::vector<std::string>&
OutputDirectory::GetNames() const
{
    return m_names;
}

const std::string&
OutputDirectory::GetPath() const
{
    return m_path;
}

} // namespace ns3::nfsrdma
