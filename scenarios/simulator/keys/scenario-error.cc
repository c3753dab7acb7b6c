/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-error.h"

#include "workload/replay/one-line.h"

#include <utility>

namespace ns3::nfsrdma
{

std::string
ScenarioOrigin::ToText() const
{
    return line == 0 ? source : source + ":" + std::to_string(line);
}

bool
ScenarioOrigin::IsCommandLine() const
{
    return line == 0 && source != DEFAULT;
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
    return OnOneLine(std::move(text));
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
    return "'" + OnOneLine(text) + "'";
}

} // namespace ns3::nfsrdma
