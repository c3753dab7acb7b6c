/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/responder-settings.h"

#include "rpcrdma/policy/credit-grant.h"

namespace ns3::nfsrdma
{

const std::vector<Setting<SvcRdmaSettings>>&
SvcRdmaSettings::GetRows()
{
    static const std::vector<Setting<SvcRdmaSettings>> rows{
#define SETTING(type, name, ...) NFSRDMA_SETTING_ROW(SvcRdmaSettings, name, __VA_ARGS__),
#include "rpcrdma/server/responder.def"
#undef SETTING
    };
    return rows;
}

CallLimits
SvcRdmaSettings::GetCallLimits() const
{
    CallLimits limits;
    limits.lists.readSegments = maxReadSegments;
    limits.lists.writeChunks = maxWriteChunks;
    limits.lists.chunkSegments = maxChunkSegments;
    limits.readChunks = maxReadChunks;
    limits.readOctets = maxCallBytes;
    return limits;
}

RegistrationSettings
SvcRdmaSettings::GetRegistration() const
{
    return {ChunkRegistrar::GetSinkStrategy(registrationStrategy),
            "shared-fifo",
            regionPages,
            poolBuffers,
            cacheCapacity,
            registrations};
}

} // namespace ns3::nfsrdma
