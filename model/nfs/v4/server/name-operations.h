/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_NAME_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_NAME_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Names of directories, RFC 8881 sections 18.4, 18.9, 18.23, 18.25 and 18.26: CREATE, LINK,
 * READDIR, REMOVE and RENAME.
 *
 * REMOVE and RENAME may wait for delegations on what they take away.
 */
class Nfs4NameOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Name(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4Result<std::string> GetLinkData(const CreateArgs4& args) const;
    [[nodiscard]] Nfs4Result<InodeNumber> CreateObject(const CreateArgs4& args,
                                                       const Sattr3& attributes);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_NAME_OPERATIONS_H
