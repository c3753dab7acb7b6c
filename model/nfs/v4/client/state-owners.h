/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_STATE_OWNERS_H
#define NFSRDMA_NFS_V4_CLIENT_STATE_OWNERS_H

#include "nfs/v4/client/open-state.h"
#include "nfs/v4/client/seqid-owner.h"
#include "nfs/v4/protocol/lock-ops.h"
#include "nfs/v4/protocol/open-ops.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief The owners in whose names a client opens and locks: one for all its opens, and one for the
 * locks of each; what OPEN and LOCK say of them. Before NFSv4.1 they have seqids (RFC 7530 section
 * 9.1.7).
 */
class Nfs4StateOwners
{
  public:
    /// \param client whose they are; owns this
    explicit Nfs4StateOwners(Nfs4CompoundClient& client);

    /// The client starts: its open owner has made no call yet.
    void Begin();

    void Clear()
    {
        m_openOwner = nullptr;
    }

    /// NFSv4.0: the owner of all opens here; otherwise null.
    [[nodiscard]] const std::shared_ptr<Nfs4SeqidOwner>& GetOpenOwner() const
    {
        return m_openOwner;
    }

    /// The server has another idea of the open owner: it is given up for a new one.
    void RenewOpenOwner();
    /// \return the name of the open owner, or of lock owner \p number, with the client ID.
    [[nodiscard]] Nfs4StateOwner MakeOpenOwner() const;
    [[nodiscard]] Nfs4StateOwner MakeLockOwner(uint32_t number) const;
    /// Gives \p open a lock owner, unless it has one.
    void NeedLockOwner(Nfs4OpenState& open);
    /// \return OPEN for \p access with what all OPENs have in common.
    [[nodiscard]] OpenArgs4 MakeOpen(uint32_t access) const;
    /// \return LOCK of \p lock for those who have \p open.
    [[nodiscard]] LockArgs4 MakeLock(const Nfs4HeldState::OpenPtr& open,
                                     const Nfs4HeldLock& lock,
                                     bool reclaim);
    /// NFSv4.0: confirms \p open when the result of OPEN asks for it. \p done is called from within
    /// when it does not.
    void ConfirmOpen(const Nfs4HeldState::OpenPtr& open,
                     const OpenRes4& result,
                     std::function<void()> done);

  private:
    Nfs4CompoundClient& m_client;
    std::shared_ptr<Nfs4SeqidOwner> m_openOwner;
    uint32_t m_openOwnerNumber{1};
    uint32_t m_lockOwners{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_STATE_OWNERS_H
