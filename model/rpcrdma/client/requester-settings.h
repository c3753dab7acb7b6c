/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REQUESTER_SETTINGS_H
#define NFSRDMA_RPCRDMA_CLIENT_REQUESTER_SETTINGS_H

#include "rpc/timeout.h"
#include "rpcrdma/client/active-connection.h"
#include "rpcrdma/client/connection-watch.h"
#include "rpcrdma/client/reconnect-backoff.h"
#include "settings/struct-attributes.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// Everything about a requester that can be set: what each attribute of RpcRdmaClient means and
/// where its default comes from stands with the attribute.
struct RpcRdmaClientSettings
{
    /// Of each connection. Its thresholds are the maximum of the inline policy; rules and reverse
    /// receives are filled in when a connection is made.
    RpcRdmaConnectionSettings connection;
    std::string inlinePolicy;
    double inlineShare{0};
    uint32_t inlineReview{0};
    uint32_t reverseMessageSize{0};
    std::string replyRules;
    std::string callForm;
    std::string replyMechanism;
    bool reconnect{true};
    ReconnectBackoff::Settings backoff;
    RpcTimeout timeout;
    RpcRdmaConnectionWatch::Settings watch;

    /// Adds the attributes of the class that \p settings are held by.
    static void AddAttributes(SettingAttributes<RpcRdmaClientSettings> settings);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REQUESTER_SETTINGS_H
