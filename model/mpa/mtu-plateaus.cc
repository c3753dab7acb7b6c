/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mtu-plateaus.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

uint32_t
GetNextLowerPlateau(uint32_t mtu)
{
    constexpr std::array<uint32_t, 10> PLATEAUS{
        {32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, 68}};
    const auto* const lower = std::find_if(PLATEAUS.begin(),
                                           PLATEAUS.end(),
                                           [mtu](uint32_t plateau) { return plateau < mtu; });
    return lower == PLATEAUS.end() ? PLATEAUS.back() : *lower;
}

} // namespace ns3::nfsrdma
