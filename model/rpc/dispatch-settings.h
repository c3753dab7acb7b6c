/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_DISPATCH_SETTINGS_H
#define NFSRDMA_RPC_DISPATCH_SETTINGS_H

#include "rpc/dispatch-queue.h"
#include "settings/setting.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// Who waits while the octets of a call are fetched from the client.
enum class RpcFetching : uint8_t
{
    THREAD, ///< The thread that has taken it.
    STAGED, ///< Nobody: it is taken to be fetched, and again when it has been.
    AHEAD,  ///< Nobody: it is taken when it has been fetched.
};

/// How a server gives the calls that wait to its threads: dispatch.def has the fields.
struct RpcDispatchSettings
{
#define SETTING(type, name, ...) type name{};
#include "rpc/dispatch.def"
#undef SETTING

    /// \return a row for each field.
    [[nodiscard]] static const std::vector<Setting<RpcDispatchSettings>>& GetRows();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_DISPATCH_SETTINGS_H
