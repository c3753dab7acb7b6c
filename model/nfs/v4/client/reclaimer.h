/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_RECLAIMER_H
#define NFSRDMA_NFS_V4_CLIENT_RECLAIMER_H

#include "nfs/v4/client/open-state.h"
#include "nfs/v4/client/recovery-plan.h"
#include "nfs/v4/client/task.h"

#include <cstddef>
#include <functional>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief Gets back what a client has held at a server that has restarted or revoked it, one file
 * after the other, as nfs4_reclaim_open_state() of Linux.
 *
 *     RECLAIM_REBOOT       OPEN and LOCK that reclaim, then RECLAIM_COMPLETE (4.1 on)
 *     RECLAIM_NOGRACE      TEST_STATEID (4.1 on) unless the state is known to be lost,
 * FREE_STATEID, OPEN and LOCK anew DELEGATION_EXPIRED   TEST_STATEID, and FREE_STATEID of those
 * that were revoked
 *
 * What cannot be had again is marked as lost.
 */
class Nfs4Reclaimer
{
  public:
    /// Called once for each step, with how the last RPC ended.
    using Done = std::function<void(RpcOutcome outcome, Nfs4Status status)>;

    /// \param client whose state it is; owns this
    explicit Nfs4Reclaimer(Nfs4CompoundClient& client);

    /// Carries out \p step, RECLAIM_REBOOT or RECLAIM_NOGRACE. One at a time.
    void Reclaim(Nfs4RecoveryStep step, Done done);
    /// Carries out DELEGATION_EXPIRED.
    void TestDelegations(const Done& done);

  private:
    void Next();
    void ReclaimOpen(const Nfs4HeldState::OpenPtr& open);
    void OpenAnew(const Nfs4HeldState::OpenPtr& open);
    void TestOpen(const Nfs4HeldState::OpenPtr& open);
    /// Takes what OPEN gave, then gets the locks.
    void TakeOpen(const Nfs4HeldState::OpenPtr& open, const OpenRes4& result);
    void ReclaimLock(const Nfs4HeldState::OpenPtr& open, std::size_t index);
    void Complete();
    void DropRevoked(const Nfs4HeldState::DelegationPtr& delegation);
    /// \return whether \p reply ends the step, because it does not concern one file alone.
    bool EndsStep(const Nfs4TaskReply& reply);
    void End(RpcOutcome outcome, Nfs4Status status);

    Nfs4CompoundClient& m_client;
    Nfs4RecoveryStep m_step{Nfs4RecoveryStep::NONE};
    Done m_done;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_RECLAIMER_H
