/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_OPERATION_GROUP_H
#define NFSRDMA_NFS_V4_SERVER_OPERATION_GROUP_H

#include "nfs/v4/protocol/compound.h"
#include "nfs/v4/server/compound-state.h"
#include "nfs/v4/server/state-finder.h"

namespace ns3::nfsrdma
{

/**
 * \brief What the classes of operations have in common: each carries out those that
 * nfs/v4/protocol/operations.def gives to its group, one Run() for each type of arguments.
 *
 * What the rules of the row say has been checked before. Run() takes effect at once, and leaves
 * what it costs, and which delegations it waits for, in the state of the COMPOUND. An object is as
 * cheap as its two references, and is made for one operation.
 */
class Nfs4OperationGroup
{
  public:
    /// \param compound outlives this
    explicit Nfs4OperationGroup(Nfs4CompoundState& compound)
        : m_compound(compound),
          m_server(compound.server),
          m_finder(compound)
    {
    }

  protected:
    Nfs4CompoundState& m_compound;
    Nfs4ServerState& m_server;
    Nfs4StateFinder m_finder;
};

/// The operations that nfsd 6.1 does not know.
class Nfs4UnsupportedOperations : public Nfs4OperationGroup
{
  public:
    using Nfs4OperationGroup::Nfs4OperationGroup;

    template <typename Args>
    Nfs4ResultOf<Args> Run(const Args& /* args */)
    {
        Nfs4ResultOf<Args> results;
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_OPERATION_GROUP_H
