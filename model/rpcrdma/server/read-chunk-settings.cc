/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/read-chunk-settings.h"

namespace ns3::nfsrdma
{

const char*
ToString(ReadChunkRelease reason)
{
    switch (reason)
    {
    case ReadChunkRelease::DONE:
        return "DONE";
    case ReadChunkRelease::EXPIRED:
        return "EXPIRED";
    case ReadChunkRelease::CONNECTION_LOST:
        return "CONNECTION_LOST";
    }
    return "unknown";
}

std::ostream&
operator<<(std::ostream& stream, ReadChunkRelease reason)
{
    return stream << ToString(reason);
}

const std::vector<Setting<SvcReadChunkSettings>>&
SvcReadChunkSettings::GetRows()
{
    static const std::vector<Setting<SvcReadChunkSettings>> rows{
#define SETTING(type, name, ...) NFSRDMA_SETTING_ROW(SvcReadChunkSettings, name, __VA_ARGS__),
#define SETTING_PART(part, name, ...)                                                              \
    NFSRDMA_SETTING_PART(SvcReadChunkSettings, part, name, __VA_ARGS__),
#include "rpcrdma/server/read-chunks.def"
#undef SETTING_PART
#undef SETTING
    };
    return rows;
}

} // namespace ns3::nfsrdma
