/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_DATA_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_DATA_OPERATIONS_H

#include "nfs/store/file-data.h"
#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief What is in the current file, RFC 8881 sections 18.22, 18.24, 18.32 and 18.3, and where it
 * has holes, RFC 7862 sections 15.1, 15.4, 15.10 and 15.11: READ, READLINK, WRITE, COMMIT,
 * ALLOCATE, DEALLOCATE, READ_PLUS and SEEK.
 *
 * READ and READLINK leave the data in memory that a Write chunk can take them from
 * (Nfs4CompoundReply::HoldItem()).
 */
class Nfs4DataOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Data(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    using RangeChange = Nfs3Status (FileData::*)(InodeNumber,
                                                 uint64_t,
                                                 uint64_t,
                                                 const FileCredential&);

    /// What ALLOCATE and DEALLOCATE have in common. \return the status of both
    [[nodiscard]] Nfs4Status ChangeRange(const Nfs4StateId& stateid,
                                         uint64_t offset,
                                         uint64_t length,
                                         RangeChange change);
    [[nodiscard]] ReadPlusContent4 ReadSegment(uint64_t begin, uint64_t end) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_DATA_OPERATIONS_H
