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

constexpr const char* ASIDE = ".writing";
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

/// \return the directory beside \p path that becomes it.
std::string
GetBeside(const std::string& path)
{
    fs::path absolute = fs::absolute(path).lexically_normal();
    if (absolute.filename().empty())
    {
        absolute = absolute.parent_path();
    }
    return absolute.string() + ASIDE;
}

} // namespace

OutputDirectory::OutputDirectory(std::string path, Placement placement)
    : m_path(std::move(path)),
      m_isWhole(placement == Placement::WHOLE && (!fs::exists(m_path) || fs::is_empty(m_path)))
{
    m_aside = m_isWhole ? GetBeside(m_path) : m_path + "/" + ASIDE;
    fs::remove_all(m_aside);
    fs::create_directories(m_aside);
}

OutputDirectory::~OutputDirectory()
{
    std::error_code ignored;
    fs::remove_all(m_aside, ignored);
}

std::string
OutputDirectory::Add(const std::string& name)
{
    m_names.push_back(name);
    return m_aside + "/" + name;
}

void
OutputDirectory::Write(const std::string& name, const std::string& content)
{
    Write(name, [&content](std::ostream& stream) { stream << content; });
}

void
OutputDirectory::Write(const std::string& name, const std::function<void(std::ostream&)>& write)
{
    const auto path = Add(name);
    std::ofstream stream(path, std::ios::binary);
    write(stream);
    stream.close();
    if (!stream)
    {
        throw std::runtime_error("cannot write " + m_path + "/" + name);
    }
}

void
OutputDirectory::RemoveRuns(const std::string& path)
{
    static const std::regex name("[0-9]+-s[0-9]+(\\.writing)?");
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
    if (m_isWhole)
    {
        fs::create_directories(m_path);
        fs::rename(m_aside, m_path);
        return;
    }
    RemoveEarlier(m_path, m_names);
    for (const auto& name : m_names)
    {
        fs::rename(fs::path(m_aside) / name, fs::path(m_path) / name);
    }
    fs::remove(m_aside);
}

void
OutputDirectory::Remove(const std::string& path)
{
    fs::remove_all(path);
    fs::remove_all(GetBeside(path));
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
