/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_READ_CHUNK_SETTINGS_H
#define NFSRDMA_RPCRDMA_SERVER_READ_CHUNK_SETTINGS_H

#include "rpcrdma/message/read-chunk-extension.h"
#include "rpcrdma/policy/read-chunk.h"
#include "settings/struct-attributes.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace ns3::nfsrdma
{

/// Why a responder's Read chunk is no longer pending.
enum class ReadChunkRelease
{
    DONE,           ///< The requester has notified.
    EXPIRED,        ///< The responder's own time was over.
    CONNECTION_LOST ///< The connection has ended.
};

const char* ToString(ReadChunkRelease reason);
std::ostream& operator<<(std::ostream& stream, ReadChunkRelease reason);

/// How a responder provides Read chunks. See the attributes of RpcRdmaServer.
struct SvcReadChunkSettings
{
    bool supported{false};          ///< The extension is answered. Not with the policy "never".
    bool withoutAgreement{false};   ///< Provides them to every requester.
    ReadChunkExtension extension;   ///< Sent when supported.
    uint32_t responderResources{0}; ///< RDMA Reads that a requester may have outstanding.
    uint32_t copyLimit{0};          ///< Parts with fewer octets are copied.
    uint32_t maxPending{0};         ///< Of a connection; 0: any number.
    uint64_t maxExposed{0};         ///< Octets of a connection; 0: any number.
    Time timeout;                   ///< Zero: chunks do not expire.
    std::string policyName;
    std::shared_ptr<const ReadChunkPolicy> policy; ///< Of that name, when connections are made.
    std::function<void(uint32_t xid, uint32_t segments, uint64_t octets)> exposed;
    std::function<void(uint32_t xid, ReadChunkRelease reason)> released;

    /// Adds the attributes of the class that \p settings are held by.
    static void AddAttributes(SettingAttributes<SvcReadChunkSettings> settings);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_READ_CHUNK_SETTINGS_H
