/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/advertised-memory.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

void
AdvertisedMemory::Advertise(ByteSpan octets)
{
    m_said.insert(m_said.end(), octets.begin(), octets.end());
    m_found.clear();
}

void
AdvertisedMemory::AdvertiseElsewhere(ByteSpan octets)
{
    m_elsewhere.push_back(octets);
    m_found.clear();
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
    const auto isIn = [&name](ByteSpan octets) {
        return std::search(octets.begin(), octets.end(), name.begin(), name.end()) != octets.end();
    };
    const auto invalidated = m_invalidated.find(stag);
    const bool wasValid = invalidated != m_invalidated.end();
    const bool valid = isIn(ByteSpan(m_said).subspan(wasValid ? invalidated->second : 0)) ||
                       (!wasValid && std::any_of(m_elsewhere.begin(), m_elsewhere.end(), isIn));
    return m_found[stag] = valid;
}

void
AdvertisedMemory::Invalidate(Stag stag)
{
    m_invalidated[stag] = m_said.size();
    m_found.clear();
}

} // namespace ns3::nfsrdma
