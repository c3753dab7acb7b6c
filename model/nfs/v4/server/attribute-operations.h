/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_ATTRIBUTE_OPERATIONS_H
#define NFSRDMA_NFS_V4_SERVER_ATTRIBUTE_OPERATIONS_H

#include "nfs/v4/server/operation-group.h"

namespace ns3::nfsrdma
{

/**
 * \brief What the attributes of the current object are and may become: ACCESS, GETATTR, SETATTR,
 * VERIFY and NVERIFY, RFC 8881 sections 18.1, 18.7, 18.30, 18.31 and 18.15.
 *
 * A SETATTR of the size is a WRITE to those who hold state.
 */
class Nfs4AttributeOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

#define NFS4_OPERATION_Attribute(Type) Type##Res4 Run(const Type##Args4& args);
#include "nfs/v4/protocol/operations.def"

  private:
    /// SAME, NOT_SAME, or why they cannot be compared.
    [[nodiscard]] Nfs4Status Compare(const Nfs4Attributes& attributes) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_ATTRIBUTE_OPERATIONS_H
