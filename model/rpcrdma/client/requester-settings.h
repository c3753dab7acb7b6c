/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REQUESTER_SETTINGS_H
#define NFSRDMA_RPCRDMA_CLIENT_REQUESTER_SETTINGS_H

#include "rpc/timeout.h"
#include "rpcrdma/client/active-connection.h"
#include "rpcrdma/client/connection-watch.h"
#include "rpcrdma/client/reconnect-backoff.h"
#include "settings/setting.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Everything about a requester that can be set, which requester.def has.
struct RpcRdmaClientSettings
{
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "rpcrdma/client/requester.def"
#undef SETTING_PART
#undef SETTING

    /// Of each connection. Its thresholds are the maximum of the inline policy; rules and reverse
    /// receives are filled in when a connection is made.
    RpcRdmaConnectionSettings connection;
    ReconnectBackoff::Settings backoff;
    RpcTimeout timeout;
    RpcRdmaConnectionWatch::Settings watch;

    [[nodiscard]] static const std::vector<Setting<RpcRdmaClientSettings>>& GetRows();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REQUESTER_SETTINGS_H
