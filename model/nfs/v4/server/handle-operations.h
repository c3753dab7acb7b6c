/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_HANDLE_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_HANDLE_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Which object the current and the saved filehandle are of, and by which security it is to
 * be reached, RFC 8881 sections 18.8, 18.13, 18.14, 18.19 to 18.21, 18.27 to 18.29 and 18.45:
 * PUTFH, PUTPUBFH, PUTROOTFH, GETFH, SAVEFH, RESTOREFH, LOOKUP, LOOKUPP, SECINFO and
 * SECINFO_NO_NAME.
 *
 * The last two leave no current filehandle in NFSv4.1 and later (section 2.6.3.1.1.8).
 */
class Nfs4HandleOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Handle(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_HANDLE_OPERATIONS_H
