/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/profile.h"

namespace ns3::nfsrdma
{

#define SETTINGS_OF RnicSettings
#define SETTINGS_FILE "rnic/hardware/profile.def"
#include "settings/rows.def"

#define SETTINGS_OF RnicDefences
#define SETTINGS_FILE "rnic/hardware/defences.def"
#include "settings/rows.def"

} // namespace ns3::nfsrdma
