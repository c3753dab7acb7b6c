/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-process.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

std::string
Slurp(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

} // namespace

std::size_t
ProcessResult::CountErrorLines() const
{
    return static_cast<std::size_t>(std::count(errors.begin(), errors.end(), '\n'));
}

ProcessResult
RunProcess(const std::string& program,
           const std::vector<std::string>& arguments,
           const std::string& directory)
{
    const TemporaryDirectory streams;
    const auto output = streams.GetPath() + "/output";
    const auto errors = streams.GetPath() + "/errors";
    const auto process = fork();
    if (process < 0)
    {
        throw std::runtime_error("no process");
    }
    if (process == 0)
    {
        std::vector<char*> words{const_cast<char*>(program.c_str())};
        for (const auto& argument : arguments)
        {
            words.push_back(const_cast<char*>(argument.c_str()));
        }
        words.push_back(nullptr);
        if (chdir(directory.c_str()) == 0 && freopen(output.c_str(), "w", stdout) != nullptr &&
            freopen(errors.c_str(), "w", stderr) != nullptr)
        {
            execv(program.c_str(), words.data());
        }
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(process, &status, 0, &usage);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            Slurp(output),
            Slurp(errors),
            1024 * static_cast<uint64_t>(usage.ru_maxrss)};
}

TemporaryDirectory::TemporaryDirectory()
{
    m_path = (std::filesystem::temp_directory_path() / "nfsrdma-XXXXXX").string();
    if (mkdtemp(m_path.data()) == nullptr)
    {
        throw std::runtime_error("no temporary directory");
    }
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::filesystem::remove_all(m_path);
}

const std::string&
TemporaryDirectory::GetPath() const
{
    return m_path;
}

void
TemporaryDirectory::WriteFile(const std::string& name, const std::string& text) const
{
    std::ofstream(m_path + "/" + name) << text;
}

std::string
TemporaryDirectory::ReadFile(const std::string& name) const
{
    return Slurp(m_path + "/" + name);
}

nlohmann::json
TemporaryDirectory::ReadJson(const std::string& name) const
{
    return nlohmann::json::parse(ReadFile(name));
}

std::map<std::string, std::string>
TemporaryDirectory::ReadAll(const std::string& folder) const
{
    std::map<std::string, std::string> files;
    const auto root = std::filesystem::path(m_path) / folder;
    for (const auto& item : std::filesystem::recursive_directory_iterator(root))
    {
        if (item.is_regular_file())
        {
            files[item.path().lexically_relative(root).string()] = Slurp(item.path());
        }
    }
    return files;
}

} // namespace ns3::nfsrdma
