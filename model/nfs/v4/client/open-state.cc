/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/open-state.h"

#include <algorithm>

namespace ns3::nfsrdma
{

uint32_t
Nfs4OpenState::GetNeeded() const
{
    uint32_t needed = 0;
    for (uint32_t mode = 1; mode < users.size(); ++mode)
    {
        needed |= users[mode] != 0 ? mode : 0;
    }
    return needed;
}

void
Nfs4OpenState::Unlock(uint64_t offset, uint64_t length)
{
    const auto getEnd = [](uint64_t first, uint64_t octets) {
        return octets > NFS4_UINT64_MAX - first ? NFS4_UINT64_MAX : first + octets;
    };
    const uint64_t end = getEnd(offset, length);
    std::vector<Nfs4HeldLock> left;
    for (const Nfs4HeldLock& lock : locks)
    {
        const uint64_t lockEnd = getEnd(lock.offset, lock.length);
        if (lock.offset < std::min(offset, lockEnd))
        {
            left.push_back({lock.type, lock.offset, std::min(offset, lockEnd) - lock.offset});
        }
        if (lockEnd > std::max(end, lock.offset))
        {
            const uint64_t first = std::max(end, lock.offset);
            const bool toTheEnd = lockEnd == NFS4_UINT64_MAX;
            left.push_back({lock.type, first, toTheEnd ? NFS4_UINT64_MAX : lockEnd - first});
        }
    }
    locks = std::move(left);
}

void
Nfs4OpenState::NoteOld(const Nfs4StateId& sent)
{
    for (std::optional<Nfs4StateId>* held : {&stateid, &lockStateid})
    {
        if (*held && **held == sent)
        {
            ++(*held)->seqid;
        }
    }
}

void
Nfs4OpenState::TakeStateId(const Nfs4StateId& newer, uint32_t newAccess)
{
    const bool same = stateid && stateid->other == newer.other;
    if (same && static_cast<int32_t>(newer.seqid - stateid->seqid) < 0)
    {
        return;
    }
    stateid = newer;
    access = newAccess;
    lost = false;
}

bool
Nfs4Delegation::Covers(uint32_t access) const
{
    return type == OpenDelegationType4::WRITE || (access & OPEN4_SHARE_ACCESS_WRITE) == 0;
}

Nfs4HeldState::OpenPtr
Nfs4HeldState::GetOpen(const Nfs4Fh& file)
{
    OpenPtr& open = m_opens[file];
    if (!open)
    {
        open = std::make_shared<Nfs4OpenState>();
        open->file = file;
    }
    return open;
}

Nfs4HeldState::OpenPtr
Nfs4HeldState::FindOpen(const Nfs4Fh& file) const
{
    const auto found = m_opens.find(file);
    return found == m_opens.end() ? nullptr : found->second;
}

void
Nfs4HeldState::DropIfUnused(const OpenPtr& open)
{
    const auto found = m_opens.find(open->file);
    if (found != m_opens.end() && found->second == open && open->GetNeeded() == 0)
    {
        m_opens.erase(found);
    }
}

Nfs4HeldState::DelegationPtr
Nfs4HeldState::TakeDelegation(const Nfs4Fh& file, const OpenDelegation4& given)
{
    DelegationPtr& held = m_delegations[file];
    if (held && held->stateid == given.stateid && held->type == given.type)
    {
        held->reclaim = false;
        return held;
    }
    const auto names = held ? held->names : std::set<Nfs4Name>();
    held = std::make_shared<Nfs4Delegation>();
    held->file = file;
    held->stateid = given.stateid;
    held->type = given.type;
    held->names = names;
    return held;
}

Nfs4HeldState::DelegationPtr
Nfs4HeldState::FindDelegation(const Nfs4Fh& file) const
{
    const auto found = m_delegations.find(file);
    return found == m_delegations.end() ? nullptr : found->second;
}

Nfs4HeldState::DelegationPtr
Nfs4HeldState::FindByName(const Nfs4Name& name, uint32_t access) const
{
    for (const auto& [file, delegation] : m_delegations)
    {
        if (!delegation->returning && delegation->names.count(name) != 0 &&
            delegation->Covers(access))
        {
            return delegation;
        }
    }
    return nullptr;
}

void
Nfs4HeldState::DropDelegation(const DelegationPtr& delegation)
{
    const auto found = m_delegations.find(delegation->file);
    if (found != m_delegations.end() && found->second == delegation)
    {
        m_delegations.erase(found);
    }
}

void
Nfs4HeldState::ForgetName(const Nfs4Name& name)
{
    for (const auto& [file, delegation] : m_delegations)
    {
        delegation->names.erase(name);
    }
}

void
Nfs4HeldState::MarkReboot()
{
    for (const auto& [file, open] : m_opens)
    {
        open->reclaimReboot = true;
        open->reclaimNoGrace = false;
    }
    for (const auto& [file, delegation] : m_delegations)
    {
        delegation->reclaim = true;
    }
}

void
Nfs4HeldState::MarkAllRevoked()
{
    m_delegations.clear();
    for (const auto& [file, open] : m_opens)
    {
        open->reclaimNoGrace = true;
        open->testFirst = false;
    }
}

void
Nfs4HeldState::Forget()
{
    MarkAllRevoked();
    for (const auto& [file, open] : m_opens)
    {
        open->stateid.reset();
        open->lockStateid.reset();
        open->lockOwner = 0;
        open->lockSeqid.Restart();
        open->lockInDoubt.reset();
        open->locks.clear();
        open->reclaimReboot = false;
        open->lost = false;
    }
}

void
Nfs4HeldState::MarkSomeRevoked()
{
    for (const auto& [file, open] : m_opens)
    {
        open->reclaimNoGrace = true;
        open->testFirst = true;
    }
    for (const auto& [file, delegation] : m_delegations)
    {
        delegation->test = true;
    }
}

void
Nfs4HeldState::EndReboot()
{
    for (const auto& [file, open] : m_opens)
    {
        if (open->reclaimReboot)
        {
            open->reclaimReboot = false;
            open->reclaimNoGrace = true;
            open->testFirst = false;
        }
    }
    for (auto held = m_delegations.begin(); held != m_delegations.end();)
    {
        held = held->second->reclaim ? m_delegations.erase(held) : std::next(held);
    }
}

void
Nfs4HeldState::Clear()
{
    m_opens.clear();
    m_delegations.clear();
}

Nfs4StateId
Nfs4HeldState::SelectStateId(const Nfs4Fh& file, uint32_t access, bool zeroSeqid) const
{
    Nfs4StateId stateid = MakeAnonymousStateId();
    const auto delegation = FindDelegation(file);
    const auto open = FindOpen(file);
    if (delegation && delegation->Covers(access) &&
        (!delegation->returning || !open || !open->stateid))
    {
        stateid = delegation->stateid;
    }
    else if (open && open->lockStateid && !open->locks.empty())
    {
        stateid = *open->lockStateid;
    }
    else if (open && open->stateid)
    {
        stateid = *open->stateid;
    }
    if (zeroSeqid)
    {
        stateid.seqid = 0;
    }
    return stateid;
}

} // namespace ns3::nfsrdma
