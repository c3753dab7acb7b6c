/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/output-directory.h"

#include "workload/replay/input-error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* ASIDE = ".writing";
constexpr const char* DIVERTED = ".partial";
constexpr const char* REPLACED = ".replaced";
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
GetBeside(const std::string& path, const char* ending = ASIDE)
{
    fs::path absolute = fs::absolute(path).lexically_normal();
    if (absolute.filename().empty())
    {
        absolute = absolute.parent_path();
    }
    return absolute.string() + ending;
}

/// \p whole takes the place of \p path, which is there, and is gone afterwards.
void
Replace(const std::string& path, const std::string& whole)
{
    if (renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) != 0)
    {
        if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
        {
            throw fs::filesystem_error("cannot exchange",
                                       whole,
                                       path,
                                       std::error_code(errno, std::generic_category()));
        }
        // The file system cannot exchange two directories.
        const auto old = GetBeside(path, REPLACED);
        fs::remove_all(old);
        fs::rename(path, old);
        try
        {
            fs::rename(whole, path);
        }
        catch (const fs::filesystem_error&)
        {
            fs::rename(old, path);
            throw;
        }
        fs::remove_all(old);
        return;
    }
    fs::remove_all(whole);
}

/// Puts back what a run that was killed in Replace() has left beside \p path, or removes it.
void
RestoreReplaced(const std::string& path)
{
    const auto old = GetBeside(path, REPLACED);
    if (!fs::exists(old))
    {
        return;
    }
    if (fs::exists(path) && !fs::is_empty(path))
    {
        fs::remove_all(old);
        return;
    }
    fs::remove(path);
    fs::rename(old, path);
}

bool
IsMountPoint(const std::string& path)
{
    struct statx status
    {
    };

    return statx(AT_FDCWD, path.c_str(), 0, 0, &status) == 0 &&
           (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

[[noreturn]] void
ThrowSystemError(const std::string& path)
{
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

/// Files of the directory \p from that the process writes to are those of the same names in \p to,
/// from where they are now.
void
Reopen(const fs::path& from, const fs::path& to)
{
    std::vector<int> open;
    for (const auto& link : fs::directory_iterator("/proc/self/fd"))
    {
        open.push_back(std::stoi(link.path().filename().string()));
    }
    for (const int descriptor : open)
    {
        std::error_code none;
        const fs::path file = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none);
        if (none || file.parent_path() != from)
        {
            continue;
        }
        const fs::path copy = to / file.filename();
        const int made = ::open(copy.c_str(), O_WRONLY | O_CLOEXEC);
        if (made < 0 || lseek(made, lseek(descriptor, 0, SEEK_CUR), SEEK_SET) < 0 ||
            dup2(made, descriptor) < 0 || close(made) != 0)
        {
            ThrowSystemError(copy.string());
        }
    }
}

} // namespace

OutputDirectory::OutputDirectory(std::string path, Placement placement)
    : m_path(std::move(path)),
      m_place(placement == Placement::INTO ? m_path : fs::weakly_canonical(m_path).string()),
      m_replaces(placement == Placement::REPLACE)
{
    fs::remove_all(GetBeside(m_place));
    fs::remove_all(GetBeside(m_place, DIVERTED));
    if (placement != Placement::INTO)
    {
        RestoreReplaced(m_place);
    }
    m_isWhole =
        m_replaces || (placement == Placement::WHOLE &&
                       (!fs::exists(m_place) || fs::is_empty(m_place)) && CanBeReplaced(m_place));
    m_aside = m_isWhole ? GetBeside(m_place) : m_place + "/" + ASIDE;
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
        fs::create_directories(m_place);
        if (m_replaces)
        {
            Replace(m_place, m_aside);
            return;
        }
        fs::rename(m_aside, m_place);
        return;
    }
    RemoveEarlier(m_place, m_names);
    for (const auto& name : m_names)
    {
        fs::rename(fs::path(m_aside) / name, fs::path(m_place) / name);
    }
    fs::remove(m_aside);
}

void
OutputDirectory::Divert()
{
    const fs::path before = fs::canonical(m_aside);
    m_aside = GetBeside(m_place, DIVERTED);
    fs::remove_all(m_aside);
    fs::copy(before, m_aside, fs::copy_options::recursive);
    Reopen(before, fs::canonical(m_aside));
}

void
OutputDirectory::RemoveDiverted() const
{
    std::error_code ignored;
    fs::remove_all(GetBeside(m_place, DIVERTED), ignored);
}

bool
OutputDirectory::CanBeReplaced(const std::string& path)
{
    return !fs::exists(path) || (!fs::equivalent(path, fs::current_path()) && !IsMountPoint(path));
}

std::string
OutputDirectory::FindOther(const std::string& path)
{
    const auto known = ListEarlier(path);
    std::error_code none;
    for (const auto& item : fs::directory_iterator(path, none))
    {
        auto name = item.path().filename().string();
        if (!item.is_regular_file() || std::find(known.begin(), known.end(), name) == known.end())
        {
            return name;
        }
    }
    return {};
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
