/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_BLOCKED_LOCKS_H
#define NFSRDMA_NFS_V4_SERVER_BLOCKED_LOCKS_H

#include "nfs/v4/protocol/types.h"
#include "nfs/v4/server/byte-range-locks.h"
#include "nfs/v4/server/state-table.h"

#include "ns3/nstime.h"

#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/// A lock that was denied to a process which waits for it.
struct Nfs4BlockedLock
{
    Nfs4FileKey file;
    Nfs4Fh handle;
    Nfs4StateOwner owner;
    Nfs4ByteRangeLocks::Lock wanted;
    uint64_t blocker{0}; ///< Number of the lock owner in the way.
    Time since;
};

/**
 * \brief Who waits for which lock, so that CB_NOTIFY_LOCK can tell when it is worth asking again
 * (struct nfsd4_blocked_lock of Linux's nfsd): when what was in the way is gone. Each is told once;
 * after the time of a lease nobody waits any more.
 */
class Nfs4BlockedLocks
{
  public:
    /// Takes the place of the latest one of the same owner on the same file.
    void Add(Nfs4BlockedLock lock);
    /// The owner has got a lock on the file.
    void Remove(const Nfs4FileKey& file, const Nfs4StateOwner& owner);
    /// Takes those off the list that nothing of \p states is in the way of, and tells \p notify,
    /// unless they have waited for longer than \p limit.
    void Check(const Nfs4StateTable& states,
               Time now,
               Time limit,
               const std::function<void(const Nfs4BlockedLock&)>& notify);

    [[nodiscard]] std::size_t GetCount() const
    {
        return m_locks.size();
    }

  private:
    std::vector<Nfs4BlockedLock> m_locks; ///< Oldest first.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_BLOCKED_LOCKS_H
