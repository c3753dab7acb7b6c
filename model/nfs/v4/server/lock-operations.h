/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_LOCK_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_LOCK_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Byte-range locks of the current file, RFC 8881 sections 18.10 to 18.12: LOCK, LOCKT and
 * LOCKU; and RELEASE_LOCKOWNER of NFSv4.0, RFC 7530 section 16.37.
 *
 * A LOCK of one who waits that is denied in a session stays among Nfs4ServerState::blockedLocks.
 */
class Nfs4LockOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Lock(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> TakeLockState(const LockArgs4& args);
    [[nodiscard]] LockDenied4 Describe(const Nfs4ByteRangeLocks::Lock& lock) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_LOCK_OPERATIONS_H
