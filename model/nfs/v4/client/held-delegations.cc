/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/held-delegations.h"

#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/masks.h"

#include "ns3/simulator.h"

#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

Nfs4HeldDelegations::Nfs4HeldDelegations(Nfs4CompoundClient& client,
                                         const TracedCallback<const Nfs4StateId&>& recalled)
    : m_client(client),
      m_recalled(recalled)
{
}

void
Nfs4HeldDelegations::TakeOpen(const Nfs4HeldState::OpenPtr& open,
                              const OpenRes4& result,
                              uint32_t access)
{
    open->TakeStateId(result.stateid, access);
    if (result.delegation.type != OpenDelegationType4::READ &&
        result.delegation.type != OpenDelegationType4::WRITE)
    {
        return;
    }
    const auto delegation = m_client.GetHeld().TakeDelegation(open->file, result.delegation);
    if (result.delegation.recall)
    {
        Recall(open->file, delegation->stateid);
    }
}

Nfs4Status
Nfs4HeldDelegations::Recall(const Nfs4Fh& file, const Nfs4StateId& stateid)
{
    const auto delegation = m_client.GetHeld().FindDelegation(file);
    if (!delegation)
    {
        return Nfs4Status::BADHANDLE;
    }
    if (delegation->stateid.other != stateid.other)
    {
        return Nfs4Status::BAD_STATEID;
    }
    m_recalled(stateid);
    if (!delegation->returning)
    {
        ReturnSoon(delegation);
    }
    return Nfs4Status::OK;
}

void
Nfs4HeldDelegations::RecallAny(uint32_t keep)
{
    std::vector<Nfs4HeldState::DelegationPtr> held;
    for (const auto& [file, delegation] : m_client.GetHeld().GetDelegations())
    {
        if (!delegation->returning)
        {
            held.push_back(delegation);
        }
    }
    for (std::size_t i = keep; i < held.size(); ++i)
    {
        ReturnSoon(held[i]);
    }
}

void
Nfs4HeldDelegations::ReturnSoon(const Nfs4HeldState::DelegationPtr& delegation)
{
    Simulator::ScheduleNow([this, kept = Ptr<Nfs4CompoundClient>(&m_client), delegation] {
        Return(delegation, nullptr);
    });
}

void
Nfs4HeldDelegations::Return(const Nfs4HeldState::DelegationPtr& delegation,
                            std::function<void()> done)
{
    if (done)
    {
        delegation->waiting.push_back(std::move(done));
    }
    if (delegation->forgotten)
    {
        for (const auto& waiting : std::exchange(delegation->waiting, {}))
        {
            waiting();
        }
        return;
    }
    if (!std::exchange(delegation->returning, true))
    {
        ClaimOpens(delegation);
    }
}

void
Nfs4HeldDelegations::ClaimOpens(const Nfs4HeldState::DelegationPtr& delegation)
{
    const auto open = m_client.GetHeld().FindOpen(delegation->file);
    const uint32_t needed = open ? open->GetNeeded() : 0;
    const uint32_t has = open && open->stateid ? open->access : 0;
    if ((needed & ~has) == 0)
    {
        SendReturn(delegation);
        return;
    }
    auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->owner = m_client.GetOwners().GetOpenOwner();
    task->open = open;
    task->obsolete = [delegation] { return delegation->forgotten; };
    task->build = [this, open, delegation](Compound4Args& compound) {
        const bool byHandle = m_client.HasSessions();
        OpenArgs4 args = m_client.GetOwners().MakeOpen(open->GetNeeded());
        args.claim.delegateStateid = delegation->stateid;
        args.claim.type = byHandle ? OpenClaim4::DELEG_CUR_FH : OpenClaim4::DELEGATE_CUR;
        if (!byHandle)
        {
            args.claim.file = open->name.second;
        }
        compound.Add(PutfhArgs4{byHandle ? open->file : open->name.first},
                     std::move(args),
                     GetattrArgs4{MakeRecoveryMask()});
    };
    task->done = [this, open, delegation](const Nfs4TaskReply& reply) {
        const auto* result = reply.Find<OpenRes4>();
        if (result != nullptr && result->status == Nfs4Status::OK)
        {
            TakeOpen(open, *result, open->GetNeeded());
            m_client.GetOwners().ConfirmOpen(open, *result, [this, delegation] {
                SendReturn(delegation);
            });
            return;
        }
        open->lost = !delegation->forgotten;
        SendReturn(delegation);
    };
    m_client.GetTasks().Submit(task);
}

void
Nfs4HeldDelegations::SendReturn(const Nfs4HeldState::DelegationPtr& delegation)
{
    auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->final = true;
    task->obsolete = [delegation] { return delegation->forgotten; };
    task->build = [delegation](Compound4Args& compound) {
        compound.Add(PutfhArgs4{delegation->file},
                     GetattrArgs4{MakeConsistencyMask()},
                     DelegreturnArgs4{delegation->stateid});
    };
    task->done = [this, delegation](const Nfs4TaskReply& /* reply */) {
        m_client.GetHeld().DropDelegation(delegation);
        const auto waiting = std::exchange(delegation->waiting, {});
        for (const auto& done : waiting)
        {
            done();
        }
    };
    m_client.GetTasks().Submit(task);
}

void
Nfs4HeldDelegations::Forget()
{
    for (const auto& [file, delegation] : std::map(m_client.GetHeld().GetDelegations()))
    {
        delegation->forgotten = true;
        m_client.GetHeld().DropDelegation(delegation);
        for (const auto& done : std::exchange(delegation->waiting, {}))
        {
            done();
        }
    }
}

void
Nfs4HeldDelegations::ReturnAll(std::function<void()> done)
{
    const auto& delegations = m_client.GetHeld().GetDelegations();
    if (delegations.empty())
    {
        done();
        return;
    }
    Return(delegations.begin()->second, [this, done = std::move(done)] { ReturnAll(done); });
}

} // namespace ns3::nfsrdma
