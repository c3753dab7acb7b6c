/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "lone-path.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t BITS = 8;
constexpr uint32_t PREAMBLE = 8;
constexpr uint32_t ETHERNET_HEADER = 14;
constexpr uint32_t LEAST_PAYLOAD = 46;
constexpr uint32_t FCS = 4;
constexpr uint32_t GAP = 12;
constexpr uint32_t IP_AND_TCP = 20 + 20 + 12;

double
CountBits(uint32_t payload)
{
    return BITS *
           (PREAMBLE + ETHERNET_HEADER + std::max(LEAST_PAYLOAD, IP_AND_TCP + payload) + FCS);
}

} // namespace

double
LonePath::GetSerialisation(uint32_t payload) const
{
    return (CountBits(payload) + BITS * GAP) / bitsPerSecond;
}

double
LonePath::GetOneWay(uint32_t payload) const
{
    return 2 * (CountBits(payload) / bitsPerSecond + delay) + latency;
}

LoneSender::LoneSender(const LonePath& path, bool countsAcks)
    : m_path(path),
      m_countsAcks(countsAcks)
{
}

void
LoneSender::Acknowledge(uint64_t octets)
{
    m_uncounted += octets;
    const uint64_t segments = m_uncounted / SEGMENT;
    m_uncounted %= SEGMENT;
    m_window += SEGMENT * (m_countsAcks ? std::min<uint64_t>(segments, 1) : segments);
}

void
LoneSender::SendAcknowledgment(double at)
{
    const auto octets =
        std::accumulate(m_unacknowledged.begin(), m_unacknowledged.end(), uint64_t{0});
    m_acknowledgments.push_back({at + m_path.GetOneWay(0), octets});
    m_unacknowledged.clear();
}

void
LoneSender::TakeArrived(double arrives, uint32_t octets)
{
    if (!m_unacknowledged.empty() && m_oldest + DELAYED_ACK < arrives)
    {
        SendAcknowledgment(m_oldest + DELAYED_ACK);
    }
    m_oldest = m_unacknowledged.empty() ? arrives : m_oldest;
    m_unacknowledged.push_back(octets);
    if (m_unacknowledged.size() == ACK_EVERY)
    {
        SendAcknowledgment(arrives);
    }
}

double
LoneSender::Transfer(const std::vector<uint32_t>& segments)
{
    double now = 0;
    double portIsFree = 0;
    double arrived = 0;
    uint64_t underWay = 0;
    for (const uint32_t segment : segments)
    {
        while (underWay + segment > std::min<uint64_t>(m_window, BUFFER))
        {
            if (m_acknowledgments.empty())
            {
                SendAcknowledgment(m_oldest + DELAYED_ACK);
            }
            const auto next = m_acknowledgments.front();
            m_acknowledgments.pop_front();
            now = std::max(now, next.arrives);
            underWay -= next.octets;
            Acknowledge(next.octets);
        }
        const double starts = std::max(now, portIsFree);
        portIsFree = starts + m_path.GetSerialisation(segment);
        arrived = std::max(starts + m_path.GetOneWay(segment),
                           arrived + m_path.GetSerialisation(segment));
        underWay += segment;
        TakeArrived(arrived, segment);
    }
    // The next transfer begins when all of this one has been acknowledged.
    if (!m_unacknowledged.empty())
    {
        SendAcknowledgment(arrived);
    }
    for (const auto& late : m_acknowledgments)
    {
        Acknowledge(late.octets);
    }
    m_acknowledgments.clear();
    return arrived;
}

std::vector<uint32_t>
CutIntoFpdus(uint64_t octets, uint64_t request)
{
    constexpr uint32_t LENGTH = 2;
    constexpr uint32_t CRC = 4;
    constexpr uint32_t TAGGED_HEADER = 14;
    constexpr uint32_t ROOM = LoneSender::SEGMENT - LENGTH - CRC - TAGGED_HEADER;
    std::vector<uint32_t> fpdus;
    while (octets > 0)
    {
        uint64_t rest = std::min(octets, request);
        octets -= rest;
        while (rest > 0)
        {
            const auto data = static_cast<uint32_t>(std::min<uint64_t>(rest, ROOM));
            rest -= data;
            const uint32_t begun = LENGTH + TAGGED_HEADER + data;
            fpdus.push_back((begun + 3) / 4 * 4 + CRC);
        }
    }
    return fpdus;
}

std::vector<uint32_t>
CutIntoSegments(const std::vector<uint32_t>& fpdus, const std::string& transport, bool packing)
{
    if (transport == "layered")
    {
        const auto octets = std::accumulate(fpdus.begin(), fpdus.end(), uint64_t{0});
        std::vector<uint32_t> segments(octets / LoneSender::SEGMENT, LoneSender::SEGMENT);
        if (const auto rest = static_cast<uint32_t>(octets % LoneSender::SEGMENT); rest > 0)
        {
            segments.push_back(rest);
        }
        return segments;
    }
    if (!packing)
    {
        return fpdus;
    }
    std::vector<uint32_t> segments;
    for (const uint32_t fpdu : fpdus)
    {
        if (!segments.empty() && segments.back() + fpdu <= LoneSender::SEGMENT)
        {
            segments.back() += fpdu;
        }
        else
        {
            segments.push_back(fpdu);
        }
    }
    return segments;
}

std::vector<std::vector<std::size_t>>
CoverPairs(const std::vector<std::size_t>& levels)
{
    using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
    std::set<Pair> open;
    for (std::size_t a = 0; a < levels.size(); ++a)
    {
        for (std::size_t b = a + 1; b < levels.size(); ++b)
        {
            for (std::size_t i = 0; i < levels[a] * levels[b]; ++i)
            {
                open.emplace(a, i / levels[b], b, i % levels[b]);
            }
        }
    }
    const auto makePair = [](std::size_t a, std::size_t i, std::size_t b, std::size_t j) {
        return a < b ? Pair(a, i, b, j) : Pair(b, j, a, i);
    };
    std::vector<std::vector<std::size_t>> rows;
    while (!open.empty())
    {
        std::vector<std::optional<std::size_t>> row(levels.size());
        const auto [a, i, b, j] = *open.begin();
        row[a] = i;
        row[b] = j;
        for (std::size_t factor = 0; factor < levels.size(); ++factor)
        {
            if (row[factor])
            {
                continue;
            }
            std::size_t best = 0;
            std::size_t most = 0;
            for (std::size_t k = 0; k < levels[factor]; ++k)
            {
                const std::size_t level = (k + rows.size()) % levels[factor];
                std::size_t gain = 1;
                for (std::size_t other = 0; other < levels.size(); ++other)
                {
                    gain += row[other] ? open.count(makePair(factor, level, other, *row[other]))
                                       : std::size_t{0};
                }
                if (gain > most)
                {
                    most = gain;
                    best = level;
                }
            }
            row[factor] = best;
        }
        auto& taken = rows.emplace_back();
        for (std::size_t one = 0; one < levels.size(); ++one)
        {
            taken.push_back(*row[one]);
            for (std::size_t other = 0; other < one; ++other)
            {
                open.erase(makePair(other, *row[other], one, *row[one]));
            }
        }
    }
    return rows;
}

} // namespace ns3::nfsrdma
