/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/recovery-plan.h"

#include "nfs/v4/protocol/session-ops.h"

namespace ns3::nfsrdma
{

const char*
ToString(Nfs4RecoveryStep step)
{
    switch (step)
    {
    case Nfs4RecoveryStep::PURGE_STATE:
        return "PURGE_STATE";
    case Nfs4RecoveryStep::LEASE_EXPIRED:
        return "LEASE_EXPIRED";
    case Nfs4RecoveryStep::SESSION_RESET:
        return "SESSION_RESET";
    case Nfs4RecoveryStep::BIND_CONN_TO_SESSION:
        return "BIND_CONN_TO_SESSION";
    case Nfs4RecoveryStep::CHECK_LEASE:
        return "CHECK_LEASE";
    case Nfs4RecoveryStep::RECLAIM_REBOOT:
        return "RECLAIM_REBOOT";
    case Nfs4RecoveryStep::DELEGATION_EXPIRED:
        return "DELEGATION_EXPIRED";
    case Nfs4RecoveryStep::RECLAIM_NOGRACE:
        return "RECLAIM_NOGRACE";
    case Nfs4RecoveryStep::DELEGRETURN:
        return "DELEGRETURN";
    case Nfs4RecoveryStep::NONE:
        break;
    }
    return "NONE";
}

Nfs4RecoveryPlan::Nfs4RecoveryPlan(bool sessions)
    : m_sessions(sessions)
{
}

void
Nfs4RecoveryPlan::Add(Nfs4RecoveryStep step)
{
    m_steps.set(static_cast<std::size_t>(step));
}

void
Nfs4RecoveryPlan::Remove(Nfs4RecoveryStep step)
{
    m_steps.reset(static_cast<std::size_t>(step));
}

bool
Nfs4RecoveryPlan::Has(Nfs4RecoveryStep step) const
{
    return m_steps.test(static_cast<std::size_t>(step));
}

Nfs4RecoveryStep
Nfs4RecoveryPlan::GetNext() const
{
    for (std::size_t i = 0; i < m_steps.size(); ++i)
    {
        if (m_steps.test(i))
        {
            return static_cast<Nfs4RecoveryStep>(i);
        }
    }
    return Nfs4RecoveryStep::NONE;
}

void
Nfs4RecoveryPlan::Clear()
{
    m_steps.reset();
}

void
Nfs4RecoveryPlan::Begin()
{
    Add(Nfs4RecoveryStep::LEASE_EXPIRED);
    if (m_sessions)
    {
        Add(Nfs4RecoveryStep::RECLAIM_REBOOT);
    }
}

bool
Nfs4RecoveryPlan::TakeFlags(uint32_t flags, bool privileged)
{
    const auto before = m_steps;
    const bool expired = Has(Nfs4RecoveryStep::LEASE_EXPIRED);
    if ((flags & SEQ4_STATUS_RESTART_RECLAIM_NEEDED) != 0 && !expired)
    {
        Add(Nfs4RecoveryStep::LEASE_EXPIRED);
        Add(Nfs4RecoveryStep::RECLAIM_REBOOT);
    }
    if ((flags & SEQ4_STATUS_EXPIRED_ALL_STATE_REVOKED) != 0 && !expired)
    {
        Add(Nfs4RecoveryStep::PURGE_STATE);
        Add(Nfs4RecoveryStep::LEASE_EXPIRED);
        Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
    }
    if ((flags & (SEQ4_STATUS_EXPIRED_SOME_STATE_REVOKED | SEQ4_STATUS_ADMIN_STATE_REVOKED)) != 0)
    {
        Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
    }
    if ((flags & SEQ4_STATUS_RECALLABLE_STATE_REVOKED) != 0)
    {
        Add(Nfs4RecoveryStep::DELEGATION_EXPIRED);
    }
    if (!privileged)
    {
        if ((flags & SEQ4_STATUS_BACKCHANNEL_FAULT) != 0)
        {
            Add(Nfs4RecoveryStep::SESSION_RESET);
        }
        else if ((flags & (SEQ4_STATUS_CB_PATH_DOWN | SEQ4_STATUS_CB_PATH_DOWN_SESSION)) != 0)
        {
            Add(Nfs4RecoveryStep::BIND_CONN_TO_SESSION);
        }
    }
    return m_steps != before;
}

void
Nfs4RecoveryPlan::TakeSessionError(Nfs4Status status)
{
    if (status == Nfs4Status::CONN_NOT_BOUND_TO_SESSION)
    {
        Add(Nfs4RecoveryStep::BIND_CONN_TO_SESSION);
        return;
    }
    Add(Nfs4RecoveryStep::SESSION_RESET);
}

bool
Nfs4RecoveryPlan::TakeStateError(Nfs4Status status)
{
    switch (status)
    {
    case Nfs4Status::BADSESSION:
    case Nfs4Status::BADSLOT:
    case Nfs4Status::BAD_HIGH_SLOT:
    case Nfs4Status::DEADSESSION:
    case Nfs4Status::CONN_NOT_BOUND_TO_SESSION:
        TakeSessionError(status);
        return true;
    case Nfs4Status::STALE_CLIENTID:
    case Nfs4Status::STALE_STATEID:
        if (m_sessions)
        {
            Add(Nfs4RecoveryStep::LEASE_EXPIRED);
            Add(Nfs4RecoveryStep::RECLAIM_REBOOT);
        }
        else
        {
            Add(Nfs4RecoveryStep::CHECK_LEASE);
        }
        return true;
    case Nfs4Status::EXPIRED:
        if (m_sessions)
        {
            Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
        }
        else
        {
            Add(Nfs4RecoveryStep::CHECK_LEASE);
            Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
        }
        return true;
    case Nfs4Status::BAD_STATEID:
    case Nfs4Status::ADMIN_REVOKED:
    case Nfs4Status::DELEG_REVOKED:
        Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
        return true;
    default:
        return false;
    }
}

bool
Nfs4RecoveryPlan::TakeRecoveryError(Nfs4Status status)
{
    switch (status)
    {
    case Nfs4Status::STALE_CLIENTID:
        Add(Nfs4RecoveryStep::LEASE_EXPIRED);
        Add(Nfs4RecoveryStep::RECLAIM_REBOOT);
        return true;
    case Nfs4Status::EXPIRED:
        Add(Nfs4RecoveryStep::LEASE_EXPIRED);
        Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
        return true;
    case Nfs4Status::BADSESSION:
    case Nfs4Status::BADSLOT:
    case Nfs4Status::BAD_HIGH_SLOT:
    case Nfs4Status::DEADSESSION:
    case Nfs4Status::SEQ_FALSE_RETRY:
    case Nfs4Status::SEQ_MISORDERED:
        Add(Nfs4RecoveryStep::SESSION_RESET);
        return true;
    case Nfs4Status::CONN_NOT_BOUND_TO_SESSION:
        Add(Nfs4RecoveryStep::BIND_CONN_TO_SESSION);
        return true;
    default:
        return false;
    }
}

bool
Nfs4RecoveryPlan::Finish(Nfs4RecoveryStep step, Nfs4Status status)
{
    if (status == Nfs4Status::OK)
    {
        Remove(step);
        if (step == Nfs4RecoveryStep::LEASE_EXPIRED)
        {
            Remove(Nfs4RecoveryStep::SESSION_RESET);
            Remove(Nfs4RecoveryStep::BIND_CONN_TO_SESSION);
        }
        if (step == Nfs4RecoveryStep::SESSION_RESET)
        {
            Remove(Nfs4RecoveryStep::BIND_CONN_TO_SESSION);
        }
        return true;
    }
    switch (step)
    {
    case Nfs4RecoveryStep::PURGE_STATE:
        // What could not be destroyed is gone, or will be.
        Remove(step);
        Add(Nfs4RecoveryStep::LEASE_EXPIRED);
        return true;
    case Nfs4RecoveryStep::LEASE_EXPIRED:
        // STALE_CLIENTID of CREATE_SESSION or SETCLIENTID_CONFIRM: the client ID is made again.
        return status == Nfs4Status::STALE_CLIENTID;
    case Nfs4RecoveryStep::RECLAIM_REBOOT:
        if (status == Nfs4Status::NO_GRACE || status == Nfs4Status::COMPLETE_ALREADY)
        {
            Remove(step);
            return true;
        }
        break;
    default:
        break;
    }
    if (step != Nfs4RecoveryStep::RECLAIM_REBOOT && step != Nfs4RecoveryStep::RECLAIM_NOGRACE)
    {
        Remove(step);
    }
    return TakeRecoveryError(status);
}

} // namespace ns3::nfsrdma
