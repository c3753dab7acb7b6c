/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/state-finder.h"

#include "nfs/v4/server/identifiers.h"

namespace ns3::nfsrdma
{

Nfs4StateFinder::Nfs4StateFinder(Nfs4CompoundState& compound)
    : m_compound(compound)
{
}

Nfs4StateId
Nfs4StateFinder::Resolve(const Nfs4StateId& given) const
{
    const bool current = m_compound.minorVersion > 0 && given == MakeCurrentStateId();
    return current ? m_compound.currentStateid.value_or(given) : given;
}

Nfs4Status
Nfs4StateFinder::TakeClient(Nfs4ClientId id)
{
    if (m_compound.HasSession())
    {
        return m_compound.client->id == id ? Nfs4Status::OK : Nfs4Status::STALE_CLIENTID;
    }
    if (!m_compound.server.clients.IsOurs(id))
    {
        return Nfs4Status::STALE_CLIENTID;
    }
    Nfs4Client* client = m_compound.server.clients.Find(id);
    if (client == nullptr || client->minorVersion != 0)
    {
        return Nfs4Status::EXPIRED;
    }
    m_compound.client = client;
    m_compound.server.clients.Renew(*client, m_compound.now);
    return Nfs4Status::OK;
}

Nfs4Status
Nfs4StateFinder::TakeClient(const Nfs4StateId& id)
{
    const Nfs4Status status = TakeClient(GetNfs4Client(id));
    if (status == Nfs4Status::STALE_CLIENTID)
    {
        return m_compound.HasSession() ? Nfs4Status::BAD_STATEID : Nfs4Status::STALE_STATEID;
    }
    return status;
}

Nfs4Result<Nfs4StatePtr>
Nfs4StateFinder::FindState(const Nfs4StateId& given, bool revoked)
{
    const Nfs4StateId id = Resolve(given);
    const bool special = id.other == Nfs4StateId().other || id == MakeReadBypassStateId();
    if (special)
    {
        return tl::unexpected(Nfs4Status::BAD_STATEID);
    }
    const Nfs4Status status = TakeClient(id);
    if (status != Nfs4Status::OK)
    {
        return tl::unexpected(status);
    }
    return m_compound.server.states.Find(id, {m_compound.HasSession(), revoked});
}

Nfs4Status
Nfs4StateFinder::CheckIo(InodeNumber number, const Nfs4StateId& given, bool write)
{
    const Nfs4StateId id = Resolve(given);
    const Nfs4FileKey file = m_compound.server.GetKey(number);
    const bool bypass = id == MakeReadBypassStateId();
    if (bypass || id == MakeAnonymousStateId())
    {
        if (bypass && !write)
        {
            return Nfs4Status::OK;
        }
        if (m_compound.server.grace.IsActive(m_compound.now))
        {
            return Nfs4Status::GRACE;
        }
        if (m_compound.server.states.IsDenied(file, write ? SHARE_WRITE : SHARE_READ))
        {
            return Nfs4Status::LOCKED;
        }
        return write ? m_compound.BreakDelegations(number) : Nfs4Status::OK;
    }
    const auto state = FindState(given);
    if (!state)
    {
        return state.error();
    }
    switch ((*state)->kind)
    {
    case Nfs4State::Kind::DELEGATION:
        if (write)
        {
            return Nfs4Status::OPENMODE;
        }
        break;
    case Nfs4State::Kind::OPEN:
    case Nfs4State::Kind::LOCK: {
        const Nfs4State& open = (*state)->open ? *(*state)->open : **state;
        if (open.owner && !open.owner->confirmed)
        {
            return Nfs4Status::BAD_STATEID;
        }
        if (write && (open.GetAccess() & SHARE_WRITE) == 0)
        {
            return Nfs4Status::OPENMODE;
        }
        break;
    }
    default:
        return Nfs4Status::BAD_STATEID;
    }
    return (*state)->file == file ? Nfs4Status::OK : Nfs4Status::BAD_STATEID;
}

Nfs4Status
Nfs4StateFinder::CheckOwner(const Nfs4OwnerPtr& owner, uint32_t seqid)
{
    if (m_compound.HasSession())
    {
        return Nfs4Status::OK;
    }
    switch (owner->Check(seqid))
    {
    case Nfs4Owner::Order::REPLAY:
        if (owner->lastReply.op != static_cast<uint32_t>(m_compound.op))
        {
            return Nfs4Status::BAD_SEQID;
        }
        m_compound.ordered = {owner, true};
        return Nfs4Status::OK;
    case Nfs4Owner::Order::BAD:
        return Nfs4Status::BAD_SEQID;
    case Nfs4Owner::Order::NEXT:
        break;
    }
    m_compound.ordered.owner = owner;
    return m_compound.refusal.value_or(Nfs4Status::OK);
}

Nfs4Result<Nfs4StatePtr>
Nfs4StateFinder::FindOwned(const Nfs4StateId& given,
                           Nfs4State::Kind kind,
                           uint32_t seqid,
                           bool unconfirmed)
{
    const Nfs4StateId id = Resolve(given);
    const Nfs4Status known = TakeClient(id);
    if (known != Nfs4Status::OK)
    {
        return tl::unexpected(known);
    }
    Nfs4StateId latest = id;
    latest.seqid = 0;
    const auto state = m_compound.server.states.Find(latest, {true, false});
    const Nfs4OwnerPtr closed = state ? nullptr : m_compound.server.states.FindLastClosed(id);
    if (closed && kind == Nfs4State::Kind::OPEN)
    {
        const Nfs4Status again = CheckOwner(closed, seqid);
        return tl::unexpected(again == Nfs4Status::OK ? Nfs4Status::BAD_STATEID : again);
    }
    if (!state || (*state)->kind != kind)
    {
        return tl::unexpected(Nfs4Status::BAD_STATEID);
    }
    Nfs4Status status = CheckOwner((*state)->owner, seqid);
    if (status != Nfs4Status::OK || m_compound.ordered.replay)
    {
        return tl::unexpected(status);
    }
    status = Nfs4StateTable::CheckSeqid(id, (*state)->id, m_compound.HasSession());
    if (status == Nfs4Status::OK && *m_compound.current == Nfs4Namespace::PSEUDO_ROOT)
    {
        status = Nfs4Status::BAD_STATEID;
    }
    if (status == Nfs4Status::OK &&
        ((*state)->file != m_compound.server.GetKey(*m_compound.current) ||
         (*state)->owner->confirmed == unconfirmed))
    {
        status = Nfs4Status::BAD_STATEID;
    }
    if (status != Nfs4Status::OK)
    {
        return tl::unexpected(status);
    }
    return *state;
}

} // namespace ns3::nfsrdma
