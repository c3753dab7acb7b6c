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

#define SETTINGS_OF SvcReadChunkSettings
#define SETTINGS_FILE "rpcrdma/server/read-chunks.def"
#include "settings/rows.def"

} // namespace ns3::nfsrdma
