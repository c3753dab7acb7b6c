/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-processor.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

bool
IsWriteLock(LockType4 type)
{
    return type == LockType4::WRITE || type == LockType4::WRITEW;
}

bool
IsWaitingLock(LockType4 type)
{
    return type == LockType4::READW || type == LockType4::WRITEW;
}

} // namespace

LockDenied4
Nfs4CompoundProcessor::Describe(const Nfs4ByteRangeLocks::Lock& lock) const
{
    LockDenied4 denied;
    denied.offset = lock.range.first;
    denied.length = lock.range.GetLength();
    denied.type = lock.write ? LockType4::WRITE : LockType4::READ;
    if (const Nfs4OwnerPtr owner = m_state.states.GetOwner(lock.owner))
    {
        denied.owner = {owner->client, owner->name};
    }
    return denied;
}

Nfs4Result<Nfs4StatePtr>
Nfs4CompoundProcessor::TakeLockState(const LockArgs4& args)
{
    if (!args.newLockOwner)
    {
        return FindOwned(args.lockOwner.lockStateid,
                         Nfs4State::Kind::LOCK,
                         args.lockOwner.lockSeqid);
    }
    const OpenToLockOwner4& from = args.openOwner;
    const auto open = FindOwned(from.openStateid, Nfs4State::Kind::OPEN, from.openSeqid);
    if (!open)
    {
        return tl::unexpected(open.error());
    }
    if (!HasSession() && from.lockOwner.clientId != m_client->id)
    {
        return tl::unexpected(Nfs4Status::BAD_STATEID);
    }
    auto owner = m_state.states.FindOwner(m_client->id, from.lockOwner.owner, true);
    if (!owner)
    {
        owner = m_state.states.MakeOwner(m_client->id, from.lockOwner.owner, true);
        owner->confirmed = true;
    }
    else if (!HasSession() && owner->Check(from.lockSeqid) != Nfs4Owner::Order::NEXT)
    {
        return tl::unexpected(Nfs4Status::BAD_SEQID);
    }
    owner->nextSeqid = from.lockSeqid + 1;
    return m_state.states.TakeLockState(owner, *open);
}

LockRes4
Nfs4CompoundProcessor::Run(const LockArgs4& args)
{
    LockRes4 results;
    const auto range = Nfs4LockRange::Make(args.offset, args.length);
    results.status = range ? CheckRegular(*m_current) : Nfs4Status::INVAL;
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto lock = TakeLockState(args);
    if (!lock)
    {
        results.status = lock.error();
        return results;
    }
    const bool write = IsWriteLock(args.type);
    const bool grace = m_state.grace.IsActive(m_now);
    if (grace != args.reclaim)
    {
        results.status = grace ? Nfs4Status::GRACE : Nfs4Status::NO_GRACE;
    }
    else if (((*lock)->open->GetAccess() & (write ? SHARE_WRITE : SHARE_READ)) == 0)
    {
        results.status = Nfs4Status::OPENMODE;
    }
    const Nfs4FileKey file = (*lock)->file;
    const Nfs4ByteRangeLocks::Lock wanted{(*lock)->owner->number, write, *range};
    auto conflict = m_state.states.TestLock(file, wanted);
    if (results.status == Nfs4Status::OK && conflict && m_state.ExpireCourtesy(file))
    {
        conflict = m_state.states.TestLock(file, wanted);
    }
    if (results.status == Nfs4Status::OK && conflict)
    {
        results.status = Nfs4Status::DENIED;
        results.denied = Describe(*conflict);
        if (HasSession() && IsWaitingLock(args.type))
        {
            m_state.blockedLocks.Add({file,
                                      m_state.names.GetHandle(*m_current),
                                      {m_client->id, (*lock)->owner->name},
                                      wanted,
                                      conflict->owner,
                                      m_now});
        }
    }
    if (results.status == Nfs4Status::OK)
    {
        m_state.blockedLocks.Remove(file, {m_client->id, (*lock)->owner->name});
        m_state.states.GetLocks(file).Set(wanted);
        ++(*lock)->id.seqid;
        results.lockStateid = (*lock)->id;
        m_currentStateid = results.lockStateid;
        m_hasCurrentStateid = true;
    }
    else if ((*lock)->id.seqid == 0)
    {
        m_state.states.Free(*lock);
    }
    return results;
}

LocktRes4
Nfs4CompoundProcessor::Run(const LocktArgs4& args)
{
    LocktRes4 results;
    const auto range = Nfs4LockRange::Make(args.offset, args.length);
    if (m_state.grace.IsActive(m_now))
    {
        results.status = Nfs4Status::GRACE;
    }
    else
    {
        results.status = range ? CheckRegular(*m_current) : Nfs4Status::INVAL;
    }
    if (results.status == Nfs4Status::OK && !HasSession())
    {
        results.status = TakeClient(args.owner.clientId);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto owner = m_state.states.FindOwner(m_client->id, args.owner.owner, true);
    const Nfs4FileKey file = m_state.GetKey(*m_current);
    const Nfs4ByteRangeLocks::Lock wanted{owner ? owner->number : 0,
                                          IsWriteLock(args.type),
                                          *range};
    if (const auto conflict = m_state.states.TestLock(file, wanted))
    {
        results.status = Nfs4Status::DENIED;
        results.denied = Describe(*conflict);
    }
    return results;
}

LockuRes4
Nfs4CompoundProcessor::Run(const LockuArgs4& args)
{
    LockuRes4 results;
    const auto range = Nfs4LockRange::Make(args.offset, args.length);
    if (!range)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    const auto lock = FindOwned(args.lockStateid, Nfs4State::Kind::LOCK, args.seqid);
    if (!lock)
    {
        results.status = lock.error();
        return results;
    }
    m_state.states.GetLocks((*lock)->file).Unlock((*lock)->owner->number, *range);
    ++(*lock)->id.seqid;
    results.lockStateid = (*lock)->id;
    m_currentStateid = results.lockStateid;
    m_hasCurrentStateid = true;
    return results;
}

ReleaseLockownerRes4
Nfs4CompoundProcessor::Run(const ReleaseLockownerArgs4& args)
{
    ReleaseLockownerRes4 results;
    if (m_minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    results.status = TakeClient(args.lockOwner.clientId);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto owner = m_state.states.FindOwner(m_client->id, args.lockOwner.owner, true);
    if (!owner)
    {
        return results;
    }
    for (const auto& state : m_state.states.GetOf(m_client->id))
    {
        if (state->owner == owner && m_state.states.HasLocks(*state))
        {
            results.status = Nfs4Status::LOCKS_HELD;
            return results;
        }
    }
    m_state.states.ReleaseOwner(owner);
    return results;
}

FreeStateidRes4
Nfs4CompoundProcessor::Run(const FreeStateidArgs4& args)
{
    FreeStateidRes4 results;
    const auto state = FindState(args.stateid, true);
    if (!state)
    {
        results.status = state.error();
        return results;
    }
    const bool held = (*state)->kind == Nfs4State::Kind::OPEN ||
                      (*state)->kind == Nfs4State::Kind::DELEGATION ||
                      ((*state)->kind == Nfs4State::Kind::LOCK && m_state.states.HasLocks(**state));
    if (held)
    {
        results.status = Nfs4Status::LOCKS_HELD;
    }
    else if ((*state)->kind == Nfs4State::Kind::LAYOUT)
    {
        results.status = Nfs4Status::BAD_STATEID;
    }
    else
    {
        m_state.states.Free(*state);
    }
    return results;
}

Nfs4Status
Nfs4CompoundProcessor::Test(const Nfs4StateId& id) const
{
    const auto known = m_state.states.GetOf(m_client->id);
    const bool mine = std::any_of(known.begin(), known.end(), [&id](const Nfs4StatePtr& state) {
        return state->id.other == id.other;
    });
    if (!mine)
    {
        return Nfs4Status::BAD_STATEID;
    }
    const auto state = m_state.states.Find(id, {true, false});
    return state ? Nfs4Status::OK : state.error();
}

TestStateidRes4
Nfs4CompoundProcessor::Run(const TestStateidArgs4& args)
{
    TestStateidRes4 results;
    for (const Nfs4StateId& id : args.stateids)
    {
        results.statusCodes.push_back(Test(id));
    }
    return results;
}

} // namespace ns3::nfsrdma
