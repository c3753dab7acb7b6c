/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester-settings.h"

#include "rpcrdma/message/continuation.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/cancel.h"
#include "rpcrdma/policy/inline-threshold.h"
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/policy/reply-mechanism.h"
#include "rpcrdma/registration/strategy.h"

namespace ns3::nfsrdma
{

#define SETTINGS_OF RpcRdmaClientSettings
#define SETTINGS_FILE "rpcrdma/client/requester.def"
#include "settings/rows.def"

} // namespace ns3::nfsrdma
