/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/masks.h"

#include "ns3/simulator.h"

#include <algorithm>

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

OpenDelegationType4
GetType(const Nfs4HeldState::DelegationPtr& delegation)
{
    return delegation ? delegation->type : OpenDelegationType4::NONE;
}

} // namespace

void
Nfs4CompoundClient::ReclaimNext(Nfs4RecoveryStep step)
{
    const bool reboot = step == Nfs4RecoveryStep::RECLAIM_REBOOT;
    for (const auto& [file, open] : m_held.GetOpens())
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
    m_offloads.LoseAll();
    if (reboot)
    {
        EndReclaim();
        return;
    }
    const auto& delegations = m_held.GetDelegations();
    if (HasSessions() && std::any_of(delegations.begin(), delegations.end(), [](const auto& held) {
            return held.second->test;
        }))
    {
        m_plan.Add(Nfs4RecoveryStep::DELEGATION_EXPIRED);
    }
    FinishStep(step, RpcOutcome::SUCCESS, Nfs4Status::OK);
}

void
Nfs4CompoundClient::ReclaimOpen(const Nfs4HeldState::OpenPtr& open)
{
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->cacheThis = true;
    task->owner = m_openOwner;
    task->build = [this, open](Compound4Args& compound) {
        OpenArgs4 args = MakeOpen(open->GetNeeded());
        args.claim.type = OpenClaim4::PREVIOUS;
        args.claim.delegateType = GetType(m_held.FindDelegation(open->file));
        compound.ops.emplace_back(PutfhArgs4{open->file});
        compound.ops.emplace_back(std::move(args));
        compound.ops.emplace_back(GetattrArgs4{MakeRecoveryMask()});
    };
    task->done = [this, open](const Nfs4TaskReply& reply) {
        const auto step = Nfs4RecoveryStep::RECLAIM_REBOOT;
        const auto* result = reply.Find<OpenRes4>();
        if (reply.outcome != RpcOutcome::SUCCESS || !ConcernsOneFile(reply.status))
        {
            FinishStep(step, reply);
            return;
        }
        open->reclaimReboot = false;
        if (result != nullptr && result->status == Nfs4Status::OK)
        {
            open->lockStateid.reset();
            TakeOpen(open, *result, open->GetNeeded());
            ConfirmOpen(open, *result, [this, open] { ReclaimLock(step, open, 0); });
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
        ReclaimNext(step);
    };
    Submit(task);
}

void
Nfs4CompoundClient::OpenAnew(const Nfs4HeldState::OpenPtr& open)
{
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->cacheThis = true;
    task->owner = m_openOwner;
    task->build = [this, open](Compound4Args& compound) {
        OpenArgs4 args = MakeOpen(open->GetNeeded());
        if (HasSessions())
        {
            args.claim.type = OpenClaim4::FH;
            args.shareAccess |= open->direct ? OPEN4_SHARE_ACCESS_WANT_NO_DELEG : 0;
            compound.ops.emplace_back(PutfhArgs4{open->file});
            compound.ops.emplace_back(std::move(args));
        }
        else
        {
            args.claim.file = open->name.second;
            compound.ops.emplace_back(PutfhArgs4{open->name.first});
            compound.ops.emplace_back(std::move(args));
            compound.ops.emplace_back(GetfhArgs4());
        }
        compound.ops.emplace_back(AccessArgs4{OPEN_ACCESS});
        compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
    };
    task->done = [this, open](const Nfs4TaskReply& reply) {
        const auto step = Nfs4RecoveryStep::RECLAIM_NOGRACE;
        if (reply.outcome != RpcOutcome::SUCCESS || !ConcernsOneFile(reply.status))
        {
            FinishStep(step, reply);
            return;
        }
        open->reclaimNoGrace = false;
        const auto* result = reply.Find<OpenRes4>();
        const auto* handle = reply.Find<GetfhRes4>();
        const bool otherFile = handle != nullptr && handle->object != open->file;
        if (result == nullptr || result->status != Nfs4Status::OK || otherFile)
        {
            open->lost = true;
            ReclaimNext(step);
            return;
        }
        open->lockStateid.reset();
        open->stateid.reset();
        TakeOpen(open, *result, open->GetNeeded());
        ConfirmOpen(open, *result, [this, open] { ReclaimLock(step, open, 0); });
    };
    Submit(task);
}

void
Nfs4CompoundClient::ConfirmOpen(const Nfs4HeldState::OpenPtr& open,
                                const OpenRes4& result,
                                std::function<void()> done)
{
    if ((result.rflags & OPEN4_RESULT_CONFIRM) == 0 || HasSessions())
    {
        done();
        return;
    }
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = m_recovering;
    task->next = true;
    task->owner = m_openOwner;
    task->build = [this, open](Compound4Args& compound) {
        compound.ops.emplace_back(PutfhArgs4{open->file});
        compound.ops.emplace_back(
            OpenConfirmArgs4{open->stateid.value_or(Nfs4StateId()), m_openOwner->GetSeqid()});
    };
    task->done = [open, done = std::move(done)](const Nfs4TaskReply& reply) {
        const auto* confirmed = reply.Find<OpenConfirmRes4>();
        if (confirmed != nullptr && confirmed->status == Nfs4Status::OK)
        {
            open->TakeStateId(confirmed->openStateid, open->access);
        }
        done();
    };
    Submit(task);
}

void
Nfs4CompoundClient::TestOpen(const Nfs4HeldState::OpenPtr& open)
{
    Ask(
        [open](Compound4Args& compound) {
            compound.ops.emplace_back(TestStateidArgs4{{*open->stateid}});
        },
        [this, open](const Nfs4TaskReply& reply) {
            const auto step = Nfs4RecoveryStep::RECLAIM_NOGRACE;
            if (!reply.IsOk())
            {
                FinishStep(step, reply);
                return;
            }
            const auto* result = reply.Find<TestStateidRes4>();
            const Nfs4Status status = result == nullptr || result->statusCodes.empty()
                                          ? Nfs4Status::BAD_STATEID
                                          : result->statusCodes.front();
            open->testFirst = false;
            if (status == Nfs4Status::OK)
            {
                open->reclaimNoGrace = false;
                ReclaimNext(step);
                return;
            }
            if (status != Nfs4Status::EXPIRED && status != Nfs4Status::ADMIN_REVOKED &&
                status != Nfs4Status::DELEG_REVOKED)
            {
                OpenAnew(open);
                return;
            }
            Ask(
                [open](Compound4Args& compound) {
                    compound.ops.emplace_back(FreeStateidArgs4{*open->stateid});
                },
                [this, open](const Nfs4TaskReply& /* freed */) { OpenAnew(open); },
                false,
                true);
        });
}

void
Nfs4CompoundClient::ReclaimLock(Nfs4RecoveryStep step,
                                const Nfs4HeldState::OpenPtr& open,
                                std::size_t index)
{
    if (index >= open->locks.size())
    {
        ReclaimNext(step);
        return;
    }
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->cacheThis = true;
    const bool newOwner = !open->lockStateid;
    task->owner = newOwner ? m_openOwner : nullptr;
    task->locked = open;
    task->build = [this, step, open, index](Compound4Args& compound) {
        LockArgs4 args =
            MakeLock(open, open->locks[index], step == Nfs4RecoveryStep::RECLAIM_REBOOT);
        compound.ops.emplace_back(PutfhArgs4{open->file});
        compound.ops.emplace_back(std::move(args));
    };
    task->done = [this, step, open, index](const Nfs4TaskReply& reply) {
        if (reply.outcome != RpcOutcome::SUCCESS || !ConcernsOneFile(reply.status))
        {
            FinishStep(step, reply);
            return;
        }
        const auto* result = reply.Find<LockRes4>();
        if (result == nullptr || result->status != Nfs4Status::OK)
        {
            // Somebody else has it: what was under its protection is no more.
            open->lost = true;
            ReclaimNext(step);
            return;
        }
        open->lockStateid = result->lockStateid;
        ReclaimLock(step, open, index + 1);
    };
    Submit(task);
}

void
Nfs4CompoundClient::EndReclaim()
{
    constexpr auto step = Nfs4RecoveryStep::RECLAIM_REBOOT;
    const auto end = [this](RpcOutcome outcome, Nfs4Status status) {
        m_held.EndReboot();
        const auto& opens = m_held.GetOpens();
        if (std::any_of(opens.begin(), opens.end(), [](const auto& held) {
                return held.second->reclaimNoGrace;
            }))
        {
            m_plan.Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
        }
        FinishStep(step, outcome, status);
    };
    if (!HasSessions())
    {
        end(RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    }
    Ask([](Compound4Args& compound) { compound.ops.emplace_back(ReclaimCompleteArgs4()); },
        [end](const Nfs4TaskReply& reply) { end(reply.outcome, reply.status); });
}

void
Nfs4CompoundClient::TestDelegations()
{
    const auto step = Nfs4RecoveryStep::DELEGATION_EXPIRED;
    for (const auto& [file, delegation] : m_held.GetDelegations())
    {
        if (!delegation->test)
        {
            continue;
        }
        delegation->test = false;
        Ask(
            [stateid = delegation->stateid](Compound4Args& compound) {
                compound.ops.emplace_back(TestStateidArgs4{{stateid}});
            },
            [this, delegation = delegation](const Nfs4TaskReply& reply) {
                const auto* result = reply.Find<TestStateidRes4>();
                if (!reply.IsOk() || result == nullptr)
                {
                    FinishStep(Nfs4RecoveryStep::DELEGATION_EXPIRED, reply);
                    return;
                }
                if (!result->statusCodes.empty() && result->statusCodes.front() == Nfs4Status::OK)
                {
                    TestDelegations();
                    return;
                }
                DropRevoked(delegation);
                Ask(
                    [stateid = delegation->stateid](Compound4Args& compound) {
                        compound.ops.emplace_back(FreeStateidArgs4{stateid});
                    },
                    [this](const Nfs4TaskReply& /* freed */) { TestDelegations(); },
                    false,
                    true);
            });
        return;
    }
    FinishStep(step, RpcOutcome::SUCCESS, Nfs4Status::OK);
}

void
Nfs4CompoundClient::DropRevoked(const Nfs4HeldState::DelegationPtr& delegation)
{
    m_held.DropDelegation(delegation);
    const auto open = m_held.FindOpen(delegation->file);
    if (open && open->GetNeeded() != 0 &&
        (!open->stateid || (open->GetNeeded() & ~open->access) != 0))
    {
        open->reclaimNoGrace = true;
        open->testFirst = false;
        m_plan.Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
    }
}

} // namespace ns3::nfsrdma
