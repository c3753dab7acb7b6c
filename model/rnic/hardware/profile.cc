/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/profile.h"

namespace ns3::nfsrdma
{

const std::vector<Setting<RnicSettings>>&
RnicSettings::GetRows()
{
    static const std::vector<Setting<RnicSettings>> rows{
#define SETTING(type, name, ...) NFSRDMA_SETTING_ROW(RnicSettings, name, __VA_ARGS__),
#include "rnic/hardware/profile.def"
#undef SETTING
    };
    return rows;
}

const std::vector<Setting<RnicDefences>>&
RnicDefences::GetRows()
{
    static const std::vector<Setting<RnicDefences>> rows{
#define SETTING(type, name, ...) NFSRDMA_SETTING_ROW(RnicDefences, name, __VA_ARGS__),
#include "rnic/hardware/defences.def"
#undef SETTING
    };
    return rows;
}

} // namespace ns3::nfsrdma
