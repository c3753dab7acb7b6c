/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/text-table.h"

#include <algorithm>
#include <numeric>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t GAP = 2;

} // namespace

TextTable::TextTable(std::vector<std::string> head)
    : m_rows{std::move(head), {}}
{
}

void
TextTable::AddRow(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

void
TextTable::AddRule()
{
    m_rows.emplace_back();
}

std::string
TextTable::ToText() const
{
    std::vector<std::size_t> widths(m_rows.front().size());
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            widths[column] = std::max(widths[column], row[column].size());
        }
    }
    const auto total = std::accumulate(widths.begin(), widths.end(), GAP * (widths.size() - 1));
    std::string text;
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            const std::string fill(widths[column] - row[column].size(), ' ');
            text += column == 0 ? row[column] + fill : std::string(GAP, ' ') + fill + row[column];
        }
        text += row.empty() ? std::string(total, '-') + "\n" : "\n";
    }
    return text;
}

} // namespace ns3::nfsrdma
