/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/adversaries.h"

#include "scenarios/simulator/report/csv-field.h"

namespace ns3::nfsrdma
{

namespace
{

/// \return a row for each thing that \p role did.
std::string
MakeRows(const std::string& run, const nlohmann::ordered_json& role)
{
    std::string rows;
    for (const auto& [what, count] : role["broken"].items())
    {
        rows += run;
        for (const auto* field : {"name", "role", "host"})
        {
            rows += "," + QuoteField(role[field].get<std::string>());
        }
        rows += "," + QuoteField(what) + "," + count.dump() + "\n";
    }
    return rows;
}

} // namespace

std::string
MakeSweepAdversariesCsv(const std::vector<std::string>& keys,
                        const std::vector<SweepResult>& results)
{
    std::string rows;
    for (const auto& result : results)
    {
        if (!result.summary.contains("adversaries"))
        {
            continue;
        }
        std::string run = std::to_string(result.point) + "," + std::to_string(result.seed);
        for (const auto& value : result.values)
        {
            run += "," + QuoteField(value);
        }
        for (const auto& role : result.summary["adversaries"]["roles"])
        {
            rows += MakeRows(run, role);
        }
    }
    if (rows.empty())
    {
        return rows;
    }
    std::string head = "point,seed";
    for (const auto& key : keys)
    {
        head += "," + QuoteField(key);
    }
    return head + ",name,role,host,what,count\n" + rows;
}

} // namespace ns3::nfsrdma
