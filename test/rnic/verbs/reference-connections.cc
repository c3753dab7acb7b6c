/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/reference-connections.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

namespace
{

using IdState = IdRules::State;

void
Require(bool rule, IdNumber id, const std::string& otherwise)
{
    if (!rule)
    {
        throw Mismatch("id " + std::to_string(id) + ": " + otherwise);
    }
}

} // namespace

IdNumber
ReferenceConnections::Add(uint32_t host)
{
    m_ids[m_next].host = host;
    return m_next++;
}

IdRules&
ReferenceConnections::Get(IdNumber id)
{
    return m_ids.at(id);
}

const ReferenceConnections::Ids&
ReferenceConnections::GetAll() const
{
    return m_ids;
}

bool
ReferenceConnections::IsListened(uint32_t host, uint16_t port) const
{
    return std::any_of(m_ids.begin(), m_ids.end(), [=](const auto& item) {
        const IdRules& id = item.second;
        return id.host == host && id.state == IdState::LISTENING && id.port == port;
    });
}

bool
ReferenceConnections::MayListen(IdNumber id, uint16_t port) const
{
    const IdRules& rules = m_ids.at(id);
    return rules.state == IdState::IDLE && !IsListened(rules.host, port);
}

void
ReferenceConnections::Listening(IdNumber id, uint16_t port)
{
    IdRules& rules = m_ids.at(id);
    rules.state = IdState::LISTENING;
    rules.everListened = true;
    rules.port = port;
}

void
ReferenceConnections::Connecting(IdNumber id,
                                 const std::optional<PairName>& pair,
                                 bool usable,
                                 uint32_t remoteHost,
                                 uint16_t port,
                                 std::vector<uint8_t> privateData)
{
    IdRules& rules = m_ids.at(id);
    rules.state = IdState::CONNECTING;
    rules.pair = pair;
    rules.remoteHost = remoteHost;
    rules.port = port;
    rules.privateData = std::move(privateData);
    rules.disturbed = !usable || !IsListened(remoteHost, port);
}

void
ReferenceConnections::Accepted(IdNumber id,
                               const std::optional<PairName>& pair,
                               bool usable,
                               std::vector<uint8_t> privateData)
{
    IdRules& rules = m_ids.at(id);
    if (rules.state != IdState::REQUESTED)
    {
        return;
    }
    rules.state = IdState::ACCEPTED;
    rules.pair = pair;
    rules.privateData = usable ? std::move(privateData) : std::vector<uint8_t>{};
    if (!usable)
    {
        Disturb(rules);
        m_ids.at(*rules.peer).refused = true;
    }
}

void
ReferenceConnections::Rejected(IdNumber id, std::vector<uint8_t> privateData)
{
    IdRules& rules = m_ids.at(id);
    if (rules.state != IdState::REQUESTED)
    {
        return;
    }
    rules.state = IdState::OVER;
    rules.privateData = std::move(privateData);
    IdRules& peer = m_ids.at(*rules.peer);
    peer.refused = true;
    peer.disturbed = true;
}

void
ReferenceConnections::Disconnected(IdNumber id)
{
    IdRules& rules = m_ids.at(id);
    if (rules.state == IdState::REQUESTED)
    {
        Rejected(id, {});
        return;
    }
    if (rules.state == IdState::LISTENING)
    {
        rules.state = IdState::OVER;
        for (auto& [number, other] : m_ids)
        {
            const bool asked = other.state == IdState::CONNECTING &&
                               other.remoteHost == rules.host && other.port == rules.port;
            other.refused = other.refused || asked;
            other.disturbed = other.disturbed || asked;
        }
        return;
    }
    Disturb(rules);
}

void
ReferenceConnections::Disturb(IdRules& id)
{
    id.disturbed = true;
    if (id.peer)
    {
        m_ids.at(*id.peer).disturbed = true;
    }
}

void
ReferenceConnections::Disturb(const PairName& pair)
{
    for (auto& [number, id] : m_ids)
    {
        if (id.pair == pair)
        {
            Disturb(id);
        }
    }
}

void
ReferenceConnections::Disturb(uint32_t host)
{
    for (auto& [number, id] : m_ids)
    {
        if (id.host == host || (id.state == IdState::CONNECTING && id.remoteHost == host))
        {
            Disturb(id);
        }
    }
}

IdNumber
ReferenceConnections::Requested(IdNumber listener, const std::vector<uint8_t>& privateData)
{
    const IdRules& rules = m_ids.at(listener);
    Require(rules.everListened, listener, "a request for one that never listened");
    const auto asker = std::find_if(m_ids.begin(), m_ids.end(), [&](const auto& item) {
        const IdRules& id = item.second;
        return id.remoteHost == rules.host && id.port == rules.port && !id.peer &&
               !id.everListened && id.privateData == privateData;
    });
    Require(asker != m_ids.end(), listener, "a request that nothing has made");
    const IdNumber added = Add(rules.host);
    IdRules& request = m_ids.at(added);
    request.state = IdState::REQUESTED;
    request.peer = asker->first;
    request.disturbed = asker->second.disturbed;
    asker->second.peer = added;
    return added;
}

void
ReferenceConnections::Reported(IdNumber id,
                               CmEventType type,
                               const std::vector<uint8_t>& privateData)
{
    IdRules& rules = m_ids.at(id);
    const std::string event = ToString(type);
    const IdRules* peer = rules.peer ? &m_ids.at(*rules.peer) : nullptr;
    const bool starting = rules.state == IdState::CONNECTING || rules.state == IdState::ACCEPTED;
    switch (type)
    {
    case CmEventType::CONNECT_REQUEST:
        throw Mismatch("id " + std::to_string(id) + ": a request for no listener");
    case CmEventType::ESTABLISHED:
        Require(starting && peer != nullptr, id, event);
        Require(rules.state == IdState::ACCEPTED || privateData == peer->privateData,
                id,
                event + " with other private data");
        rules.state = IdState::ESTABLISHED;
        return;
    case CmEventType::REJECTED:
        Require(rules.state == IdState::CONNECTING && rules.refused, id, event);
        Require(privateData == (peer != nullptr ? peer->privateData : std::vector<uint8_t>{}),
                id,
                event + " with other private data");
        break;
    case CmEventType::UNREACHABLE:
        Require(rules.state == IdState::CONNECTING && rules.disturbed, id, event);
        break;
    case CmEventType::CONNECT_ERROR: {
        const bool unanswered = peer != nullptr && peer->state != IdState::ACCEPTED;
        // A request may have been over before it was refused, and the event on its way.
        const bool late = rules.state == IdState::OVER && !rules.ended && !rules.pair &&
                          peer != nullptr && peer->state == IdState::OVER;
        Require(starting || rules.state == IdState::REQUESTED || late, id, event);
        Require(rules.disturbed || unanswered, id, event + " without a reason");
        break;
    }
    case CmEventType::DISCONNECTED:
        Require(rules.state == IdState::ESTABLISHED, id, event);
        break;
    case CmEventType::DEVICE_REMOVAL:
        throw Mismatch("id " + std::to_string(id) + ": no device was removed");
    case CmEventType::ADDR_CHANGE:
        throw Mismatch("id " + std::to_string(id) + ": no address has changed");
    }
    rules.state = IdState::OVER;
    rules.ended = true;
    Disturb(rules);
}

std::pair<IdNumber, IdNumber>
ReferenceConnections::FindConnection(const PairName& pair) const
{
    for (const auto& [number, id] : m_ids)
    {
        const bool connects = id.state == IdState::CONNECTING || id.state == IdState::ACCEPTED;
        if (connects && id.pair == pair && id.peer)
        {
            return {number, *id.peer};
        }
    }
    throw Mismatch("a queue pair is connected that was not asked to be");
}

void
ReferenceConnections::Settle(const std::function<bool(const PairName&)>& mayWait) const
{
    for (const auto& [number, id] : m_ids)
    {
        const auto waits = [&](const IdRules& rules) {
            return rules.state == IdState::ACCEPTED && rules.pair && mayWait(*rules.pair);
        };
        Require(id.state != IdState::CONNECTING, number, "still connecting");
        Require(id.state != IdState::ACCEPTED || id.disturbed || waits(id),
                number,
                "accepted, and nothing since");
        if (id.state == IdState::ESTABLISHED && !id.disturbed)
        {
            const IdRules& peer = m_ids.at(*id.peer);
            Require(peer.state == IdState::ESTABLISHED || waits(peer), number, "alone");
        }
    }
}

} // namespace ns3::nfsrdma::reference
