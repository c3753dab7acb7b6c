/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/protection-settings.h"

namespace ns3::nfsrdma
{

#define SETTINGS_OF IpsecSettings
#define SETTINGS_FILE "ipsec/protection.def"
#include "settings/rows.def"

} // namespace ns3::nfsrdma
