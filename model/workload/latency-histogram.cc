/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/latency-histogram.h"

#include <algorithm>
#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t BITS = 6;
constexpr uint64_t PER_GROUP = uint64_t{1} << BITS;

std::size_t
GetBucket(uint64_t value)
{
    uint32_t shift = 0;
    while (value >> shift >= 2 * PER_GROUP)
    {
        ++shift;
    }
    return static_cast<std::size_t>((shift * PER_GROUP) + (value >> shift));
}

/// \return the largest value of a bucket.
uint64_t
GetLargest(std::size_t bucket)
{
    if (bucket < 2 * PER_GROUP)
    {
        return bucket;
    }
    const uint64_t shift = (bucket / PER_GROUP) - 1;
    const uint64_t mantissa = bucket - (shift * PER_GROUP);
    return ((mantissa + 1) << shift) - 1;
}

} // namespace

void
LatencyHistogram::Add(Time latency)
{
    const auto value = static_cast<uint64_t>(std::max<int64_t>(latency.GetNanoSeconds(), 0));
    const std::size_t bucket = GetBucket(value);
    if (bucket >= m_buckets.size())
    {
        m_buckets.resize(bucket + 1);
    }
    ++m_buckets[bucket];
    m_minimum = m_count == 0 ? value : std::min(m_minimum, value);
    m_maximum = std::max(m_maximum, value);
    ++m_count;
    m_sum += value;
}

void
LatencyHistogram::Add(const LatencyHistogram& other)
{
    if (other.m_count == 0)
    {
        return;
    }
    m_buckets.resize(std::max(m_buckets.size(), other.m_buckets.size()));
    for (std::size_t i = 0; i < other.m_buckets.size(); ++i)
    {
        m_buckets[i] += other.m_buckets[i];
    }
    m_minimum = m_count == 0 ? other.m_minimum : std::min(m_minimum, other.m_minimum);
    m_maximum = std::max(m_maximum, other.m_maximum);
    m_count += other.m_count;
    m_sum += other.m_sum;
}

bool
LatencyHistogram::Add(const Bucket& bucket)
{
    const std::size_t index = GetBucket(bucket.low);
    if (bucket.low > bucket.high || GetLargest(index) != bucket.high ||
        (index > 0 && GetLargest(index - 1) + 1 != bucket.low))
    {
        return false;
    }
    if (bucket.count == 0)
    {
        return true;
    }
    if (index >= m_buckets.size())
    {
        m_buckets.resize(index + 1);
    }
    m_buckets[index] += bucket.count;
    m_minimum = m_count == 0 ? bucket.high : std::min(m_minimum, bucket.high);
    m_maximum = std::max(m_maximum, bucket.high);
    m_count += bucket.count;
    m_sum += bucket.high * bucket.count;
    return true;
}

std::vector<LatencyHistogram::Bucket>
LatencyHistogram::ListBuckets() const
{
    std::vector<Bucket> buckets;
    for (std::size_t index = 0; index < m_buckets.size(); ++index)
    {
        if (m_buckets[index] != 0)
        {
            buckets.push_back(
                {index == 0 ? 0 : GetLargest(index - 1) + 1, GetLargest(index), m_buckets[index]});
        }
    }
    return buckets;
}

Time
LatencyHistogram::GetMinimum() const
{
    return NanoSeconds(m_minimum);
}

Time
LatencyHistogram::GetMaximum() const
{
    return NanoSeconds(m_maximum);
}

Time
LatencyHistogram::GetQuantile(double fraction) const
{
    const auto rank = static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(m_count)));
    uint64_t seen = 0;
    for (std::size_t i = 0; i < m_buckets.size(); ++i)
    {
        seen += m_buckets[i];
        if (m_buckets[i] != 0 && seen >= rank)
        {
            return NanoSeconds(std::min(GetLargest(i), m_maximum));
        }
    }
    return NanoSeconds(m_maximum);
}

} // namespace ns3::nfsrdma
