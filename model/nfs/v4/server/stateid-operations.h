/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_STATEID_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_STATEID_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief What the server knows of stateids, RFC 8881 sections 18.38 and 18.48: FREE_STATEID and
 * TEST_STATEID.
 */
class Nfs4StateidOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Stateid(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4Status Test(const Nfs4StateId& id) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_STATEID_OPERATIONS_H
