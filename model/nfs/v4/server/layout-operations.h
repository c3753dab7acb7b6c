/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_LAYOUT_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_LAYOUT_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief Files layouts that point at this server, RFC 8881 sections 13, 18.40 and 18.42 to 18.44:
 * GETDEVICEINFO, LAYOUTGET, LAYOUTCOMMIT and LAYOUTRETURN.
 */
class Nfs4LayoutOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Layout(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    [[nodiscard]] Nfs4Status CheckLayout(LayoutType4 type) const;
    /// \return the layout that \p stateid stands for; \p otherwise when it stands for another state
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> FindLayout(const Nfs4StateId& stateid,
                                                      Nfs4Status otherwise);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_LAYOUT_OPERATIONS_H
