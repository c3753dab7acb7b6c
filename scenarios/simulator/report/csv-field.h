/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_CSV_FIELD_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_CSV_FIELD_H

#include <string>

namespace ns3::nfsrdma
{

/// \return \p text as a field of a table with commas (RFC 4180): in quotes when it has need of
/// them.
inline std::string
QuoteField(const std::string& text)
{
    if (text.find_first_of(",\"") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted.append(c == '"' ? 2 : 1, c);
    }
    return quoted + "\"";
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_CSV_FIELD_H
