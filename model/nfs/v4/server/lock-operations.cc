/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/lock-operations.h"

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
Nfs4LockOperations::Describe(const Nfs4ByteRangeLocks::Lock& lock) const
{
    LockDenied4 denied;
    denied.offset = lock.range.first;
    denied.length = lock.range.GetLength();
    denied.type = lock.write ? LockType4::WRITE : LockType4::READ;
    if (const Nfs4OwnerPtr owner = m_server.states.GetOwner(lock.owner))
    {
        denied.owner = {owner->client, owner->name};
    }
    return denied;
}

Nfs4Result<Nfs4StatePtr>
Nfs4LockOperations::TakeLockState(const LockArgs4& args)
{
    if (!args.newLockOwner)
    {
        return m_finder.FindOwned(args.lockOwner.lockStateid,
                                  Nfs4State::Kind::LOCK,
                                  args.lockOwner.lockSeqid);
    }
    const OpenToLockOwner4& from = args.openOwner;
    const auto open = m_finder.FindOwned(from.openStateid, Nfs4State::Kind::OPEN, from.openSeqid);
    if (!open)
    {
        return tl::unexpected(open.error());
    }
    if (!m_compound.HasSession() && from.lockOwner.clientId != m_compound.client->id)
    {
        return tl::unexpected(Nfs4Status::BAD_STATEID);
    }
    auto owner = m_server.states.FindOwner(m_compound.client->id, from.lockOwner.owner, true);
    if (!owner)
    {
        owner = m_server.states.MakeOwner(m_compound.client->id, from.lockOwner.owner, true);
        owner->confirmed = true;
    }
    else if (!m_compound.HasSession() && owner->Check(from.lockSeqid) != Nfs4Owner::Order::NEXT)
    {
        return tl::unexpected(Nfs4Status::BAD_SEQID);
    }
    owner->nextSeqid = from.lockSeqid + 1;
    return m_server.states.TakeLockState(owner, *open);
}

LockRes4
Nfs4LockOperations::Run(const LockArgs4& args)
{
    LockRes4 results;
    const auto range = Nfs4LockRange::Make(args.offset, args.length);
    results.status = range ? m_compound.CheckRegular(*m_compound.current) : Nfs4Status::INVAL;
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
    const bool grace = m_server.grace.IsActive(m_compound.now);
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
    auto conflict = m_server.states.TestLock(file, wanted);
    if (results.status == Nfs4Status::OK && conflict && m_server.ExpireCourtesy(file))
    {
        conflict = m_server.states.TestLock(file, wanted);
    }
    if (results.status == Nfs4Status::OK && conflict)
    {
        results.status = Nfs4Status::DENIED;
        results.denied = Describe(*conflict);
        if (m_compound.HasSession() && IsWaitingLock(args.type))
        {
            m_server.blockedLocks.Add({file,
                                       m_server.names.GetHandle(*m_compound.current),
                                       {m_compound.client->id, (*lock)->owner->name},
                                       wanted,
                                       conflict->owner,
                                       m_compound.now});
        }
    }
    if (results.status == Nfs4Status::OK)
    {
        m_server.blockedLocks.Remove(file, {m_compound.client->id, (*lock)->owner->name});
        m_server.states.GetLocks(file).Set(wanted);
        ++(*lock)->id.seqid;
        results.lockStateid = (*lock)->id;
        m_compound.currentStateid = results.lockStateid;
    }
    else if ((*lock)->id.seqid == 0)
    {
        m_server.states.Free(*lock);
    }
    return results;
}

LocktRes4
Nfs4LockOperations::Run(const LocktArgs4& args)
{
    LocktRes4 results;
    const auto range = Nfs4LockRange::Make(args.offset, args.length);
    if (m_server.grace.IsActive(m_compound.now))
    {
        results.status = Nfs4Status::GRACE;
    }
    else
    {
        results.status = range ? m_compound.CheckRegular(*m_compound.current) : Nfs4Status::INVAL;
    }
    if (results.status == Nfs4Status::OK && !m_compound.HasSession())
    {
        results.status = m_finder.TakeClient(args.owner.clientId);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto owner = m_server.states.FindOwner(m_compound.client->id, args.owner.owner, true);
    const Nfs4FileKey file = m_server.GetKey(*m_compound.current);
    const Nfs4ByteRangeLocks::Lock wanted{owner ? owner->number : 0,
                                          IsWriteLock(args.type),
                                          *range};
    if (const auto conflict = m_server.states.TestLock(file, wanted))
    {
        results.status = Nfs4Status::DENIED;
        results.denied = Describe(*conflict);
    }
    return results;
}

LockuRes4
Nfs4LockOperations::Run(const LockuArgs4& args)
{
    LockuRes4 results;
    const auto range = Nfs4LockRange::Make(args.offset, args.length);
    if (!range)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    const auto lock = m_finder.FindOwned(args.lockStateid, Nfs4State::Kind::LOCK, args.seqid);
    if (!lock)
    {
        results.status = lock.error();
        return results;
    }
    m_server.states.GetLocks((*lock)->file).Unlock((*lock)->owner->number, *range);
    ++(*lock)->id.seqid;
    results.lockStateid = (*lock)->id;
    m_compound.currentStateid = results.lockStateid;
    return results;
}

ReleaseLockownerRes4
Nfs4LockOperations::Run(const ReleaseLockownerArgs4& args)
{
    ReleaseLockownerRes4 results;
    if (m_compound.minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    results.status = m_finder.TakeClient(args.lockOwner.clientId);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto owner = m_server.states.FindOwner(m_compound.client->id, args.lockOwner.owner, true);
    if (!owner)
    {
        return results;
    }
    for (const auto& state : m_server.states.GetOf(m_compound.client->id))
    {
        if (state->owner == owner && m_server.states.HasLocks(*state))
        {
            results.status = Nfs4Status::LOCKS_HELD;
            return results;
        }
    }
    m_server.states.ReleaseOwner(owner);
    return results;
}

} // namespace ns3::nfsrdma
