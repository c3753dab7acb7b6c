/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_COPY_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_COPY_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Copies from the saved to the current file by the server, RFC 7862
 * sections 15.2, 15.8, 15.9 and 15.13: COPY, OFFLOAD_CANCEL, OFFLOAD_STATUS and CLONE.
 *
 * A COPY that may be asynchronous becomes one of Nfs4ServerState::copies, in a session.
 */
class Nfs4CopyOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Copy(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4Status CheckCopy(const Nfs4StateId& source, const Nfs4StateId& destination);
    /// A COPY that is answered before it is done.
    void StartCopy(const CopyArgs4& args, uint64_t count, CopyRes4& results);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_COPY_OPERATIONS_H
