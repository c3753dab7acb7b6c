/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_RECOVERY_PLAN_H
#define NFSRDMA_NFS_V4_CLIENT_RECOVERY_PLAN_H

#include "nfs/v4/protocol/status.h"

#include <bitset>
#include <cstdint>

namespace ns3::nfsrdma
{

/// What there is to be done so that a client can go on, in the order in which it is done; the names
/// are those of Linux's NFS4CLNT_* bits.
enum class Nfs4RecoveryStep : uint32_t
{
    PURGE_STATE,          ///< Destroy session and client ID.
    LEASE_EXPIRED,        ///< A client ID, and a session.
    SESSION_RESET,        ///< Another session for the client ID.
    BIND_CONN_TO_SESSION, ///< The back channel needs this connection.
    CHECK_LEASE,          ///< Is the lease still there?
    RECLAIM_REBOOT,       ///< Claim again what was open; then no more is to be reclaimed.
    DELEGATION_EXPIRED,   ///< Forget delegations that were revoked.
    RECLAIM_NOGRACE,      ///< Open again what could not be reclaimed.
    DELEGRETURN,          ///< Give delegations back; calls go on meanwhile.
    NONE
};

const char* ToString(Nfs4RecoveryStep step);

/**
 * \brief The state of an NFSv4 client between its server and itself, as Linux's nfs4_state_manager:
 * a set of steps that are due. Errors add some; the first of them is to be carried out next.
 *
 * While any step other than DELEGRETURN is due, no call but those of the steps may be made.
 */
class Nfs4RecoveryPlan
{
  public:
    /// \param sessions NFSv4.1 or later
    explicit Nfs4RecoveryPlan(bool sessions);

    void Add(Nfs4RecoveryStep step);
    [[nodiscard]] bool Has(Nfs4RecoveryStep step) const;
    /// \return the step to be carried out now.
    [[nodiscard]] Nfs4RecoveryStep GetNext() const;

    /// \return whether calls have to wait.
    [[nodiscard]] bool IsRecovering() const
    {
        return GetNext() < Nfs4RecoveryStep::DELEGRETURN;
    }

    void Clear();

    /// A client that has no lease yet.
    void Begin();
    /// SEQUENCE was answered with these flags. \param privileged by a call of a step: then the path
    /// for callbacks is left as it is. \return whether a step was added.
    bool TakeFlags(uint32_t flags, bool privileged);
    /// SEQUENCE failed so that the session must be recovered, or another operation said so.
    void TakeSessionError(Nfs4Status status);
    /// An operation was refused because of the stateid or client ID it used.
    /// \return whether it should be made again after recovery.
    bool TakeStateError(Nfs4Status status);
    /// A step has ended. \return true when it is over, or the plan has changed because of
    /// \p status; false when recovery cannot go on.
    bool Finish(Nfs4RecoveryStep step, Nfs4Status status);

  private:
    void Remove(Nfs4RecoveryStep step);
    bool TakeRecoveryError(Nfs4Status status);

    bool m_sessions;
    std::bitset<static_cast<std::size_t>(Nfs4RecoveryStep::NONE)> m_steps;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_RECOVERY_PLAN_H
