/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/dispatch-settings.h"

namespace ns3::nfsrdma
{

#define SETTINGS_OF RpcDispatchSettings
#define SETTINGS_FILE "rpc/dispatch.def"
#include "settings/rows.def"

} // namespace ns3::nfsrdma
