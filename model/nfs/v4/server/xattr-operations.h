/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_XATTR_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_XATTR_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Extended attributes of the current object in the user namespace, RFC 8276 section 8.4:
 * GETXATTR, SETXATTR, LISTXATTRS and REMOVEXATTR.
 */
class Nfs4XattrOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Xattr(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_XATTR_OPERATIONS_H
