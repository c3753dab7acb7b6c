/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-file.h"

#include "scenarios/simulator/config/user-file.h"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <filesystem>
#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

std::string
Trim(const std::string& text)
{
    const auto* const blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// \return the line of each key, in order. Throws for a line that Boost would refuse.
std::vector<unsigned>
ScanLines(const std::string& name, const std::string& text)
{
    std::vector<unsigned> keyLines;
    std::istringstream lines(text);
    std::string raw;
    for (unsigned number = 1; std::getline(lines, raw); ++number)
    {
        const auto line = Trim(raw.substr(0, raw.find('#')));
        if (line.empty() || (line.front() == '[' && line.back() == ']'))
        {
            continue;
        }
        const auto equals = line.find('=');
        if (equals == std::string::npos || Trim(line.substr(0, equals)).empty())
        {
            throw ScenarioError(ScenarioOrigin{name, number}.ToText(),
                                "",
                                Quote(line),
                                "'[section]' or 'key = value'");
        }
        keyLines.push_back(number);
    }
    return keyLines;
}

void
RefuseDuplicates(const std::vector<ScenarioEntry>& entries)
{
    std::map<std::string, unsigned> lines;
    for (const auto& entry : entries)
    {
        const auto [earlier, isNew] = lines.emplace(entry.key, entry.origin.line);
        if (!isNew)
        {
            throw ScenarioError(entry.origin.ToText(),
                                entry.key,
                                Quote(entry.value),
                                "each key once (it is also in line " +
                                    std::to_string(earlier->second) + ")");
        }
    }
}

} // namespace

ScenarioFile
ScenarioFile::Load(const std::string& path)
{
    return Parse(path, ReadUserFile(path, "a readable scenario file"));
}

ScenarioFile
ScenarioFile::Parse(const std::string& name, const std::string& text)
{
    const auto keyLines = ScanLines(name, text);
    ScenarioFile file;
    file.m_name = name;
    std::istringstream stream(text);
    const boost::program_options::options_description none;
    try
    {
        const auto parsed = boost::program_options::parse_config_file(stream, none, true);
        for (const auto& option : parsed.options)
        {
            const auto line = keyLines.at(file.m_entries.size());
            file.m_entries.push_back({option.string_key, option.value.at(0), {name, line}});
        }
    }
    catch (const boost::program_options::error& error)
    {
        throw ScenarioError(name, "", Quote(error.what()), "an INI file");
    }
    RefuseDuplicates(file.m_entries);
    return file;
}

const std::string&
ScenarioFile::GetName() const
{
    return m_name;
}

const std::vector<ScenarioEntry>&
ScenarioFile::GetEntries() const
{
    return m_entries;
}

std::string
ScenarioFile::GetDirectory() const
{
    const auto parent = std::filesystem::path(m_name).parent_path();
    return parent.empty() ? "." : parent.string();
}

std::string
ScenarioFile::GetStem() const
{
    return std::filesystem::path(m_name).stem().string();
}

ScenarioEntry
ParseAssignment(const std::string& text, const std::string& option)
{
    const auto equals = text.find('=');
    const auto key = Trim(text.substr(0, equals));
    if (equals == std::string::npos || key.empty())
    {
        throw ScenarioError(option, "", Quote(text), "section.key=value");
    }
    return {key, Trim(text.substr(equals + 1)), {option, 0}};
}

std::vector<std::string>
SplitList(const std::string& text, char separator)
{
    std::vector<std::string> items;
    std::istringstream stream(text);
    std::string item;
    while (std::getline(stream, item, separator))
    {
        items.push_back(Trim(item));
    }
    return items;
}

} // namespace ns3::nfsrdma
