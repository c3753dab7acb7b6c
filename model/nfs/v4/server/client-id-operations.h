/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_CLIENT_ID_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_CLIENT_ID_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Clients and what becomes of their leases: EXCHANGE_ID, DESTROY_CLIENTID and
 * RECLAIM_COMPLETE, RFC 8881 sections 18.35, 18.50 and 18.51; SETCLIENTID, SETCLIENTID_CONFIRM and
 * RENEW of NFSv4.0, RFC 7530 sections 16.33, 16.34 and 16.28.
 */
class Nfs4ClientIdOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_ClientId(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4ClientTable::Introduction Introduce(const ByteVector& name,
                                                          const Nfs4Verifier& verifier) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_CLIENT_ID_OPERATIONS_H
