/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/line-groups.h"

#include <cctype>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

/// So many lines that are alike are still written out.
constexpr std::size_t FEW = 4;

/// \return \p line with each number replaced.
std::string
MaskNumbers(const std::string& line)
{
    std::string masked;
    for (const char character : line)
    {
        const bool isDigit = std::isdigit(static_cast<unsigned char>(character)) != 0;
        if (!isDigit || masked.empty() || masked.back() != '#')
        {
            masked += isDigit ? '#' : character;
        }
    }
    return masked;
}

} // namespace

std::vector<std::string>
GroupLines(const std::vector<std::string>& lines)
{
    std::map<std::string, std::size_t> alike;
    std::map<std::string, std::size_t> equal;
    for (const auto& line : lines)
    {
        ++alike[MaskNumbers(line)];
        ++equal[line];
    }
    std::vector<std::string> groups;
    for (const auto& line : lines)
    {
        auto& similar = alike[MaskNumbers(line)];
        auto& same = equal[line];
        if (similar > FEW)
        {
            groups.push_back(std::to_string(similar) + " times as: " + line);
            similar = 0;
        }
        else if (similar != 0 && same != 0)
        {
            groups.push_back(same == 1 ? line : std::to_string(same) + " times: " + line);
            same = 0;
        }
    }
    return groups;
}

} // namespace ns3::nfsrdma
