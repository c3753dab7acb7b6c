/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

std::vector<std::string>
SplitAtCommas(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');)
    {
        cells.push_back(cell);
    }
    return cells;
}

} // namespace

ProcessResult
FaultTest::RunFault(const std::string& name, const std::vector<std::string>& options) const
{
    std::vector<std::string> arguments{"run",
                                       std::string(NFSRDMA_SOURCE_DIR) + "/test/data/faults/" +
                                           name + ".ini",
                                       "--out",
                                       "out"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Run(arguments);
}

ProcessResult
FaultTest::RunText(const std::string& text, const std::vector<std::string>& options) const
{
    m_directory.WriteFile("scenario.ini", text);
    std::vector<std::string> arguments{"run", "scenario.ini", "--out", "out"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Run(arguments);
}

nlohmann::json
FaultTest::Summary() const
{
    return m_directory.ReadJson("out/summary.json");
}

std::vector<std::map<std::string, std::string>>
FaultTest::Table(const std::string& file) const
{
    std::istringstream stream(m_directory.ReadFile("out/" + file));
    std::string line;
    std::getline(stream, line);
    const auto columns = SplitAtCommas(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(stream, line))
    {
        const auto cells = SplitAtCommas(line);
        auto& row = rows.emplace_back();
        for (std::size_t index = 0; index < columns.size(); ++index)
        {
            row[columns[index]] = index < cells.size() ? cells[index] : "";
        }
    }
    return rows;
}

} // namespace ns3::nfsrdma
