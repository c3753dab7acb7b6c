/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-statistics.h"

#include "helper/rpc-operation.h"
#include "helper/sample-size.h"

#include <algorithm>
#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

constexpr double NS_PER_S = 1e9;

} // namespace

RpcBytes&
RpcBytes::operator+=(const RpcBytes& other)
{
    inlined += other.inlined;
    readChunk += other.readChunk;
    writeChunk += other.writeChunk;
    replyChunk += other.replyChunk;
    replyReadChunk += other.replyReadChunk;
    return *this;
}

RpcBytes
RpcBytes::Of(const RpcRecord& record)
{
    return {uint64_t{record.callInlineBytes} + record.replyInlineBytes,
            record.readChunkBytes,
            record.writeChunkBytes,
            record.replyChunkBytes,
            record.replyReadBytes};
}

void
OperationStatistics::Add(const RpcRecord& record, bool ended, bool arrived)
{
    const bool isError = IsError(record);
    if (arrived && !isError)
    {
        AddLatency(record.completed - record.arrived);
    }
    if (!ended)
    {
        return;
    }
    m_retransmissions += record.transmissions > 1 ? record.transmissions - 1 : 0;
    if (isError)
    {
        ++m_errors;
        m_failed.registrations += record.registrations;
        m_failed.bytes += RpcBytes::Of(record);
        ++m_failed.reasons[GetErrorName(record)];
        return;
    }
    ++m_count;
    m_registrations += record.registrations;
    m_bytes += RpcBytes::Of(record);
    ++m_forms[record.GetForm()];
}

void
OperationStatistics::AddLatency(Time latency)
{
    if (m_histogram.GetCount() == m_latencies.size())
    {
        m_latencies.push_back(latency.GetNanoSeconds());
    }
    m_histogram.Add(latency);
    if (m_latencies.size() > MOST_EXACT)
    {
        m_latencies.clear();
    }
}

void
OperationStatistics::Add(const OperationStatistics& other)
{
    const bool exact = m_latencies.size() == m_histogram.GetCount() &&
                       other.m_latencies.size() == other.m_histogram.GetCount() &&
                       m_latencies.size() + other.m_latencies.size() <= MOST_EXACT;
    if (exact)
    {
        m_latencies.insert(m_latencies.end(), other.m_latencies.begin(), other.m_latencies.end());
    }
    else
    {
        m_latencies.clear();
    }
    m_histogram.Add(other.m_histogram);
    m_count += other.m_count;
    m_errors += other.m_errors;
    m_failed.registrations += other.m_failed.registrations;
    m_failed.bytes += other.m_failed.bytes;
    for (const auto& [reason, count] : other.m_failed.reasons)
    {
        m_failed.reasons[reason] += count;
    }
    m_registrations += other.m_registrations;
    m_retransmissions += other.m_retransmissions;
    m_bytes += other.m_bytes;
    for (const auto& [form, count] : other.m_forms)
    {
        m_forms[form] += count;
    }
}

uint64_t
OperationStatistics::GetCount() const
{
    return m_count;
}

uint64_t
OperationStatistics::GetAttempts() const
{
    return GetCount() + m_errors;
}

const FailedRpcs&
OperationStatistics::GetFailed() const
{
    return m_failed;
}

double
OperationStatistics::GetRegistrationsPerRpc() const
{
    return m_count == 0 ? 0 : static_cast<double>(m_registrations) / static_cast<double>(m_count);
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
    return m_histogram.GetMean();
}

Time
OperationStatistics::GetLatencyQuantile(double fraction) const
{
    if (m_histogram.GetCount() == 0)
    {
        return {};
    }
    if (m_latencies.size() != m_histogram.GetCount())
    {
        return m_histogram.GetQuantile(fraction);
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

std::optional<Time>
OperationStatistics::FindLatencyQuantile(double fraction) const
{
    return CarriesQuantile(m_histogram.GetCount(), fraction)
               ? std::optional(GetLatencyQuantile(fraction))
               : std::nullopt;
}

const LatencyHistogram&
OperationStatistics::GetLatencies() const
{
    return m_histogram;
}

void
RpcStatistics::Add(const RpcRecord& record, bool ended, bool arrived)
{
    const Operation operation{record.program, record.version, record.procedure, record.operation};
    auto place = m_operations.find(operation);
    if (place == m_operations.end())
    {
        place = m_operations.emplace(operation, Named{GetOperationName(record), {}}).first;
    }
    place->second.statistics.Add(record, ended, arrived);
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
    return m_window.value_or(m_operations.empty() ? Time() : m_last - m_first);
}

void
RpcStatistics::SetWindow(Time length)
{
    m_window = length;
}

void
RpcStatistics::SetData(uint64_t octets)
{
    m_data = octets;
}

double
RpcStatistics::GetRate() const
{
    const auto seconds = static_cast<double>(GetDuration().GetNanoSeconds()) / NS_PER_S;
    return seconds > 0 ? static_cast<double>(GetTotal().GetCount()) / seconds : 0;
}

double
RpcStatistics::GetGoodput() const
{
    constexpr double BITS_PER_OCTET = 8;
    const auto seconds = static_cast<double>(GetDuration().GetNanoSeconds()) / NS_PER_S;
    return seconds > 0 ? static_cast<double>(m_data) * BITS_PER_OCTET / seconds : 0;
}

} // namespace ns3::nfsrdma
