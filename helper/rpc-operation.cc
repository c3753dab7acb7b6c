/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-operation.h"

#include "nfs/v2/acl-messages2.h"
#include "nfs/v2/types2.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/status3.h"
#include "nfs/v4/client/procedure.h"
#include "nfs/v4/protocol/status.h"

#include <string_view>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t NFS_VERSION_3 = 3;

/// \return the name of a status of NFS or NFSACL; empty if it has none.
std::string
GetStatusName(const RpcRecord& record)
{
    if (record.program == NFS_PROGRAM && record.version == NFS_V4)
    {
        const std::string name = ToString(static_cast<Nfs4Status>(record.programStatus));
        return ParseNfs4Status(name) ? name : "";
    }
    const std::string name = ToString(static_cast<Nfs3Status>(record.programStatus));
    if ((record.program != NFS_PROGRAM && record.program != NFSACL_PROGRAM) ||
        !ParseNfs3Status(name))
    {
        return "";
    }
    // The numbers of NFSv2 are among those of NFSv3.
    return record.version == NFS_V2 ? "NFS" + name.substr(std::string_view("NFS3").size()) : name;
}

} // namespace

std::string
GetOperationName(const RpcRecord& record)
{
    if (record.program == NFS_PROGRAM && record.version == NFS_VERSION_3 &&
        record.procedure < NFS3_PROCEDURES)
    {
        return ToString(static_cast<Nfs3Procedure>(record.procedure));
    }
    if (record.program == NFSACL_PROGRAM && record.version == NFSACL_V3 &&
        record.procedure < NFSACL3_PROCEDURES)
    {
        return ToString(static_cast<NfsAcl3Procedure>(record.procedure));
    }
    if (record.program == NFS_PROGRAM && record.version == NFS_V2 &&
        record.procedure < NFS2_PROCEDURES)
    {
        return ToString(static_cast<Nfs2Procedure>(record.procedure));
    }
    if (record.program == NFSACL_PROGRAM && record.version == NFSACL_V2 &&
        record.procedure <= static_cast<uint32_t>(NfsAcl2Procedure::ACCESS))
    {
        return ToString(static_cast<NfsAcl2Procedure>(record.procedure));
    }
    if (record.program == NFS_PROGRAM && record.version == NFS_V4)
    {
        const auto operation = static_cast<Nfs4ClientProcedure>(record.operation);
        const bool isCompound = record.procedure == NFSPROC4_COMPOUND;
        return isCompound && operation == Nfs4ClientProcedure::NONE ? "COMPOUND"
                                                                    : ToString(operation);
    }
    return std::to_string(record.program) + "." + std::to_string(record.version) + "." +
           std::to_string(record.procedure);
}

bool
IsError(const RpcRecord& record)
{
    return record.outcome != RpcOutcome::SUCCESS || record.programStatus != 0;
}

std::string
GetErrorName(const RpcRecord& record)
{
    if (record.outcome != RpcOutcome::SUCCESS)
    {
        return ToString(record.outcome);
    }
    const std::string name = GetStatusName(record);
    return name.empty() ? "STATUS " + std::to_string(record.programStatus) : name;
}

bool
IsPutOff(const RpcRecord& record)
{
    if (record.outcome != RpcOutcome::SUCCESS || record.program != NFS_PROGRAM)
    {
        return false;
    }
    if (record.version == NFS_VERSION_3)
    {
        return record.programStatus == static_cast<uint32_t>(Nfs3Status::JUKEBOX);
    }
    if (record.version != NFS_V4)
    {
        return false;
    }
    switch (static_cast<Nfs4Status>(record.programStatus))
    {
    case Nfs4Status::DELAY:
    case Nfs4Status::GRACE:
    case Nfs4Status::DENIED:
    case Nfs4Status::RETRY_UNCACHED_REP:
        return true;
    default:
        break;
    }
    const auto operation = static_cast<Nfs4ClientProcedure>(record.operation);
    return operation == Nfs4ClientProcedure::SEQUENCE || operation == Nfs4ClientProcedure::RENEW ||
           operation == Nfs4ClientProcedure::OFFLOAD_STATUS ||
           operation == Nfs4ClientProcedure::BIND_CONN_TO_SESSION;
}

} // namespace ns3::nfsrdma
