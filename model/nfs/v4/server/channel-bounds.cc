/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/channel-bounds.h"

#include "nfs/v4/server/identifiers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

Nfs4Status
Nfs4SessionLimits::Bound(ChannelAttrs4& fore) const
{
    if (fore.maxRequestSize < MIN_REQUEST || fore.maxResponseSize < MIN_RESPONSE)
    {
        return Nfs4Status::TOOSMALL;
    }
    fore.headerPadSize = 0;
    fore.maxRequestSize = std::min(fore.maxRequestSize, maxMessage);
    fore.maxResponseSize = std::min(fore.maxResponseSize, maxMessage);
    fore.maxResponseSizeCached = std::min(fore.maxResponseSizeCached, SLOT_CACHE);
    fore.maxOperations = std::min(fore.maxOperations, maxOperations);
    fore.maxRequests = std::max<uint32_t>(1, std::min(fore.maxRequests, maxSlots));
    return Nfs4Status::OK;
}

Nfs4Status
Nfs4SessionLimits::BoundBack(ChannelAttrs4& back, uint32_t limit)
{
    if (back.maxRequestSize < MIN_BACK_REQUEST || back.maxResponseSize < MIN_BACK_RESPONSE ||
        back.maxOperations < MIN_BACK_OPERATIONS)
    {
        return Nfs4Status::TOOSMALL;
    }
    back.headerPadSize = 0;
    back.maxRequestSize = std::min(back.maxRequestSize, limit);
    back.maxResponseSize = std::min(back.maxResponseSize, limit);
    back.maxResponseSizeCached = 0;
    return Nfs4Status::OK;
}

Nfs4Status
Nfs4Session::Bind(uint64_t connection, uint32_t& direction)
{
    constexpr uint32_t FORE_OR_BOTH = FORE | BACK;
    constexpr uint32_t BACK_OR_BOTH = 7;
    if (direction != FORE && direction != BACK && direction != FORE_OR_BOTH &&
        direction != BACK_OR_BOTH)
    {
        return Nfs4Status::INVAL;
    }
    const auto bound = connections.find(connection);
    if (bound != connections.end())
    {
        const bool fits = direction == bound->second ||
                          (direction == FORE_OR_BOTH && bound->second != BACK) ||
                          (direction == BACK_OR_BOTH && bound->second != FORE);
        if (!fits)
        {
            return Nfs4Status::INVAL;
        }
    }
    direction = direction == BACK_OR_BOTH ? FORE | BACK : direction;
    connections[connection] |= direction;
    backChannel = backChannel || (direction & BACK) != 0;
    return Nfs4Status::OK;
}

std::optional<uint64_t>
Nfs4Session::FindBack() const
{
    const auto found = std::find_if(connections.begin(), connections.end(), [](const auto& bound) {
        return (bound.second & BACK) != 0;
    });
    return found != connections.end() ? std::optional(found->first) : std::nullopt;
}

Nfs4Session&
Nfs4SessionTable::Create(Nfs4ClientId client,
                         uint32_t minorVersion,
                         const ChannelAttrs4& fore,
                         const ChannelAttrs4& back,
                         uint32_t ceiling)
{
    auto session = std::make_shared<Nfs4Session>();
    session->id = MakeNfs4SessionId(client, m_next);
    session->client = client;
    session->minorVersion = minorVersion;
    session->fore = fore;
    session->back = back;
    session->slots = Nfs4SlotTable(fore.maxRequests, ceiling);
    return *m_sessions.emplace(m_next++, std::move(session)).first->second;
}

uint32_t
Nfs4SessionTable::ReduceSlots(uint32_t slots)
{
    uint32_t reduced = 0;
    for (const auto& [number, session] : m_sessions)
    {
        reduced += session->slots.Reduce(slots);
    }
    return reduced;
}

std::set<Nfs4ClientId>
Nfs4SessionTable::Unbind(uint64_t connection)
{
    std::set<Nfs4ClientId> clients;
    for (const auto& [number, session] : m_sessions)
    {
        const auto found = session->connections.find(connection);
        if (found == session->connections.end())
        {
            continue;
        }
        if ((found->second & Nfs4Session::BACK) != 0)
        {
            clients.insert(session->client);
        }
        session->connections.erase(found);
    }
    return clients;
}

std::shared_ptr<Nfs4Session>
Nfs4SessionTable::Find(const Nfs4SessionId& id) const
{
    const auto found = m_sessions.find(GetNfs4SessionNumber(id));
    return found != m_sessions.end() && found->second->id == id ? found->second : nullptr;
}

bool
Nfs4SessionTable::Destroy(const Nfs4SessionId& id)
{
    return Find(id) && m_sessions.erase(GetNfs4SessionNumber(id)) > 0;
}

void
Nfs4SessionTable::DestroyOf(Nfs4ClientId client)
{
    for (const auto& session : GetOf(client))
    {
        Destroy(session->id);
    }
}

std::vector<std::shared_ptr<Nfs4Session>>
Nfs4SessionTable::GetOf(Nfs4ClientId client) const
{
    std::vector<std::shared_ptr<Nfs4Session>> sessions;
    for (const auto& [number, session] : m_sessions)
    {
        if (session->client == client)
        {
            sessions.push_back(session);
        }
    }
    return sessions;
}

bool
Nfs4SessionTable::HasAny(Nfs4ClientId client) const
{
    return std::any_of(m_sessions.begin(), m_sessions.end(), [client](const auto& entry) {
        return entry.second->client == client;
    });
}

} // namespace ns3::nfsrdma
