/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/responder-settings.h"

#include "rpcrdma/policy/credit-grant.h"

namespace ns3::nfsrdma
{

#define SETTINGS_OF SvcRdmaSettings
#define SETTINGS_FILE "rpcrdma/server/responder.def"
#include "settings/rows.def"

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
