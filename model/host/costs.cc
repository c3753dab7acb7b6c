/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/costs.h"

#include <array>

namespace ns3::nfsrdma
{

#define SETTINGS_OF HostCosts
#define SETTINGS_FILE "host/costs.def"
#include "settings/rows.def"

const char*
ToString(HostContext context)
{
    static constexpr std::array<const char*, HOST_CONTEXTS> NAMES{"process",
                                                                  "work_queue",
                                                                  "soft_interrupt",
                                                                  "interrupt"};
    return NAMES.at(static_cast<std::size_t>(context));
}

} // namespace ns3::nfsrdma
