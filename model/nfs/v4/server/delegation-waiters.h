/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_DELEGATION_WAITERS_H
#define NFSRDMA_NFS_V4_SERVER_DELEGATION_WAITERS_H

#include "nfs/v4/server/service-state.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Those of a server who wait for delegations to come back, as
 * nfsd_wait_for_delegreturn() of Linux 6.1: each goes on when all of its files are free, or when
 * its time is over, whichever is first.
 *
 * Nobody goes on inside a call of this class but WakeAll(): the others are woken by events, in the
 * order of their coming. The destructor forgets all that are left.
 */
class Nfs4DelegationWaiters
{
  public:
    Nfs4DelegationWaiters() = default;
    ~Nfs4DelegationWaiters();
    Nfs4DelegationWaiters(const Nfs4DelegationWaiters&) = delete;
    Nfs4DelegationWaiters& operator=(const Nfs4DelegationWaiters&) = delete;

    /// \param then is called once, at the latest after \p longest
    void Add(std::vector<Nfs4FileKey> files, Time longest, std::function<void()> then);
    /// Delegations may have come back: wakes those whose files all satisfy \p isFree.
    void Check(const std::function<bool(const Nfs4FileKey& file)>& isFree);
    /// All go on now.
    void WakeAll();
    /// None goes on.
    void Clear();

  private:
    struct Waiter
    {
        std::vector<Nfs4FileKey> files;
        std::function<void()> then;
        EventId event;     ///< That wakes it.
        bool woken{false}; ///< Delegations are back; the event is now.
    };

    using WaiterPtr = std::shared_ptr<Waiter>;

    void Wake(const WaiterPtr& waiter);

    std::vector<WaiterPtr> m_waiters; ///< In the order of their coming.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_DELEGATION_WAITERS_H
