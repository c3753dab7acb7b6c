/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/read-chunk-settings.h"

#include "host/memory.h"

#include <cstdint>

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

void
SvcReadChunkSettings::AddAttributes(SettingAttributes<SvcReadChunkSettings> settings)
{
    auto extension = settings.Of(&SvcReadChunkSettings::extension);
    settings.Add(&SvcReadChunkSettings::supported,
                 "ReadChunkExtension",
                 "Agrees on responder-provided Read chunks with clients that offer it in private "
                 "data (ReadChunkExtension). Default: Linux knows of none.",
                 false);
    settings.Add(&SvcReadChunkSettings::policyName,
                 "ReadChunkPolicy",
                 "Name of a ReadChunkPolicy: when a reply becomes a Read chunk.",
                 "never");
    settings.Add(&SvcReadChunkSettings::withoutAgreement,
                 "ReadChunksWithoutAgreement",
                 "Provides Read chunks to clients that have not agreed on them, which section 6 of "
                 "the draft forbids. Default: as the draft.",
                 false);
    settings.Add(&SvcReadChunkSettings::timeout,
                 "ReadChunkTimeout",
                 "Time after which a Read chunk is given back without a notice (time); 0: never. "
                 "Default: the RPC timeout of Linux's client, which then gives the connection up.",
                 Seconds(60));
    settings.Add(&SvcReadChunkSettings::copyLimit,
                 "ReadChunkCopyLimit",
                 "Items of a reply with fewer octets are copied into the memory exposed, others "
                 "are registered where they are (octets). Default: a page; copying one costs less "
                 "than a registration (estimate).",
                 HostMemory::PAGE_SIZE);
    settings.Add(&SvcReadChunkSettings::maxPending,
                 "MaxPendingReadChunks",
                 "Read chunks without a notice that a connection may have (count); a further reply "
                 "goes another way, or its call gets ERR_CHUNK; 0: any number. Default: 0; the "
                 "timeout is the draft's own defence.",
                 0);
    settings.Add(&SvcReadChunkSettings::maxExposed,
                 "MaxExposedBytes",
                 "Memory that a connection may have exposed as Read chunks (octets); 0: any "
                 "amount. Default: 0, as MaxPendingReadChunks.",
                 0);
    settings.Add(&SvcReadChunkSettings::responderResources,
                 "ReadChunkReads",
                 "RDMA Reads that a client which pulls replies may have outstanding (count); "
                 "client and device may allow fewer. Default: as svc_rdma's own.",
                 {16, 1});
    extension.Add(&ReadChunkExtension::doneReceives,
                  "DoneReceives",
                  "Receives posted for RDMA_DONE beside those of credits, where Read chunks are "
                  "provided (count). Default: as many as Credits.",
                  {64, 1, UINT16_MAX});
    extension.Add(
        &ReadChunkExtension::piggyback,
        "DoneOnCalls",
        "Takes notices of pull completion that ride on Calls, where the client also does.",
        true);
    extension.Add(&ReadChunkExtension::remoteInvalidation,
                  "DoneInvalidates",
                  "Lets a notice of pull completion invalidate a tag of the Read chunk, where the "
                  "client also does and both sides have announced remote invalidation (RFC 8797).",
                  true);
}

} // namespace ns3::nfsrdma
