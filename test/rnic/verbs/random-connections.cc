/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"
#include "rnic/verbs/random-verbs.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

namespace
{

constexpr uint16_t FIRST_PORT = 7000;
constexpr uint16_t PORTS = 3;

using IdState = IdRules::State;

} // namespace

Ptr<QueuePair>
RandomVerbs::ChooseIdlePair(uint32_t host)
{
    if (Chance(3))
    {
        // One in use or destroyed; not one that another id is about to connect.
        const auto pair = ChooseObject(&VerbsHost::pairs, host);
        return pair && ToAlive(host, pair) != 0 && pair->GetState() != QueuePairState::IDLE
                   ? pair
                   : nullptr;
    }
    std::vector<Ptr<QueuePair>> idle;
    for (const auto& pair : m_hosts[host].pairs)
    {
        const PairName name{host, pair->GetNumber()};
        const PairRules* rules = m_model->FindPair(name);
        const bool claimed =
            std::any_of(m_connections.GetAll().begin(),
                        m_connections.GetAll().end(),
                        [&](const auto& item) { return item.second.pair == name; });
        if (rules != nullptr && rules->state == QueuePairState::IDLE && !claimed)
        {
            idle.push_back(pair);
        }
    }
    return idle.empty() ? nullptr : Choose(idle);
}

CmConnectionParameters
RandomVerbs::ChooseParameters()
{
    CmConnectionParameters parameters;
    parameters.privateData.resize(8 + Below(Chance(10) ? 501 : 20));
    std::generate(parameters.privateData.begin(), parameters.privateData.end(), [this] {
        return static_cast<uint8_t>(m_random());
    });
    parameters.responderResources = Below(6);
    parameters.initiatorDepth = Below(6);
    return parameters;
}

void
RandomVerbs::Listen()
{
    const uint32_t host = ChooseHost();
    const uint16_t port = FIRST_PORT + Below(PORTS);
    const IdNumber number = m_connections.Add(host);
    const auto id = CmId::Create(m_hosts[host].device);
    Watch(number, id);
    const bool expected = m_connections.MayListen(number, port);
    const bool listens = id->Listen(port);
    Log("id " + std::to_string(number) + " listens on host " + std::to_string(host) + " port " +
        std::to_string(port) + (listens ? "" : ": refused"));
    if (listens != expected)
    {
        throw Mismatch("listening on a port");
    }
    if (listens)
    {
        m_connections.Listening(number, port);
        m_hosts[host].ids.emplace(number, id);
        if (id->Listen(port + PORTS))
        {
            throw Mismatch("an id that listens listens again");
        }
    }
}

void
RandomVerbs::Connect()
{
    const uint32_t host = ChooseHost();
    uint32_t remote = ChooseHost();
    uint16_t port = FIRST_PORT + Below(PORTS);
    std::vector<IdNumber> listeners;
    for (const auto& [number, id] : m_connections.GetAll())
    {
        if (id.state == IdState::LISTENING && id.host != host && ChooseIdlePair(id.host))
        {
            listeners.push_back(number);
        }
    }
    if (!listeners.empty() && !Chance(3))
    {
        const IdRules& listener = m_connections.Get(Choose(listeners));
        remote = listener.host;
        port = listener.port;
    }
    const auto pair = ChooseIdlePair(host);
    if (remote == host || (!pair && !Chance(2)))
    {
        return;
    }
    const bool usable = pair && m_model->FindPair({host, ToAlive(host, pair)}) != nullptr &&
                        pair->GetState() == QueuePairState::IDLE;
    const CmConnectionParameters parameters = ChooseParameters();
    const IdNumber number = m_connections.Add(host);
    const auto id = CmId::Create(m_hosts[host].device);
    Watch(number, id);
    Log("id " + std::to_string(number) + " connects queue pair " +
        std::to_string(ToAlive(host, pair)) + " of host " + std::to_string(host) + " to host " +
        std::to_string(remote) + " port " + std::to_string(port));
    if (!pair)
    {
        const auto result =
            id->Connect(pair, MakeSocketAddress(m_hosts[remote].address, port), parameters);
        CheckRefused(result.has_value(), "a connection without a queue pair");
        return;
    }
    const PairName name{host, pair->GetNumber()};
    m_connections.Connecting(number,
                             usable ? std::optional<PairName>(name) : std::nullopt,
                             usable,
                             remote,
                             port,
                             parameters.privateData);
    if (m_hosts[host].link->cut || m_hosts[remote].link->cut)
    {
        m_connections.Get(number).disturbed = true;
    }
    m_model->MayEnd(name);
    if (usable)
    {
        m_model->FindPair(name)->mayEnd = false;
    }
    m_hosts[host].ids.emplace(number, id);
    const auto result =
        id->Connect(pair, MakeSocketAddress(m_hosts[remote].address, port), parameters);
    CheckRefused(!result.has_value(), "a connection that may be asked for");
    CheckRefused(
        id->Connect(pair, MakeSocketAddress(m_hosts[remote].address, port), parameters).has_value(),
        "an id that connects twice");
}

void
RandomVerbs::CheckRefused(bool wrong, const std::string& what)
{
    if (wrong)
    {
        throw Mismatch(what);
    }
}

void
RandomVerbs::Answer()
{
    std::vector<IdNumber> waiting;
    for (const auto& [number, id] : m_connections.GetAll())
    {
        if (id.state == IdState::REQUESTED || (id.state != IdState::OVER && Chance(2)))
        {
            waiting.push_back(number);
        }
    }
    if (!waiting.empty())
    {
        const IdNumber number = Choose(waiting);
        Answer(m_connections.Get(number).host, number);
    }
}

void
RandomVerbs::Answer(uint32_t host, IdNumber number)
{
    const auto found = m_hosts[host].ids.find(number);
    if (found == m_hosts[host].ids.end())
    {
        return;
    }
    const Ptr<CmId> id = found->second;
    const bool requested = m_connections.Get(number).state == IdState::REQUESTED;
    // The connection of a request may be over before the consumer is told.
    const bool mayBeOver = m_connections.Get(number).disturbed;
    const CmConnectionParameters parameters = ChooseParameters();
    const auto pair = ChooseIdlePair(host);
    if (Chance(5))
    {
        Log("id " + std::to_string(number) + " rejects");
        Count("rejects");
        const bool rejected = id->Reject(parameters.privateData).has_value();
        CheckRefused(rejected ? !requested : requested && !mayBeOver, "a rejection");
        if (rejected)
        {
            m_connections.Rejected(number, parameters.privateData);
        }
        return;
    }
    if (!pair && !Chance(10))
    {
        return;
    }
    const bool usable = pair && m_model->FindPair({host, ToAlive(host, pair)}) != nullptr &&
                        pair->GetState() == QueuePairState::IDLE;
    Log("id " + std::to_string(number) + " accepts with queue pair " +
        std::to_string(ToAlive(host, pair)) + " of host " + std::to_string(host));
    Count("accepts");
    if (!requested || !pair)
    {
        CheckRefused(id->Accept(pair, parameters).has_value(), "an answer to no request");
        return;
    }
    const PairName name{host, pair->GetNumber()};
    const IdRules before = m_connections.Get(number);
    m_connections.Accepted(number,
                           usable ? std::optional<PairName>(name) : std::nullopt,
                           usable,
                           parameters.privateData);
    if (!usable)
    {
        m_model->MayEnd(name);
    }
    if (!id->Accept(pair, parameters))
    {
        CheckRefused(!mayBeOver, "an answer to a request");
        m_connections.Get(number) = before;
    }
}

void
RandomVerbs::HandleEvent(IdNumber number, const CmEvent& event)
{
    const uint32_t host = m_connections.Get(number).host;
    Log("  id " + std::to_string(number) + ": " + ToString(event.type));
    Count(ToString(event.type));
    if (event.type == CmEventType::CONNECT_REQUEST)
    {
        const IdNumber added = m_connections.Requested(number, event.privateData);
        m_hosts[host].ids.emplace(added, event.newId);
        Watch(added, event.newId);
        Log("  it is id " + std::to_string(added));
        if (Chance(70))
        {
            Answer(host, added);
        }
        Reenter();
        return;
    }
    const auto pair = m_connections.Get(number).pair;
    m_connections.Reported(number, event.type, event.privateData);
    if (event.type != CmEventType::ESTABLISHED)
    {
        m_hosts[host].ids.erase(number);
        if (pair)
        {
            m_model->ExpectFlushed(*pair);
        }
    }
    Reenter();
}

void
RandomVerbs::Disconnect()
{
    const uint32_t host = ChooseHost();
    std::vector<IdNumber> ids;
    for (const auto& [number, id] : m_hosts[host].ids)
    {
        if (m_connections.Get(number).state != IdState::LISTENING)
        {
            ids.push_back(number);
        }
    }
    if (ids.empty())
    {
        return;
    }
    const IdNumber number = Choose(ids);
    const Ptr<CmId> id = m_hosts[host].ids.at(number);
    Log("id " + std::to_string(number) + " disconnects");
    m_connections.Disconnected(number);
    if (m_connections.Get(number).pair)
    {
        m_model->MayEnd(*m_connections.Get(number).pair);
    }
    id->Disconnect();
}

void
RandomVerbs::StopListening()
{
    const uint32_t host = ChooseHost();
    for (const auto& [number, id] : m_hosts[host].ids)
    {
        if (m_connections.Get(number).state == IdState::LISTENING && Chance(50))
        {
            Log("id " + std::to_string(number) + " stops listening");
            m_connections.Disconnected(number);
            id->Disconnect();
            return;
        }
    }
}

void
RandomVerbs::MoveToError()
{
    const uint32_t host = ChooseHost();
    const auto pair = ChooseObject(&VerbsHost::pairs, host);
    if (!pair || ToAlive(host, pair) == 0)
    {
        return;
    }
    Log("queue pair " + std::to_string(pair->GetNumber()) + " of host " + std::to_string(host) +
        " is moved to ERROR");
    Disturb({host, pair->GetNumber()});
    pair->MoveToError();
}

} // namespace ns3::nfsrdma::reference
