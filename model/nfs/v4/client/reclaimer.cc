/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/reclaimer.h"

#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/masks.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// \return whether a reclaim that ended so leaves the rest of recovery as it is.
bool
ConcernsOneFile(Nfs4Status status)
{
    switch (status)
    {
    case Nfs4Status::STALE_CLIENTID:
    case Nfs4Status::BADSESSION:
    case Nfs4Status::BADSLOT:
    case Nfs4Status::BAD_HIGH_SLOT:
    case Nfs4Status::DEADSESSION:
    case Nfs4Status::CONN_NOT_BOUND_TO_SESSION:
    case Nfs4Status::SEQ_FALSE_RETRY:
    case Nfs4Status::SEQ_MISORDERED:
        return false;
    default:
        return true;
    }
}

/// \return the status that TEST_STATEID gave of its only stateid, or nothing.
std::optional<Nfs4Status>
FindTested(const Nfs4TaskReply& reply)
{
    const auto* result = reply.Find<TestStateidRes4>();
    return result == nullptr || result->statusCodes.empty()
               ? std::nullopt
               : std::optional(result->statusCodes.front());
}

} // namespace

Nfs4Reclaimer::Nfs4Reclaimer(Nfs4CompoundClient& client)
    : m_client(client)
{
}

void
Nfs4Reclaimer::Reclaim(Nfs4RecoveryStep step, Done done)
{
    m_step = step;
    m_done = std::move(done);
    Next();
}

void
Nfs4Reclaimer::End(RpcOutcome outcome, Nfs4Status status)
{
    const Done done = std::exchange(m_done, nullptr);
    done(outcome, status);
}

bool
Nfs4Reclaimer::EndsStep(const Nfs4TaskReply& reply)
{
    if (reply.outcome == RpcOutcome::SUCCESS && ConcernsOneFile(reply.status))
    {
        return false;
    }
    End(reply.outcome, reply.status);
    return true;
}

void
Nfs4Reclaimer::Next()
{
    const bool reboot = m_step == Nfs4RecoveryStep::RECLAIM_REBOOT;
    for (const auto& [file, open] : m_client.GetHeld().GetOpens())
    {
        if (open->GetNeeded() == 0)
        {
            if (open->reclaimReboot || (open->reclaimNoGrace && !open->testFirst))
            {
                open->stateid.reset(); // to be closed, and gone
            }
            open->reclaimReboot = false;
            open->reclaimNoGrace = false;
        }
        if (reboot && open->reclaimReboot)
        {
            ReclaimOpen(open);
            return;
        }
        if (!reboot && open->reclaimNoGrace)
        {
            if (open->testFirst && open->stateid)
            {
                TestOpen(open);
            }
            else
            {
                OpenAnew(open);
            }
            return;
        }
    }
    m_client.GetOffloads().LoseAll();
    if (reboot)
    {
        Complete();
        return;
    }
    const auto& delegations = m_client.GetHeld().GetDelegations();
    if (m_client.HasSessions() && std::any_of(delegations.begin(),
                                              delegations.end(),
                                              [](const auto& held) { return held.second->test; }))
    {
        m_client.GetManager().Plan().Add(Nfs4RecoveryStep::DELEGATION_EXPIRED);
    }
    End(RpcOutcome::SUCCESS, Nfs4Status::OK);
}

void
Nfs4Reclaimer::ReclaimOpen(const Nfs4HeldState::OpenPtr& open)
{
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->cacheThis = true;
    task->owner = m_client.GetOwners().GetOpenOwner();
    task->build = [this, open](Compound4Args& compound) {
        const auto delegation = m_client.GetHeld().FindDelegation(open->file);
        OpenArgs4 args = m_client.GetOwners().MakeOpen(open->GetNeeded());
        args.claim.type = OpenClaim4::PREVIOUS;
        args.claim.delegateType = delegation ? delegation->type : OpenDelegationType4::NONE;
        compound.Add(PutfhArgs4{open->file}, std::move(args), GetattrArgs4{MakeRecoveryMask()});
    };
    task->done = [this, open](const Nfs4TaskReply& reply) {
        if (EndsStep(reply))
        {
            return;
        }
        open->reclaimReboot = false;
        const auto* result = reply.Find<OpenRes4>();
        if (result != nullptr && result->status == Nfs4Status::OK)
        {
            TakeOpen(open, *result);
            return;
        }
        switch (reply.status)
        {
        case Nfs4Status::NO_GRACE:
        case Nfs4Status::RECLAIM_BAD:
        case Nfs4Status::RECLAIM_CONFLICT:
        case Nfs4Status::EXPIRED:
            open->reclaimNoGrace = true;
            open->testFirst = false;
            break;
        default:
            open->lost = true;
            break;
        }
        Next();
    };
    m_client.GetTasks().Submit(task);
}

void
Nfs4Reclaimer::TakeOpen(const Nfs4HeldState::OpenPtr& open, const OpenRes4& result)
{
    open->lockStateid.reset();
    m_client.GetDelegations().TakeOpen(open, result, open->GetNeeded());
    m_client.GetOwners().ConfirmOpen(open, result, [this, open] { ReclaimLock(open, 0); });
}

void
Nfs4Reclaimer::OpenAnew(const Nfs4HeldState::OpenPtr& open)
{
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->cacheThis = true;
    task->owner = m_client.GetOwners().GetOpenOwner();
    task->build = [this, open](Compound4Args& compound) {
        OpenArgs4 args = m_client.GetOwners().MakeOpen(open->GetNeeded());
        if (m_client.HasSessions())
        {
            args.claim.type = OpenClaim4::FH;
            args.shareAccess |= open->direct ? OPEN4_SHARE_ACCESS_WANT_NO_DELEG : 0;
            compound.Add(PutfhArgs4{open->file}, std::move(args));
        }
        else
        {
            args.claim.file = open->name.second;
            compound.Add(PutfhArgs4{open->name.first}, std::move(args), GetfhArgs4());
        }
        compound.Add(AccessArgs4{OPEN_ACCESS}, GetattrArgs4{MakeObjectMask()});
    };
    task->done = [this, open](const Nfs4TaskReply& reply) {
        if (EndsStep(reply))
        {
            return;
        }
        open->reclaimNoGrace = false;
        const auto* result = reply.Find<OpenRes4>();
        const auto* handle = reply.Find<GetfhRes4>();
        const bool otherFile = handle != nullptr && handle->object != open->file;
        if (result == nullptr || result->status != Nfs4Status::OK || otherFile)
        {
            open->lost = true;
            Next();
            return;
        }
        open->stateid.reset();
        TakeOpen(open, *result);
    };
    m_client.GetTasks().Submit(task);
}

void
Nfs4Reclaimer::TestOpen(const Nfs4HeldState::OpenPtr& open)
{
    m_client.GetTasks().Ask(
        MakeNfs4Task(false, TestStateidArgs4{{*open->stateid}}),
        [this, open](const Nfs4TaskReply& reply) {
            if (!reply.IsOk())
            {
                End(reply.outcome, reply.status);
                return;
            }
            const Nfs4Status status = FindTested(reply).value_or(Nfs4Status::BAD_STATEID);
            open->testFirst = false;
            if (status == Nfs4Status::OK)
            {
                open->reclaimNoGrace = false;
                Next();
                return;
            }
            if (status != Nfs4Status::EXPIRED && status != Nfs4Status::ADMIN_REVOKED &&
                status != Nfs4Status::DELEG_REVOKED)
            {
                OpenAnew(open);
                return;
            }
            m_client.GetTasks().Ask(
                MakeNfs4Task(true, FreeStateidArgs4{*open->stateid}),
                [this, open](const Nfs4TaskReply& /* freed */) { OpenAnew(open); });
        });
}

void
Nfs4Reclaimer::ReclaimLock(const Nfs4HeldState::OpenPtr& open, std::size_t index)
{
    if (index >= open->locks.size())
    {
        Next();
        return;
    }
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->cacheThis = true;
    task->owner = m_client.GetOwners().GetOpenOwner();
    task->needsOwner = [open] { return !open->lockStateid; };
    task->locked = open;
    task->build = [this, open, index](Compound4Args& compound) {
        const bool reclaim = m_step == Nfs4RecoveryStep::RECLAIM_REBOOT;
        compound.Add(PutfhArgs4{open->file},
                     m_client.GetOwners().MakeLock(open, open->locks[index], reclaim));
    };
    task->done = [this, open, index](const Nfs4TaskReply& reply) {
        if (EndsStep(reply))
        {
            return;
        }
        const auto* result = reply.Find<LockRes4>();
        if (result == nullptr || result->status != Nfs4Status::OK)
        {
            // Somebody else has it: what was under its protection is no more.
            open->lost = true;
            Next();
            return;
        }
        open->lockStateid = result->lockStateid;
        ReclaimLock(open, index + 1);
    };
    m_client.GetTasks().Submit(task);
}

void
Nfs4Reclaimer::Complete()
{
    const auto end = [this](RpcOutcome outcome, Nfs4Status status) {
        auto& held = m_client.GetHeld();
        held.EndReboot();
        const auto& opens = held.GetOpens();
        if (std::any_of(opens.begin(), opens.end(), [](const auto& open) {
                return open.second->reclaimNoGrace;
            }))
        {
            m_client.GetManager().Plan().Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
        }
        End(outcome, status);
    };
    if (!m_client.HasSessions())
    {
        end(RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    }
    m_client.GetTasks().Ask(
        MakeNfs4Task(false, ReclaimCompleteArgs4()),
        [end](const Nfs4TaskReply& reply) { end(reply.outcome, reply.status); });
}

void
Nfs4Reclaimer::TestDelegations(const Done& done)
{
    const auto& delegations = m_client.GetHeld().GetDelegations();
    const auto found = std::find_if(delegations.begin(), delegations.end(), [](const auto& held) {
        return held.second->test;
    });
    if (found == delegations.end())
    {
        done(RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    }
    const auto delegation = found->second;
    delegation->test = false;
    m_client.GetTasks().Ask(
        MakeNfs4Task(false, TestStateidArgs4{{delegation->stateid}}),
        [this, delegation, done](const Nfs4TaskReply& reply) {
            if (!reply.IsOk() || reply.Find<TestStateidRes4>() == nullptr)
            {
                done(reply.outcome, reply.status);
                return;
            }
            if (FindTested(reply) == Nfs4Status::OK)
            {
                TestDelegations(done);
                return;
            }
            DropRevoked(delegation);
            m_client.GetTasks().Ask(
                MakeNfs4Task(true, FreeStateidArgs4{delegation->stateid}),
                [this, done](const Nfs4TaskReply& /* freed */) { TestDelegations(done); });
        });
}

void
Nfs4Reclaimer::DropRevoked(const Nfs4HeldState::DelegationPtr& delegation)
{
    auto& held = m_client.GetHeld();
    held.DropDelegation(delegation);
    const auto open = held.FindOpen(delegation->file);
    if (open && open->GetNeeded() != 0 &&
        (!open->stateid || (open->GetNeeded() & ~open->access) != 0))
    {
        open->reclaimNoGrace = true;
        open->testFirst = false;
        m_client.GetManager().Plan().Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
    }
}

} // namespace ns3::nfsrdma
