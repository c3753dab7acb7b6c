/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_OPEN_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_OPEN_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Opens and the delegations that come with them, RFC 8881 sections 18.16, 18.18, 18.2 and
 * 18.6: OPEN, OPEN_DOWNGRADE, CLOSE and DELEGRETURN; and OPEN_CONFIRM of NFSv4.0, RFC 7530 section
 * 16.18.
 *
 * Delegations are for reading only, and go to those whose callback service can be reached.
 */
class Nfs4OpenOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Open(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4Status TakeOpenOwner(const OpenArgs4& args, Nfs4OwnerPtr& owner);
    [[nodiscard]] Nfs4Status CheckClaim(const OpenArgs4& args);
    void Open(const OpenArgs4& args, const Nfs4OwnerPtr& owner, OpenRes4& results);
    [[nodiscard]] Nfs4Result<InodeNumber> FindOpened(const OpenArgs4& args, OpenRes4& results);
    [[nodiscard]] Nfs4Result<InodeNumber> CreateOpened(const OpenArgs4& args, OpenRes4& results);
    [[nodiscard]] Nfs4Status CheckOpenAccess(InodeNumber number, uint32_t access) const;
    void GiveDelegation(const OpenArgs4& args,
                        const Nfs4Owner& owner,
                        InodeNumber number,
                        OpenRes4& results);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_OPEN_OPERATIONS_H
