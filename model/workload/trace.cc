/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/trace.h"

namespace ns3::nfsrdma
{

std::string
TraceRow::GetName() const
{
    return procedure ? procedure->GetName() : program + " " + operation;
}

uint32_t
Trace::GetTraceClient(uint32_t client) const
{
    return clients.empty() ? 0 : client % static_cast<uint32_t>(clients.size());
}

std::map<std::string, uint64_t>
Trace::CountUnsupported() const
{
    std::map<std::string, uint64_t> counts;
    for (const auto& row : rows)
    {
        if (!row.procedure)
        {
            ++counts[row.GetName()];
        }
    }
    return counts;
}

} // namespace ns3::nfsrdma
