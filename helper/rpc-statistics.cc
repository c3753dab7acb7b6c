/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-statistics.h"

#include "helper/rpc-operation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::nfsrdma
{

void
OperationStatistics::Add(const RpcRecord& record)
{
    m_latencies.push_back((record.completed - record.submitted).GetNanoSeconds());
    m_errors += IsError(record) ? 1 : 0;
    m_registrations += record.registrations;
    m_retransmissions += record.transmissions > 1 ? record.transmissions - 1 : 0;
    m_bytes.inlined += uint64_t{record.callInlineBytes} + record.replyInlineBytes;
    m_bytes.readChunk += record.readChunkBytes;
    m_bytes.writeChunk += record.writeChunkBytes;
    m_bytes.replyChunk += record.replyChunkBytes;
    m_bytes.replyReadChunk += record.replyReadBytes;
    ++m_forms[record.GetForm()];
}

void
OperationStatistics::Add(const OperationStatistics& other)
{
    m_latencies.insert(m_latencies.end(), other.m_latencies.begin(), other.m_latencies.end());
    m_errors += other.m_errors;
    m_registrations += other.m_registrations;
    m_retransmissions += other.m_retransmissions;
    m_bytes.inlined += other.m_bytes.inlined;
    m_bytes.readChunk += other.m_bytes.readChunk;
    m_bytes.writeChunk += other.m_bytes.writeChunk;
    m_bytes.replyChunk += other.m_bytes.replyChunk;
    m_bytes.replyReadChunk += other.m_bytes.replyReadChunk;
    for (const auto& [form, count] : other.m_forms)
    {
        m_forms[form] += count;
    }
}

uint64_t
OperationStatistics::GetCount() const
{
    return m_latencies.size();
}

uint64_t
OperationStatistics::GetErrors() const
{
    return m_errors;
}

uint64_t
OperationStatistics::GetRegistrations() const
{
    return m_registrations;
}

uint64_t
OperationStatistics::GetRetransmissions() const
{
    return m_retransmissions;
}

const RpcBytes&
OperationStatistics::GetBytes() const
{
    return m_bytes;
}

const std::map<std::string, uint64_t>&
OperationStatistics::GetForms() const
{
    return m_forms;
}

double
OperationStatistics::GetMeanLatency() const
{
    if (m_latencies.empty())
    {
        return 0;
    }
    const auto sum = std::accumulate(m_latencies.begin(), m_latencies.end(), int64_t{0});
    return static_cast<double>(sum) / static_cast<double>(m_latencies.size());
}

Time
OperationStatistics::GetLatencyQuantile(double fraction) const
{
    if (m_latencies.empty())
    {
        return {};
    }
    if (m_sorted.size() != m_latencies.size())
    {
        m_sorted = m_latencies;
        std::sort(m_sorted.begin(), m_sorted.end());
    }
    const auto rank = std::ceil(fraction * static_cast<double>(m_sorted.size()));
    const auto index = std::max<std::size_t>(1, static_cast<std::size_t>(rank)) - 1;
    return NanoSeconds(m_sorted.at(std::min(index, m_sorted.size() - 1)));
}

void
RpcStatistics::Add(const RpcRecord& record)
{
    const Operation operation{record.program, record.version, record.procedure, record.operation};
    auto place = m_operations.find(operation);
    if (place == m_operations.end())
    {
        place = m_operations.emplace(operation, Named{GetOperationName(record), {}}).first;
    }
    place->second.statistics.Add(record);
    m_first = std::min(m_first, record.submitted);
    m_last = std::max(m_last, record.completed);
}

std::vector<std::pair<std::string, const OperationStatistics*>>
RpcStatistics::GetOperations() const
{
    std::vector<std::pair<std::string, const OperationStatistics*>> operations;
    for (const auto& [numbers, named] : m_operations)
    {
        operations.emplace_back(named.name, &named.statistics);
    }
    return operations;
}

OperationStatistics
RpcStatistics::GetTotal() const
{
    OperationStatistics total;
    for (const auto& [numbers, named] : m_operations)
    {
        total.Add(named.statistics);
    }
    return total;
}

Time
RpcStatistics::GetDuration() const
{
    return m_operations.empty() ? Time() : m_last - m_first;
}

} // namespace ns3::nfsrdma
