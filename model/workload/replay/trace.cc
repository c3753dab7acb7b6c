/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/trace.h"

#include "workload/replay/recorded-compound.h"

namespace ns3::nfsrdma
{

std::string
TraceRow::GetName() const
{
    return procedure ? procedure->GetName() : program + " " + operation;
}

std::optional<uint32_t>
Trace::GetMinorVersion() const
{
    for (const auto& row : rows)
    {
        if (row.compound != nullptr && !row.compound->call.ops.empty())
        {
            return row.compound->call.minorVersion;
        }
    }
    return std::nullopt;
}

std::string
Trace::GetNfsVersion() const
{
    if (const auto minor = GetMinorVersion())
    {
        return "4." + std::to_string(*minor);
    }
    return version == TraceVersion::V2 ? "2" : "3";
}

std::string
Trace::GetExportName() const
{
    for (const auto& row : rows)
    {
        if (row.compound != nullptr && row.compound->findsRoot)
        {
            return row.name;
        }
    }
    return {};
}

std::map<std::string, uint64_t>
Trace::CountUnsupported() const
{
    std::map<std::string, uint64_t> counts;
    for (const auto& row : rows)
    {
        if (!row.procedure && row.compound == nullptr)
        {
            ++counts[row.GetName()];
        }
    }
    return counts;
}

} // namespace ns3::nfsrdma
