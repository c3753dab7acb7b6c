/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_OPERATION_H
#define NFSRDMA_HELPER_RPC_OPERATION_H

#include "rpc/record.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return the procedure's name, as "READ" or "NFSACL3 GETACL"; "<program>.<version>.<procedure>"
/// when it has none. A COMPOUND has the name of Linux's mountstats ("OPEN", "LOOKUP_ROOT").
std::string GetOperationName(const RpcRecord& record);

/// \return true when the RPC failed, or its program said so (a status other than 0).
bool IsError(const RpcRecord& record);

/// \return why an RPC is an error: its outcome, or the status of its program as the RFC calls it
/// ("NFS3ERR_NOENT", "NFSERR_NOENT" of NFSv2, "NFS4ERR_DELAY"); "STATUS n" of one without a name.
std::string GetErrorName(const RpcRecord& record);

/// \return true when the RPC got no operation further: its reply asks to come again later
/// (NFS3ERR_JUKEBOX, NFS4ERR_DELAY, GRACE, DENIED of a lock, RETRY_UNCACHED_REP), or it was there
/// only to renew a lease or to bind a new connection to a session.
bool IsPutOff(const RpcRecord& record);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_OPERATION_H
