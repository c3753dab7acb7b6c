/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/report/output-directory.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* PART = ".part";

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
OutputDirectory::Commit()
{
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
