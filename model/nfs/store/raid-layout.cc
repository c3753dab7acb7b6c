/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/raid-layout.h"

#include <algorithm>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

uint64_t
RoundDown(uint64_t octets)
{
    return octets / RaidLayout::PAGE * RaidLayout::PAGE;
}

uint64_t
RoundUp(uint64_t octets)
{
    return RoundDown(octets + RaidLayout::PAGE - 1);
}

} // namespace

RaidLayout::RaidLayout(RaidLevel level, uint32_t devices, uint64_t chunk)
    : m_level(level),
      m_devices(devices),
      m_data(devices - CountParity(level)),
      m_chunk(chunk)
{
}

uint32_t
RaidLayout::CountParity(RaidLevel level)
{
    switch (level)
    {
    case RaidLevel::RAID5:
        return 1;
    case RaidLevel::RAID6:
        return 2;
    case RaidLevel::NONE:
    case RaidLevel::RAID0:
    case RaidLevel::RAID1:
        break;
    }
    return 0;
}

uint32_t
RaidLayout::GetParityDevice(uint64_t stripe, uint32_t number) const
{
    return static_cast<uint32_t>((m_devices - 1 - stripe % m_devices + number) % m_devices);
}

uint32_t
RaidLayout::GetDevice(uint64_t stripe, uint32_t index) const
{
    const uint32_t parity = CountParity(m_level);
    return parity == 0 ? index : (GetParityDevice(stripe, parity) + index) % m_devices;
}

void
RaidLayout::Add(std::vector<RaidOperation>& operations, const RaidOperation& added)
{
    const auto latest = std::find_if(
        operations.rbegin(),
        operations.rend(),
        [&added](const RaidOperation& earlier) { return earlier.device == added.device; });
    if (latest != operations.rend() && latest->position + latest->octets == added.position)
    {
        latest->octets += added.octets;
        return;
    }
    operations.push_back(added);
}

std::vector<RaidOperation>
RaidLayout::Read(uint64_t position, uint64_t octets, uint32_t mirror) const
{
    if (m_level == RaidLevel::RAID1)
    {
        return {{mirror, position, octets}};
    }
    std::vector<RaidOperation> operations;
    const uint64_t end = position + octets;
    while (position < end)
    {
        const uint64_t chunk = position / m_chunk;
        const uint64_t within = position % m_chunk;
        const uint64_t stripe = chunk / m_data;
        const uint64_t part = std::min(end - position, m_chunk - within);
        Add(operations,
            {GetDevice(stripe, static_cast<uint32_t>(chunk % m_data)),
             stripe * m_chunk + within,
             part});
        position += part;
    }
    return operations;
}

RaidWrite
RaidLayout::Write(uint64_t position, uint64_t octets) const
{
    RaidWrite write;
    if (m_level == RaidLevel::RAID1)
    {
        for (uint32_t device = 0; device < m_devices; ++device)
        {
            write.writes.push_back({device, position, octets});
        }
        return write;
    }
    if (CountParity(m_level) == 0)
    {
        write.writes = Read(position, octets, 0);
        return write;
    }
    const uint64_t end = position + octets;
    const uint64_t width = m_chunk * m_data;
    for (uint64_t stripe = position / width; stripe * width < end; ++stripe)
    {
        std::vector<Range> written(m_data);
        for (uint32_t index = 0; index < m_data; ++index)
        {
            const uint64_t start = stripe * width + index * m_chunk;
            const uint64_t from = std::clamp(position, start, start + m_chunk);
            const uint64_t to = std::clamp(end, start, start + m_chunk);
            written[index] = {from - start, to - start};
        }
        WriteStripe(stripe, written, write);
    }
    return write;
}

void
RaidLayout::WriteStripe(uint64_t stripe, const std::vector<Range>& written, RaidWrite& write) const
{
    std::set<uint64_t> bounds;
    for (const auto& [from, to] : written)
    {
        if (from < to)
        {
            bounds.insert({RoundDown(from), RoundUp(from), RoundDown(to), RoundUp(to)});
        }
    }
    for (auto bound = bounds.begin(); std::next(bound) != bounds.end(); ++bound)
    {
        WriteRows(stripe, {*bound, *std::next(bound)}, written, write);
    }
}

void
RaidLayout::WriteRows(uint64_t stripe,
                      const Range& rows,
                      const std::vector<Range>& written,
                      RaidWrite& write) const
{
    const auto isTouched = [&rows](const Range& range) {
        return range.first < range.second && range.first < rows.second && range.second > rows.first;
    };
    const auto isOverwritten = [&rows](const Range& range) {
        return range.first <= rows.first && range.second >= rows.second;
    };
    const auto touched = std::count_if(written.begin(), written.end(), isTouched);
    const auto kept = m_data - std::count_if(written.begin(), written.end(), isOverwritten);
    if (touched == 0)
    {
        return;
    }
    const uint32_t parity = CountParity(m_level);
    const bool modifies = touched + parity < kept;
    const uint64_t octets = rows.second - rows.first;
    const uint64_t position = stripe * m_chunk + rows.first;
    for (uint32_t index = 0; index < m_data; ++index)
    {
        const RaidOperation operation{GetDevice(stripe, index), position, octets};
        if (modifies ? isTouched(written[index]) : !isOverwritten(written[index]))
        {
            Add(write.reads, operation);
        }
        if (isTouched(written[index]))
        {
            Add(write.writes, operation);
        }
    }
    for (uint32_t number = 0; number < parity; ++number)
    {
        const RaidOperation operation{GetParityDevice(stripe, number), position, octets};
        if (modifies)
        {
            Add(write.reads, operation);
        }
        Add(write.writes, operation);
    }
}

} // namespace ns3::nfsrdma
