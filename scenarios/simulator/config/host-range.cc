/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/host-range.h"

#include "workload/replay/csv-fields.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t MOST_NAMES = 65536;

bool
IsName(const std::string& text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_';
    });
}

} // namespace

std::vector<std::string>
ExpandHostRange(const std::string& text)
{
    const auto dots = text.find("..");
    if (dots == std::string::npos)
    {
        return IsName(text) ? std::vector<std::string>{text} : std::vector<std::string>{};
    }
    auto digits = dots;
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1])) != 0)
    {
        --digits;
    }
    const auto prefix = text.substr(0, digits);
    const auto first = ParseUnsigned(text.substr(digits, dots - digits), UINT32_MAX);
    const auto last = ParseUnsigned(text.substr(dots + 2), UINT32_MAX);
    if (!IsName(prefix) || !first || !last || *first > *last || *last - *first >= MOST_NAMES)
    {
        return {};
    }
    std::vector<std::string> names;
    for (uint64_t number = *first; number <= *last; ++number)
    {
        names.push_back(prefix + std::to_string(number));
    }
    return names;
}

} // namespace ns3::nfsrdma
