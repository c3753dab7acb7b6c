/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/advertised-memory.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

bool
IsIn(ByteSpan octets, ByteSpan name)
{
    return std::search(octets.begin(), octets.end(), name.begin(), name.end()) != octets.end();
}

} // namespace

void
AdvertisedMemory::Advertise(ByteSpan octets)
{
    m_found.clear();
    if (octets.empty())
    {
        return;
    }
    Said& said = m_said.emplace_back();
    said.octets = octets;
    const ByteSpan start = octets.first(std::min<std::size_t>(octets.size(), OVERLAP));
    auto end = std::copy_n(m_tail.begin(), m_tailOctets, said.seam.begin());
    end = std::copy(start.begin(), start.end(), end);
    said.seamOctets = m_tailOctets + start.size();
    const ByteSpan seam = ByteSpan(said.seam).first(said.seamOctets);
    const ByteSpan last = octets.size() >= OVERLAP ? octets : seam;
    m_tailOctets = std::min<std::size_t>(last.size(), OVERLAP);
    const ByteSpan tail = last.last(m_tailOctets);
    std::copy(tail.begin(), tail.end(), m_tail.begin());
}

void
AdvertisedMemory::SetElsewhere(Elsewhere elsewhere)
{
    m_elsewhere = std::move(elsewhere);
    m_found.clear();
}

bool
AdvertisedMemory::WasSaid(ByteSpan name, std::size_t ignored) const
{
    for (std::size_t index = m_said.size(); index > ignored; --index)
    {
        const Said& said = m_said[index - 1];
        const bool hasSeam = index - 1 > ignored;
        if (IsIn(said.octets, name) ||
            (hasSeam && IsIn(ByteSpan(said.seam).first(said.seamOctets), name)))
        {
            return true;
        }
    }
    return false;
}

bool
AdvertisedMemory::IsValid(Stag stag) const
{
    const auto known = m_found.find(stag);
    if (known != m_found.end())
    {
        return known->second;
    }
    std::array<uint8_t, sizeof(Stag)> name{};
    boost::endian::store_big_u32(name.data(), stag);
    const auto invalidated = m_invalidated.find(stag);
    const bool wasValid = invalidated != m_invalidated.end();
    const bool valid =
        WasSaid(name, wasValid ? invalidated->second : 0) || (!wasValid && m_elsewhere(stag));
    return m_found[stag] = valid;
}

void
AdvertisedMemory::Invalidate(Stag stag)
{
    m_invalidated[stag] = m_said.size();
    m_found.clear();
}

} // namespace ns3::nfsrdma
