/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester-settings.h"

#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/cancel.h"
#include "rpcrdma/policy/inline-threshold.h"
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/policy/reply-mechanism.h"
#include "rpcrdma/registration/strategy.h"

namespace ns3::nfsrdma
{

const std::vector<Setting<RpcRdmaClientSettings>>&
RpcRdmaClientSettings::GetRows()
{
    static const std::vector<Setting<RpcRdmaClientSettings>> rows{
#define SETTING(type, name, ...) NFSRDMA_SETTING_ROW(RpcRdmaClientSettings, name, __VA_ARGS__),
#define SETTING_PART(part, name, ...)                                                              \
    NFSRDMA_SETTING_PART(RpcRdmaClientSettings, part, name, __VA_ARGS__),
#include "rpcrdma/client/requester.def"
#undef SETTING_PART
#undef SETTING
    };
    return rows;
}

} // namespace ns3::nfsrdma
