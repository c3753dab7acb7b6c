/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/client-table.h"

#include "nfs/v4/server/identifiers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

Nfs4ClientTable::Nfs4ClientTable(uint32_t boot, uint32_t first, HasState hasState, Discard discard)
    : m_boot(boot),
      m_next(first),
      m_hasState(std::move(hasState)),
      m_discard(std::move(discard))
{
}

Nfs4ClientTable::Record
Nfs4ClientTable::FindByName(const ByteVector& name, bool confirmed) const
{
    for (const auto& [serial, record] : m_records)
    {
        if (record->confirmed == confirmed && record->name == name)
        {
            return record;
        }
    }
    return nullptr;
}

Nfs4ClientTable::Record
Nfs4ClientTable::FindById(Nfs4ClientId id, bool confirmed) const
{
    for (const auto& [serial, record] : m_records)
    {
        if (record->confirmed == confirmed && record->id == id)
        {
            return record;
        }
    }
    return nullptr;
}

Nfs4ClientTable::Record
Nfs4ClientTable::Add(const Introduction& who, Time now)
{
    auto record = std::make_shared<Nfs4Client>();
    record->id = MakeNfs4ClientId(m_boot, m_next++);
    record->name = who.name;
    record->verifier = who.verifier;
    record->principal = who.principal;
    record->address = who.address;
    record->minorVersion = who.minorVersion;
    record->serial = m_serial++;
    record->lastRenewed = now;
    m_records.emplace(record->serial, record);
    return record;
}

void
Nfs4ClientTable::Remove(const Record& record)
{
    const bool shared = std::any_of(m_records.begin(), m_records.end(), [&record](const auto& r) {
        return r.second != record && r.second->id == record->id;
    });
    if (!shared)
    {
        m_discard(record->id);
    }
    m_records.erase(record->serial);
}

tl::expected<Nfs4ClientTable::Exchanged, Nfs4Status>
Nfs4ClientTable::Exchange(const Introduction& who, uint32_t flags, Time now)
{
    if ((flags & ~MASK_CALL) != 0)
    {
        return tl::unexpected(Nfs4Status::INVAL);
    }
    const bool update = (flags & UPDATE_CONFIRMED) != 0;
    Record record = FindByName(who.name, true);
    if (record)
    {
        const bool sameVerifier = record->verifier == who.verifier;
        if (update)
        {
            if (record->minorVersion == 0)
            {
                return tl::unexpected(Nfs4Status::INVAL);
            }
            if (record->principal != who.principal)
            {
                return tl::unexpected(Nfs4Status::PERM);
            }
            if (!sameVerifier)
            {
                return tl::unexpected(Nfs4Status::NOT_SAME);
            }
            return Exchanged{record->id, record->createSequence + 1, true};
        }
        if (record->principal != who.principal)
        {
            if (m_hasState(record->id, true))
            {
                return tl::unexpected(Nfs4Status::CLID_INUSE);
            }
            Remove(record);
        }
        else if (sameVerifier)
        {
            return Exchanged{record->id, record->createSequence + 1, true};
        }
    }
    else if (update)
    {
        return tl::unexpected(Nfs4Status::NOENT);
    }
    if (const Record unconfirmed = FindByName(who.name, false))
    {
        Remove(unconfirmed);
    }
    record = Add(who, now);
    return Exchanged{record->id, record->createSequence + 1, false};
}

tl::expected<Nfs4Client*, Nfs4Status>
Nfs4ClientTable::PrepareSession(Nfs4ClientId id,
                                uint32_t sequence,
                                const Nfs4Principal& principal,
                                const IpAddress& address,
                                std::optional<Nfs4CreatedSession>& replay)
{
    replay.reset();
    bool isReplay = false;
    if (const Record confirmed = FindById(id, true))
    {
        const Nfs4Status status =
            Nfs4SlotTable::CheckSequence(sequence, confirmed->createSequence, false, isReplay);
        if (status != Nfs4Status::OK || (isReplay && !confirmed->created))
        {
            return tl::unexpected(Nfs4Status::SEQ_MISORDERED);
        }
        if (isReplay)
        {
            replay = confirmed->created;
        }
        return confirmed.get();
    }
    const Record unconfirmed = FindById(id, false);
    if (!unconfirmed)
    {
        return tl::unexpected(Nfs4Status::STALE_CLIENTID);
    }
    if (unconfirmed->principal != principal || unconfirmed->address != address)
    {
        return tl::unexpected(Nfs4Status::CLID_INUSE);
    }
    const Nfs4Status status =
        Nfs4SlotTable::CheckSequence(sequence, unconfirmed->createSequence, false, isReplay);
    if (status != Nfs4Status::OK || isReplay)
    {
        return tl::unexpected(Nfs4Status::SEQ_MISORDERED);
    }
    if (const Record old = FindByName(unconfirmed->name, true))
    {
        Remove(old);
    }
    unconfirmed->confirmed = true;
    return unconfirmed.get();
}

uint32_t
Nfs4ClientTable::Created(Nfs4Client& client, const Nfs4CreatedSession& session)
{
    ++client.createSequence;
    client.created = session;
    client.created->sequence = client.createSequence;
    return client.createSequence;
}

tl::expected<std::pair<Nfs4ClientId, Nfs4Verifier>, Nfs4Status>
Nfs4ClientTable::SetClientId(const Introduction& who, const Nfs4CallbackAddress& callback, Time now)
{
    const Record confirmed = FindByName(who.name, true);
    if (confirmed && m_hasState(confirmed->id, true) &&
        (confirmed->minorVersion != 0 || confirmed->principal != who.principal))
    {
        return tl::unexpected(Nfs4Status::CLID_INUSE);
    }
    if (const Record unconfirmed = FindByName(who.name, false))
    {
        Remove(unconfirmed);
    }
    const Record record = Add(who, now);
    if (confirmed && confirmed->verifier == who.verifier && confirmed->minorVersion == 0)
    {
        record->id = confirmed->id;
    }
    record->callback = callback;
    boost::endian::store_little_u32(record->confirm.data(), m_boot);
    boost::endian::store_little_u32(record->confirm.data() + sizeof(uint32_t), m_nextConfirm++);
    return std::make_pair(record->id, record->confirm);
}

tl::expected<Nfs4Client*, Nfs4Status>
Nfs4ClientTable::ConfirmClientId(Nfs4ClientId id,
                                 const Nfs4Verifier& confirm,
                                 const Nfs4Principal& principal,
                                 Time now)
{
    const Record confirmed = FindById(id, true);
    const Record unconfirmed = FindById(id, false);
    if ((unconfirmed && unconfirmed->principal != principal) ||
        (confirmed && confirmed->principal != principal))
    {
        return tl::unexpected(Nfs4Status::CLID_INUSE);
    }
    if (!unconfirmed || unconfirmed->confirm != confirm)
    {
        if (confirmed && confirmed->confirm == confirm)
        {
            Renew(*confirmed, now);
            return confirmed.get();
        }
        return tl::unexpected(Nfs4Status::STALE_CLIENTID);
    }
    if (confirmed)
    {
        confirmed->callback = unconfirmed->callback;
        confirmed->confirm = unconfirmed->confirm;
        confirmed->callbackState = Nfs4CallbackState::UNKNOWN;
        Remove(unconfirmed);
        Renew(*confirmed, now);
        return confirmed.get();
    }
    if (const Record old = FindByName(unconfirmed->name, true))
    {
        if (m_hasState(old->id, true) && old->principal != unconfirmed->principal)
        {
            return tl::unexpected(Nfs4Status::CLID_INUSE);
        }
        Remove(old);
    }
    unconfirmed->confirmed = true;
    Renew(*unconfirmed, now);
    return unconfirmed.get();
}

Nfs4Status
Nfs4ClientTable::DestroyClientId(Nfs4ClientId id)
{
    Record record = FindById(id, true);
    if (record && m_hasState(id, true))
    {
        return Nfs4Status::CLIENTID_BUSY;
    }
    if (!record)
    {
        record = FindById(id, false);
    }
    if (!record)
    {
        return Nfs4Status::STALE_CLIENTID;
    }
    Remove(record);
    return Nfs4Status::OK;
}

bool
Nfs4ClientTable::IsOurs(Nfs4ClientId id) const
{
    return GetNfs4Boot(id) == m_boot;
}

void
Nfs4ClientTable::Renew(Nfs4Client& client, Time now)
{
    client.lastRenewed = now;
    client.courtesy = false;
}

void
Nfs4ClientTable::Expire(Nfs4ClientId id)
{
    for (const bool confirmed : {true, false})
    {
        if (const Record record = FindById(id, confirmed))
        {
            Remove(record);
        }
    }
}

Time
Nfs4ClientTable::ExpireLeases(Time now, Time lease, Time courtesy)
{
    Time next = now + lease;
    std::vector<Record> gone;
    for (const auto& [serial, record] : m_records)
    {
        const bool kept = record->confirmed && m_hasState(record->id, false);
        const Time end = record->lastRenewed + lease;
        if (end > now)
        {
            next = std::min(next, end);
        }
        else if (!kept || end + courtesy <= now)
        {
            gone.push_back(record);
        }
        else
        {
            record->courtesy = true;
            next = std::min(next, end + courtesy);
        }
    }
    for (const Record& record : gone)
    {
        Remove(record);
    }
    return next;
}

std::vector<Nfs4Client*>
Nfs4ClientTable::GetConfirmed()
{
    std::vector<Nfs4Client*> clients;
    for (const auto& [serial, record] : m_records)
    {
        if (record->confirmed)
        {
            clients.push_back(record.get());
        }
    }
    return clients;
}

} // namespace ns3::nfsrdma
