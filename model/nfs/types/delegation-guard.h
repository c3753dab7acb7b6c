/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_DELEGATION_GUARD_H
#define NFSRDMA_NFS_TYPES_DELEGATION_GUARD_H

#include "nfs/store/inode.h"

#include "ns3/nstime.h"

#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What every NFS version of a server asks before it changes a file: delegations that NFSv4
 * clients hold of it come back first. The place of the file system's leases in Linux.
 */
class DelegationGuard
{
  public:
    virtual ~DelegationGuard() = default;

    /// \return false when no client holds any delegation.
    [[nodiscard]] virtual bool HasDelegations() = 0;
    /// Somebody who has no NFSv4 state is about to change \p number: delegations of it are
    /// recalled. \return whether there are any
    virtual bool BreakDelegations(InodeNumber number) = 0;
    /// \return how long a server thread waits for a delegation to come back before it says that
    /// the client is to come again.
    [[nodiscard]] virtual Time GetReturnWait() const = 0;
    /// Calls \p then once, not from within: when no delegation of \p numbers is left, or after
    /// GetReturnWait().
    virtual void AwaitReturn(const std::vector<InodeNumber>& numbers,
                             std::function<void()> then) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_DELEGATION_GUARD_H
