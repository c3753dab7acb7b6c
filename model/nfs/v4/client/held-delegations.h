/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_HELD_DELEGATIONS_H
#define NFSRDMA_NFS_V4_CLIENT_HELD_DELEGATIONS_H

#include "nfs/v4/client/open-state.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief How a client takes delegations that OPEN gives, and gives them back: when the server
 * recalls them, when something is about to be done that they do not allow, and in the end.
 *
 * What is open only by virtue of a delegation is opened at the server before DELEGRETURN (RFC 8881
 * section 10.4.4).
 */
class Nfs4HeldDelegations
{
  public:
    /// \param client whose they are; owns this
    /// \param recalled is told of each CB_RECALL
    Nfs4HeldDelegations(Nfs4CompoundClient& client,
                        const TracedCallback<const Nfs4StateId&>& recalled);

    /// Takes what OPEN gave: its stateid for \p access, and a delegation.
    void TakeOpen(const Nfs4HeldState::OpenPtr& open, const OpenRes4& result, uint32_t access);
    /// Gives a delegation back. \p done may be null.
    void Return(const Nfs4HeldState::DelegationPtr& delegation, std::function<void()> done);
    /// Gives back one after the other.
    /// The host has crashed: none is held any more, and who waits for the return of one goes on.
    void Forget();
    void ReturnAll(std::function<void()> done);
    /// CB_RECALL. \return its status.
    Nfs4Status Recall(const Nfs4Fh& file, const Nfs4StateId& stateid);
    /// CB_RECALL_ANY: returns delegations until \p keep are left.
    void RecallAny(uint32_t keep);

  private:
    void ReturnSoon(const Nfs4HeldState::DelegationPtr& delegation);
    void ClaimOpens(const Nfs4HeldState::DelegationPtr& delegation);
    void SendReturn(const Nfs4HeldState::DelegationPtr& delegation);

    Nfs4CompoundClient& m_client;
    const TracedCallback<const Nfs4StateId&>& m_recalled;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_HELD_DELEGATIONS_H
