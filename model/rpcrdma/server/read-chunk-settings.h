/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_READ_CHUNK_SETTINGS_H
#define NFSRDMA_RPCRDMA_SERVER_READ_CHUNK_SETTINGS_H

#include "rpcrdma/message/read-chunk-extension.h"
#include "rpcrdma/policy/read-chunk.h"
#include "settings/setting.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

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

/// How a responder provides Read chunks: read-chunks.def has what can be set.
struct SvcReadChunkSettings
{
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "rpcrdma/server/read-chunks.def"
#undef SETTING_PART
#undef SETTING

    ReadChunkExtension extension; ///< Sent with readChunkExtension, unless the policy is "never".
    std::shared_ptr<const ReadChunkPolicy> policy; ///< Of that name, when connections are made.
    std::function<void(uint32_t xid, uint32_t segments, uint64_t octets)> exposed;
    /// Of a chunk that was pending for \p waited.
    std::function<void(uint32_t xid, ReadChunkRelease reason, Time waited)> released;

    [[nodiscard]] static const std::vector<Setting<SvcReadChunkSettings>>& GetRows();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_READ_CHUNK_SETTINGS_H
