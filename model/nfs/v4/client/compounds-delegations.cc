/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/masks.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

Nfs4Status
Nfs4CompoundClient::Recall(const Nfs4Fh& file, const Nfs4StateId& stateid)
{
    const auto delegation = m_held.FindDelegation(file);
    if (!delegation)
    {
        return Nfs4Status::BADHANDLE;
    }
    if (delegation->stateid.other != stateid.other)
    {
        return Nfs4Status::BAD_STATEID;
    }
    m_recalledTrace(stateid);
    if (!delegation->returning)
    {
        Simulator::ScheduleNow([self = Ptr<Nfs4CompoundClient>(this), delegation] {
            self->ReturnDelegation(delegation, nullptr);
        });
    }
    return Nfs4Status::OK;
}

void
Nfs4CompoundClient::RecallAny(uint32_t keep)
{
    std::vector<Nfs4HeldState::DelegationPtr> held;
    for (const auto& [file, delegation] : m_held.GetDelegations())
    {
        if (!delegation->returning)
        {
            held.push_back(delegation);
        }
    }
    for (std::size_t i = keep; i < held.size(); ++i)
    {
        Simulator::ScheduleNow([self = Ptr<Nfs4CompoundClient>(this), delegation = held[i]] {
            self->ReturnDelegation(delegation, nullptr);
        });
    }
}

void
Nfs4CompoundClient::ReturnDelegation(const Nfs4HeldState::DelegationPtr& delegation,
                                     std::function<void()> done)
{
    if (delegation->returning)
    {
        if (done)
        {
            delegation->waiting.push_back(std::move(done));
        }
        return;
    }
    delegation->returning = true;
    if (done)
    {
        delegation->waiting.push_back(std::move(done));
    }
    ClaimOpens(delegation);
}

void
Nfs4CompoundClient::ClaimOpens(const Nfs4HeldState::DelegationPtr& delegation)
{
    const auto open = m_held.FindOpen(delegation->file);
    const uint32_t needed = open ? open->GetNeeded() : 0;
    const uint32_t has = open && open->stateid ? open->access : 0;
    if ((needed & ~has) == 0)
    {
        SendDelegReturn(delegation);
        return;
    }
    auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->owner = m_openOwner;
    task->open = open;
    task->build = [this, open, delegation](Compound4Args& compound) {
        OpenArgs4 args = MakeOpen(open->GetNeeded());
        args.claim.delegateStateid = delegation->stateid;
        if (HasSessions())
        {
            args.claim.type = OpenClaim4::DELEG_CUR_FH;
            compound.ops.emplace_back(PutfhArgs4{open->file});
            compound.ops.emplace_back(std::move(args));
        }
        else
        {
            args.claim.type = OpenClaim4::DELEGATE_CUR;
            args.claim.file = open->name.second;
            compound.ops.emplace_back(PutfhArgs4{open->name.first});
            compound.ops.emplace_back(std::move(args));
        }
        compound.ops.emplace_back(GetattrArgs4{MakeRecoveryMask()});
    };
    task->done = [this, open, delegation](const Nfs4TaskReply& reply) {
        const auto* result = reply.Find<OpenRes4>();
        if (result != nullptr && result->status == Nfs4Status::OK)
        {
            TakeOpen(open, *result, open->GetNeeded());
            ConfirmOpen(open, *result, [this, delegation] { SendDelegReturn(delegation); });
            return;
        }
        open->lost = true;
        SendDelegReturn(delegation);
    };
    Submit(task);
}

void
Nfs4CompoundClient::SendDelegReturn(const Nfs4HeldState::DelegationPtr& delegation)
{
    auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->final = true;
    task->build = [delegation](Compound4Args& compound) {
        compound.ops.emplace_back(PutfhArgs4{delegation->file});
        compound.ops.emplace_back(GetattrArgs4{MakeConsistencyMask()});
        compound.ops.emplace_back(DelegreturnArgs4{delegation->stateid});
    };
    task->done = [this, delegation](const Nfs4TaskReply& /* reply */) {
        m_held.DropDelegation(delegation);
        const auto waiting = std::move(delegation->waiting);
        delegation->waiting.clear();
        for (const auto& done : waiting)
        {
            done();
        }
    };
    Submit(task);
}

void
Nfs4CompoundClient::ReturnAll(std::function<void()> done)
{
    const auto& delegations = m_held.GetDelegations();
    if (delegations.empty())
    {
        done();
        return;
    }
    ReturnDelegation(delegations.begin()->second,
                     [this, done = std::move(done)] { ReturnAll(done); });
}

} // namespace ns3::nfsrdma
