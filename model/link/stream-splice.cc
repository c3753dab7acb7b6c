/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/stream-splice.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t END_OF_OPTIONS = 0;
constexpr uint8_t NO_OPERATION = 1;
constexpr uint8_t SELECTIVE_ACKNOWLEDGMENT = 5;
constexpr std::size_t OPTION_HEAD = 2;
constexpr std::size_t EDGE_SIZE = 4;

int32_t
GetDistance(uint32_t from, uint32_t to)
{
    return static_cast<int32_t>(to - from);
}

/// \return the octets of \p segment from \p begin up to \p end, offsets in its payload.
TcpSegment
Cut(const TcpSegment& segment, std::size_t begin, std::size_t end)
{
    TcpSegment piece = segment;
    piece.sequence += static_cast<uint32_t>(begin);
    piece.payload.assign(segment.payload.begin() + static_cast<std::ptrdiff_t>(begin),
                         segment.payload.begin() + static_cast<std::ptrdiff_t>(end));
    if (end < segment.payload.size())
    {
        piece.flags &= static_cast<uint16_t>(~(TcpSegment::FIN | TcpSegment::PSH));
    }
    return piece;
}

} // namespace

void
StreamSplice::Insert(uint32_t sequence, ByteVector octets)
{
    m_insertions.push_back({sequence, std::move(octets)});
}

std::vector<TcpSegment>
StreamSplice::Forward(const TcpSegment& segment) const
{
    std::vector<TcpSegment> passing;
    uint32_t offset = m_offset;
    std::size_t done = 0;
    for (const auto& insertion : m_insertions)
    {
        const auto ahead = GetDistance(segment.sequence, insertion.sequence);
        if (ahead >= 0 && static_cast<std::size_t>(ahead) < segment.payload.size())
        {
            const auto place = static_cast<std::size_t>(ahead);
            if (place > done)
            {
                passing.push_back(Cut(segment, done, place));
                passing.back().sequence += offset;
            }
            TcpSegment put = Cut(segment, place, place);
            put.sequence += offset;
            put.payload = insertion.octets;
            passing.push_back(std::move(put));
            done = place;
        }
        if (ahead < static_cast<int32_t>(std::max<std::size_t>(segment.payload.size(), 1)))
        {
            offset += static_cast<uint32_t>(insertion.octets.size());
        }
    }
    passing.push_back(Cut(segment, done, segment.payload.size()));
    passing.back().sequence += offset;
    return passing;
}

void
StreamSplice::Backward(TcpSegment& segment)
{
    if ((segment.flags & TcpSegment::ACK) == 0)
    {
        return;
    }
    RenumberSelective(segment);
    const uint32_t acknowledged = segment.acknowledgment;
    segment.acknowledgment = ToSender(acknowledged);
    while (!m_insertions.empty())
    {
        const auto& first = m_insertions.front();
        const auto size = static_cast<uint32_t>(first.octets.size());
        if (GetDistance(first.sequence + m_offset + size, acknowledged) < 0)
        {
            break;
        }
        m_offset += size;
        m_insertions.pop_front();
    }
}

uint32_t
StreamSplice::ToSender(uint32_t number) const
{
    number -= m_offset;
    for (const auto& insertion : m_insertions)
    {
        const auto beyond = GetDistance(insertion.sequence, number);
        if (beyond <= 0)
        {
            break;
        }
        number -=
            std::min(static_cast<uint32_t>(beyond), static_cast<uint32_t>(insertion.octets.size()));
    }
    return number;
}

void
StreamSplice::RenumberSelective(TcpSegment& segment) const
{
    auto& options = segment.options;
    std::size_t at = 0;
    while (at < options.size() && options[at] != END_OF_OPTIONS)
    {
        if (options[at] == NO_OPERATION)
        {
            ++at;
            continue;
        }
        if (at + OPTION_HEAD > options.size() || options[at + 1] < OPTION_HEAD ||
            at + options[at + 1] > options.size())
        {
            return;
        }
        const std::size_t end = at + options[at + 1];
        if (options[at] == SELECTIVE_ACKNOWLEDGMENT)
        {
            for (std::size_t edge = at + OPTION_HEAD; edge + EDGE_SIZE <= end; edge += EDGE_SIZE)
            {
                const auto number = boost::endian::load_big_u32(&options[edge]);
                boost::endian::store_big_u32(&options[edge], ToSender(number));
            }
        }
        at = end;
    }
}

} // namespace ns3::nfsrdma
