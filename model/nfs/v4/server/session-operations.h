/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_SESSION_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_SESSION_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Sessions and their connections, RFC 8881 sections 18.33, 18.34, 18.36, 18.37 and 18.46:
 * BACKCHANNEL_CTL, BIND_CONN_TO_SESSION, CREATE_SESSION, DESTROY_SESSION and SEQUENCE.
 *
 * SEQUENCE takes the slot, and with it the bounds of the reply; for a call that came again it
 * leaves the kept reply in Nfs4CompoundState::replay.
 */
class Nfs4SessionOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Session(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_SESSION_OPERATIONS_H
