/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/request-log.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
RequestLog::Add(const std::string& item, Time arrived, Time ended, uint64_t octets, bool ok)
{
    const auto [entry, isNew] = m_items.try_emplace(item, static_cast<uint32_t>(m_items.size()));
    m_requests.push_back({entry->second, ok, arrived, ended, octets});
}

void
RequestLog::SetSpan(const std::string& item, Time begin, Time end)
{
    m_spans[item] = {begin, end};
}

std::vector<WorkloadResult>
RequestLog::Summarize(const MeasurementWindow& window) const
{
    std::vector<WorkloadResult> byNumber(m_items.size());
    for (const auto& request : m_requests)
    {
        auto& result = byNumber[request.item];
        if (window.Contains(request.ended))
        {
            result.CountEnd(request.ok, request.octets);
        }
        if (request.ok && window.Contains(request.arrived))
        {
            result.latency.Add(request.ended - request.arrived);
        }
    }
    std::vector<WorkloadResult> results;
    for (const auto& [item, number] : m_items)
    {
        auto& result = byNumber[number];
        if (result.attempts == 0 && result.latency.GetCount() == 0)
        {
            continue;
        }
        result.item = item;
        const auto span = m_spans.find(item);
        const MeasurementWindow own = span == m_spans.end() ? window : span->second;
        result.duration =
            MeasurementWindow{Max(own.begin, window.begin), Min(own.end, window.end)}.GetLength();
        results.push_back(std::move(result));
    }
    return results;
}

} // namespace ns3::nfsrdma
