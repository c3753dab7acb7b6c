/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/segment-change.h"

#include "mpa/fpdu.h"
#include "mpa/marker.h"
#include "mpa/reassembly-buffer.h"
#include "wire/crc32c.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <numeric>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t BITS = 8;

/// \return offsets of the octets of \p fpdu that are no markers.
std::vector<std::size_t>
ListUnmarked(const FollowedFpdu& fpdu)
{
    std::vector<std::size_t> offsets;
    for (std::size_t offset = 0; offset < fpdu.octets.size(); ++offset)
    {
        const auto phase = (fpdu.position + offset) % Marker::INTERVAL;
        if (!fpdu.framing.markers || phase >= Marker::SIZE)
        {
            offsets.push_back(offset);
        }
    }
    return offsets;
}

/// \return where \p what may change octets of an FPDU, as positions in it without markers.
PositionRange
FindRange(const FaultWhat& what, bool tagged, uint64_t ulpduEnd)
{
    if (what.octet)
    {
        return {*what.octet, uint64_t{*what.octet} + 1};
    }
    if (what.field == nullptr)
    {
        return {Fpdu::LENGTH_SIZE, ulpduEnd};
    }
    const uint64_t begin = tagged ? what.field->tagged : what.field->untagged;
    if (begin == FpduField::NOWHERE)
    {
        return {};
    }
    return {begin, what.field->size == 0 ? ulpduEnd : begin + what.field->size};
}

/// \return offsets in the payload of \p segment that may be changed.
std::vector<std::size_t>
ListOctets(const TcpSegment& segment, const FaultWhat& what, const FollowedFpdu* fpdu)
{
    std::vector<std::size_t> octets;
    if (fpdu == nullptr)
    {
        octets.resize(segment.payload.size());
        std::iota(octets.begin(), octets.end(), 0);
        return octets;
    }
    const auto unmarked = ListUnmarked(*fpdu);
    const uint64_t ulpduEnd = Fpdu::LENGTH_SIZE + ((uint64_t{fpdu->octets[unmarked[0]]} << BITS) |
                                                   fpdu->octets[unmarked[1]]);
    const auto range = FindRange(what, fpdu->tagged, ulpduEnd);
    const uint64_t end = std::min<uint64_t>(range.end, unmarked.size());
    for (uint64_t position = range.begin; position < end; ++position)
    {
        const auto offset = fpdu->begin + static_cast<int64_t>(unmarked[position]);
        if (offset >= 0 && offset < static_cast<int64_t>(segment.payload.size()))
        {
            octets.push_back(static_cast<std::size_t>(offset));
        }
    }
    return octets;
}

void
Seal(TcpSegment& segment, const FollowedFpdu& fpdu)
{
    ByteVector octets = fpdu.octets;
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        const auto offset = fpdu.begin + static_cast<int64_t>(i);
        if (offset >= 0 && offset < static_cast<int64_t>(segment.payload.size()))
        {
            octets[i] = segment.payload[static_cast<std::size_t>(offset)];
        }
    }
    const std::size_t covered = octets.size() - Fpdu::CRC_SIZE;
    const auto offset = static_cast<std::size_t>(fpdu.begin + static_cast<int64_t>(covered));
    boost::endian::store_little_u32(&segment.payload.at(offset),
                                    Crc32c(ByteSpan(octets).first(covered)));
}

} // namespace

uint64_t
CorruptSegment(TcpSegment& segment,
               const FaultWhat& what,
               const FollowedFpdu* fpdu,
               const DrawBelow& draw)
{
    auto octets = ListOctets(segment, what, fpdu);
    if (what.beforeCrc)
    {
        const auto crcAt = fpdu == nullptr
                               ? -1
                               : fpdu->begin + static_cast<int64_t>(fpdu->octets.size()) -
                                     static_cast<int64_t>(Fpdu::CRC_SIZE);
        if (crcAt < 0)
        {
            return 0;
        }
        const auto isCrc = [crcAt](std::size_t offset) {
            return static_cast<int64_t>(offset) >= crcAt;
        };
        octets.erase(std::remove_if(octets.begin(), octets.end(), isCrc), octets.end());
    }
    std::vector<uint64_t> bits(octets.size() * BITS);
    std::iota(bits.begin(), bits.end(), 0);
    const uint64_t count = std::min<uint64_t>(what.count, bits.size());
    for (uint64_t i = 0; i < count; ++i)
    {
        std::swap(bits[i], bits[i + draw(bits.size() - i)]);
        segment.payload[octets[bits[i] / BITS]] ^= static_cast<uint8_t>(1U << (bits[i] % BITS));
    }
    if (count > 0 && what.beforeCrc && fpdu->framing.crc)
    {
        Seal(segment, *fpdu);
    }
    return count;
}

} // namespace ns3::nfsrdma
