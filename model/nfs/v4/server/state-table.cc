/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/state-table.h"

#include "nfs/v4/protocol/status.h"
#include "nfs/v4/server/identifiers.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

uint32_t
CombineShares(uint32_t modes)
{
    uint32_t bits = 0;
    for (uint32_t mode = 1; mode <= SHARE_BOTH; ++mode)
    {
        if ((modes >> mode & 1U) != 0)
        {
            bits |= mode;
        }
    }
    return bits;
}

Nfs4StateKey
GetKey(const Nfs4StateId& id)
{
    return {GetNfs4Client(id), GetNfs4StateNumber(id)};
}

} // namespace

Nfs4Owner::Order
Nfs4Owner::Check(uint32_t seqid) const
{
    if (seqid == nextSeqid)
    {
        return Order::NEXT;
    }
    return seqid + 1 == nextSeqid ? Order::REPLAY : Order::BAD;
}

void
Nfs4Owner::Finish(Nfs4Status status, Reply reply)
{
    if (CountsSeqidUp(status))
    {
        ++nextSeqid;
        lastReply = std::move(reply);
    }
}

uint32_t
Nfs4State::GetAccess() const
{
    return CombineShares(accesses);
}

uint32_t
Nfs4State::GetDeny() const
{
    return CombineShares(denies);
}

Nfs4Status
Nfs4StateTable::CheckSeqid(const Nfs4StateId& given, const Nfs4StateId& current, bool sessions)
{
    if ((sessions && given.seqid == 0) || given.seqid == current.seqid)
    {
        return Nfs4Status::OK;
    }
    return static_cast<int32_t>(given.seqid - current.seqid) > 0 ? Nfs4Status::BAD_STATEID
                                                                 : Nfs4Status::OLD_STATEID;
}

tl::expected<Nfs4StatePtr, Nfs4Status>
Nfs4StateTable::Find(const Nfs4StateId& id, const Nfs4StateUse& use) const
{
    const auto found = m_states.find(GetKey(id));
    if (found == m_states.end())
    {
        return tl::unexpected(Nfs4Status::BAD_STATEID);
    }
    if (found->second->kind == Nfs4State::Kind::REVOKED && !use.allowRevoked)
    {
        return tl::unexpected(use.sessions ? Nfs4Status::DELEG_REVOKED : Nfs4Status::BAD_STATEID);
    }
    const Nfs4Status status = CheckSeqid(id, found->second->id, use.sessions);
    if (status != Nfs4Status::OK)
    {
        return tl::unexpected(status);
    }
    return found->second;
}

Nfs4OwnerPtr
Nfs4StateTable::FindOwner(Nfs4ClientId client, const ByteVector& name, bool lockOwner) const
{
    const auto found = m_ownerNumbers.find({client, lockOwner, name});
    return found == m_ownerNumbers.end() ? nullptr : m_owners.at(found->second);
}

Nfs4OwnerPtr
Nfs4StateTable::MakeOwner(Nfs4ClientId client, const ByteVector& name, bool lockOwner)
{
    auto owner = std::make_shared<Nfs4Owner>();
    owner->client = client;
    owner->name = name;
    owner->isLockOwner = lockOwner;
    owner->number = m_nextOwner++;
    m_owners.emplace(owner->number, owner);
    m_ownerNumbers.emplace(std::make_tuple(client, lockOwner, name), owner->number);
    return owner;
}

void
Nfs4StateTable::ReleaseOwner(const Nfs4OwnerPtr& owner)
{
    for (const auto& state : GetOf(owner->client))
    {
        if (state->owner == owner)
        {
            Free(state);
        }
    }
    m_ownerNumbers.erase({owner->client, owner->isLockOwner, owner->name});
    m_owners.erase(owner->number);
}

Nfs4OwnerPtr
Nfs4StateTable::GetOwner(uint64_t number) const
{
    const auto found = m_owners.find(number);
    return found == m_owners.end() ? nullptr : found->second;
}

Nfs4StatePtr
Nfs4StateTable::Make(Nfs4State::Kind kind, Nfs4ClientId client, const Nfs4FileKey& file)
{
    auto state = std::make_shared<Nfs4State>();
    const uint32_t number = ++m_nextState[client];
    const Nfs4StateKey key{client, number};
    state->kind = kind;
    state->client = client;
    state->file = file;
    state->id = MakeNfs4StateId(client, number);
    state->id.seqid = 1;
    m_states.emplace(key, state);
    m_files[file].states.emplace(key, state);
    return state;
}

const Nfs4StateTable::File*
Nfs4StateTable::FindFile(const Nfs4FileKey& file) const
{
    const auto found = m_files.find(file);
    return found == m_files.end() ? nullptr : &found->second;
}

tl::expected<Nfs4StatePtr, Nfs4Status>
Nfs4StateTable::Open(const Nfs4OwnerPtr& owner,
                     const Nfs4FileKey& file,
                     uint32_t access,
                     uint32_t deny)
{
    Nfs4StatePtr mine;
    if (const File* known = FindFile(file))
    {
        for (const auto& [key, state] : known->states)
        {
            if (state->kind != Nfs4State::Kind::OPEN)
            {
                continue;
            }
            if ((state->GetDeny() & access) != 0 || (state->GetAccess() & deny) != 0)
            {
                return tl::unexpected(Nfs4Status::SHARE_DENIED);
            }
            if (state->owner == owner)
            {
                mine = state;
            }
        }
    }
    if (mine)
    {
        ++mine->id.seqid;
    }
    else
    {
        mine = Make(Nfs4State::Kind::OPEN, owner->client, file);
        mine->owner = owner;
    }
    mine->accesses |= 1U << access;
    mine->denies |= 1U << deny;
    return mine;
}

Nfs4Status
Nfs4StateTable::Downgrade(Nfs4State& open, uint32_t access, uint32_t deny)
{
    if ((open.accesses >> access & 1U) == 0 || (open.denies >> deny & 1U) == 0)
    {
        return Nfs4Status::INVAL;
    }
    for (uint32_t mode = 1; mode <= SHARE_BOTH; ++mode)
    {
        if ((mode & ~access) != 0)
        {
            open.accesses &= ~(1U << mode);
        }
        if ((mode & ~deny) != 0)
        {
            open.denies &= ~(1U << mode);
        }
    }
    ++open.id.seqid;
    return Nfs4Status::OK;
}

void
Nfs4StateTable::Close(const Nfs4StatePtr& open)
{
    for (const auto& state : GetOf(open->file))
    {
        if (state->open == open)
        {
            FreeLockState(state);
        }
    }
    open->owner->lastClosed = open->id;
    open->owner->lastClosed->seqid = 0;
    Forget(open);
}

Nfs4OwnerPtr
Nfs4StateTable::FindLastClosed(const Nfs4StateId& id) const
{
    const auto found = std::find_if(m_owners.begin(), m_owners.end(), [&id](const auto& entry) {
        const auto& closed = entry.second->lastClosed;
        return closed && closed->other == id.other;
    });
    return found == m_owners.end() ? nullptr : found->second;
}

bool
Nfs4StateTable::IsDenied(const Nfs4FileKey& file, uint32_t access) const
{
    const File* known = FindFile(file);
    return known != nullptr &&
           std::any_of(known->states.begin(), known->states.end(), [access](const auto& entry) {
               return (entry.second->GetDeny() & access) != 0;
           });
}

bool
Nfs4StateTable::IsOpenForWrite(const Nfs4FileKey& file, Nfs4ClientId except) const
{
    const File* known = FindFile(file);
    return known != nullptr &&
           std::any_of(known->states.begin(), known->states.end(), [except](const auto& entry) {
               return entry.second->client != except &&
                      (entry.second->GetAccess() & SHARE_WRITE) != 0;
           });
}

bool
Nfs4StateTable::HasOpen(const Nfs4FileKey& file) const
{
    const File* known = FindFile(file);
    return known != nullptr &&
           std::any_of(known->states.begin(), known->states.end(), [](const auto& entry) {
               return entry.second->kind == Nfs4State::Kind::OPEN;
           });
}

Nfs4StatePtr
Nfs4StateTable::TakeLockState(const Nfs4OwnerPtr& owner, const Nfs4StatePtr& open)
{
    for (const auto& state : GetOf(open->file))
    {
        if (state->kind == Nfs4State::Kind::LOCK && state->owner == owner)
        {
            return state;
        }
    }
    Nfs4StatePtr lock = Make(Nfs4State::Kind::LOCK, owner->client, open->file);
    lock->id.seqid = 0;
    lock->owner = owner;
    lock->open = open;
    return lock;
}

std::optional<Nfs4ByteRangeLocks::Lock>
Nfs4StateTable::TestLock(const Nfs4FileKey& file, const Nfs4ByteRangeLocks::Lock& wanted) const
{
    const File* known = FindFile(file);
    return known == nullptr ? std::nullopt : known->locks.Test(wanted);
}

void
Nfs4StateTable::FreeLockState(const Nfs4StatePtr& lock)
{
    m_files[lock->file].locks.UnlockAll(lock->owner->number);
    Forget(lock);
}

bool
Nfs4StateTable::HasLocks(const Nfs4State& lock) const
{
    const File* known = FindFile(lock.file);
    return known != nullptr && known->locks.HasAny(lock.owner->number);
}

bool
Nfs4StateTable::IsBlocked(const Nfs4FileKey& file, Time now)
{
    const Time period = Seconds(BLOCK_SECONDS);
    const auto found = m_blocked.find(file);
    if (found == m_blocked.end())
    {
        return false;
    }
    const int64_t halves = now.GetNanoSeconds() / period.GetNanoSeconds() -
                           found->second.GetNanoSeconds() / period.GetNanoSeconds();
    if (halves < 2)
    {
        return true;
    }
    m_blocked.erase(found);
    return false;
}

Nfs4StatePtr
Nfs4StateTable::Delegate(Nfs4ClientId client,
                         const Nfs4FileKey& file,
                         const Nfs4Fh& handle,
                         Time now)
{
    const auto found = m_files.find(file);
    if (found == m_files.end() || found->second.hadConflict || IsBlocked(file, now) ||
        IsOpenForWrite(file, client))
    {
        return nullptr;
    }
    bool readable = false;
    for (const auto& [key, state] : found->second.states)
    {
        if (state->kind == Nfs4State::Kind::DELEGATION && state->client == client)
        {
            return nullptr;
        }
        readable = readable || (state->GetAccess() & SHARE_READ) != 0;
    }
    if (!readable)
    {
        return nullptr;
    }
    Nfs4StatePtr delegation = Make(Nfs4State::Kind::DELEGATION, client, file);
    delegation->handle = handle;
    return delegation;
}

std::vector<Nfs4StatePtr>
Nfs4StateTable::GetDelegations(const Nfs4FileKey& file, Nfs4ClientId except) const
{
    std::vector<Nfs4StatePtr> delegations;
    for (const auto& state : GetOf(file))
    {
        if (state->kind == Nfs4State::Kind::DELEGATION && state->client != except)
        {
            delegations.push_back(state);
        }
    }
    return delegations;
}

bool
Nfs4StateTable::Recall(const Nfs4StatePtr& delegation, Time now)
{
    if (delegation->recalled)
    {
        return false;
    }
    delegation->recalled = true;
    delegation->recallTime = now;
    m_files[delegation->file].hadConflict = true;
    Block(delegation->file, now);
    return true;
}

void
Nfs4StateTable::Revoke(const Nfs4StatePtr& delegation, bool remember)
{
    if (!remember)
    {
        Forget(delegation);
        return;
    }
    delegation->kind = Nfs4State::Kind::REVOKED;
    const auto file = m_files.find(delegation->file);
    file->second.states.erase(GetKey(delegation->id));
    if (file->second.states.empty())
    {
        m_files.erase(file);
    }
}

std::vector<Nfs4StatePtr>
Nfs4StateTable::GetRecalled() const
{
    std::vector<Nfs4StatePtr> recalled;
    for (const auto& [key, state] : m_states)
    {
        if (state->kind == Nfs4State::Kind::DELEGATION && state->recalled)
        {
            recalled.push_back(state);
        }
    }
    return recalled;
}

bool
Nfs4StateTable::HasRevoked(Nfs4ClientId client) const
{
    return std::any_of(m_states.begin(), m_states.end(), [client](const auto& entry) {
        return entry.second->kind == Nfs4State::Kind::REVOKED && entry.second->client == client;
    });
}

Nfs4StatePtr
Nfs4StateTable::TakeLayoutState(Nfs4ClientId client, const Nfs4FileKey& file, bool writable)
{
    for (const auto& state : GetOf(file))
    {
        if (state->kind == Nfs4State::Kind::LAYOUT && state->client == client)
        {
            state->writable = state->writable || writable;
            ++state->id.seqid;
            return state;
        }
    }
    Nfs4StatePtr layout = Make(Nfs4State::Kind::LAYOUT, client, file);
    layout->writable = writable;
    return layout;
}

void
Nfs4StateTable::Free(const Nfs4StatePtr& state)
{
    switch (state->kind)
    {
    case Nfs4State::Kind::OPEN:
        Close(state);
        break;
    case Nfs4State::Kind::LOCK:
        FreeLockState(state);
        break;
    default:
        Forget(state);
    }
}

void
Nfs4StateTable::Forget(const Nfs4StatePtr& state)
{
    const Nfs4StateKey key = GetKey(state->id);
    m_states.erase(key);
    const auto file = m_files.find(state->file);
    if (file == m_files.end())
    {
        return;
    }
    file->second.states.erase(key);
    if (file->second.states.empty())
    {
        m_files.erase(file);
    }
}

std::vector<Nfs4StatePtr>
Nfs4StateTable::GetOf(Nfs4ClientId client) const
{
    std::vector<Nfs4StatePtr> states;
    for (const auto& [key, state] : m_states)
    {
        if (state->client == client)
        {
            states.push_back(state);
        }
    }
    return states;
}

std::vector<Nfs4StatePtr>
Nfs4StateTable::GetOf(const Nfs4FileKey& file) const
{
    std::vector<Nfs4StatePtr> states;
    if (const File* known = FindFile(file))
    {
        for (const auto& [key, state] : known->states)
        {
            states.push_back(state);
        }
    }
    return states;
}

bool
Nfs4StateTable::HasAny(Nfs4ClientId client) const
{
    return std::any_of(m_states.begin(), m_states.end(), [client](const auto& entry) {
        return entry.second->client == client;
    });
}

void
Nfs4StateTable::DropClient(Nfs4ClientId client)
{
    for (const auto& state : GetOf(client))
    {
        if (m_states.count(GetKey(state->id)) > 0)
        {
            Free(state);
        }
    }
    for (auto it = m_owners.begin(); it != m_owners.end();)
    {
        const Nfs4OwnerPtr owner = it->second;
        if (owner->client == client)
        {
            m_ownerNumbers.erase({client, owner->isLockOwner, owner->name});
            it = m_owners.erase(it);
        }
        else
        {
            ++it;
        }
    }
}

void
Nfs4StateTable::Clear()
{
    m_states.clear();
    m_files.clear();
    m_owners.clear();
    m_ownerNumbers.clear();
    m_blocked.clear();
    m_nextState.clear();
}

} // namespace ns3::nfsrdma
