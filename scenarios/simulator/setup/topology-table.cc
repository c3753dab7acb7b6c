/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/topology-table.h"

#include "scenarios/simulator/config/host-range.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<const char*, 6> COLUMNS{"from", "to", "rate", "delay", "queue", "mtu"};

/// \return the fields of \p line, without the blanks around them.
std::vector<std::string>
SplitFields(const std::string& line)
{
    std::vector<std::string> fields;
    std::size_t begin = 0;
    while (begin <= line.size())
    {
        const auto end = std::min(line.find(',', begin), line.size());
        const auto field = line.substr(begin, end - begin);
        const auto first = field.find_first_not_of(" \t\r");
        fields.push_back(first == std::string::npos
                             ? std::string()
                             : field.substr(first, field.find_last_not_of(" \t\r") + 1 - first));
        begin = end + 1;
    }
    return fields;
}

std::vector<std::string>
ReadColumns(const std::string& line, const TopologyBuilder& builder)
{
    auto columns = SplitFields(line);
    for (auto column = columns.begin(); column != columns.end(); ++column)
    {
        if (std::find(COLUMNS.begin(), COLUMNS.end(), *column) == COLUMNS.end() ||
            std::find(columns.begin(), column, *column) != column)
        {
            builder.Refuse("columns",
                           Quote(*column),
                           "from, to, rate, delay, queue, mtu, each once");
        }
    }
    for (const auto* needed : {"from", "to"})
    {
        if (std::find(columns.begin(), columns.end(), needed) == columns.end())
        {
            builder.Refuse("columns", Quote(line), std::string("a column ") + needed);
        }
    }
    return columns;
}

void
TakeEnd(const std::string& name, TopologyBuilder& builder)
{
    if (ExpandHostRange(name).size() != 1)
    {
        builder.Refuse("link", Quote(name), "a name of letters, digits, '-' and '_'");
    }
    if (!builder.Has(name))
    {
        builder.AddSwitch(name);
    }
}

} // namespace

void
ReadTopologyTable(const std::string& text, TopologyBuilder& builder)
{
    std::istringstream stream(text);
    std::string line;
    std::vector<std::string> columns;
    for (unsigned number = 1; std::getline(stream, line); ++number)
    {
        builder.SetLine(number);
        if (columns.empty())
        {
            // Spreadsheets begin UTF-8 with a byte order mark.
            columns =
                ReadColumns(line.rfind("\xEF\xBB\xBF", 0) == 0 ? line.substr(3) : line, builder);
            continue;
        }
        const auto fields = SplitFields(line);
        if (fields.size() == 1 && fields.front().empty())
        {
            continue;
        }
        if (fields.size() != columns.size())
        {
            builder.Refuse("link",
                           std::to_string(fields.size()) + " fields",
                           std::to_string(columns.size()) + ", as the first line has");
        }
        std::string from;
        std::string to;
        LinkTraits traits;
        for (std::size_t i = 0; i < columns.size(); ++i)
        {
            if (columns[i] == "from" || columns[i] == "to")
            {
                TakeEnd(fields[i], builder);
                (columns[i] == "from" ? from : to) = fields[i];
            }
            else if (!fields[i].empty())
            {
                builder.TakeTrait(columns[i], fields[i], columns[i] + "=" + fields[i], traits);
            }
        }
        builder.AddEdge(from, to, traits);
    }
    if (columns.empty())
    {
        builder.Refuse("columns", "no line", "a line that names columns: from, to");
    }
}

} // namespace ns3::nfsrdma
