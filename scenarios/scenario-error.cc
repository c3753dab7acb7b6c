/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-error.h"

#include <algorithm>
#include <cctype>

namespace ns3::nfsrdma
{

std::string
ScenarioOrigin::ToText() const
{
    return line == 0 ? source : source + ":" + std::to_string(line);
}

namespace
{

std::string
Compose(const std::string& where,
        const std::string& key,
        const std::string& got,
        const std::string& expected,
        const std::string& nearest)
{
    std::string text = where + ": ";
    if (!key.empty())
    {
        text += key + ": ";
    }
    text += "got " + got + ", expected " + expected;
    if (!nearest.empty())
    {
        text += "; nearest key: " + nearest;
    }
    return text;
}

} // namespace

ScenarioError::ScenarioError(const std::string& where,
                             const std::string& key,
                             const std::string& got,
                             const std::string& expected,
                             const std::string& nearest)
    : std::runtime_error(Compose(where, key, got, expected, nearest))
{
}

std::string
Quote(const std::string& text)
{
    std::string shown = text;
    std::replace_if(
        shown.begin(),
        shown.end(),
        [](unsigned char octet) { return std::iscntrl(octet) != 0; },
        '?');
    return "'" + shown + "'";
}

} // namespace ns3::nfsrdma
