/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/storage-check.h"

#include "nfs/store/raid-layout.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

void
CheckStorage(const ScenarioConfig& config)
{
    const std::string raid = config.Get("storage.raid").AsText();
    const uint64_t devices = config.Get("storage.raid_devices").AsInteger();
    if (raid == "raid5" && devices < 3)
    {
        config.Refuse("storage.raid_devices", "at least 3, two for data and one for parity");
    }
    if (raid == "raid6" && devices < 4)
    {
        config.Refuse("storage.raid_devices", "at least 4, two for data and two for parity");
    }
    if (config.Get("storage.raid_chunk").AsInteger() % RaidLayout::PAGE != 0)
    {
        config.Refuse("storage.raid_chunk", "a multiple of 4KiB");
    }
}

} // namespace ns3::nfsrdma
