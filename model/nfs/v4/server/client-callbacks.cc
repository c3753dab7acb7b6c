/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/client-callbacks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{

Nfs4ClientCallbacks::Nfs4ClientCallbacks(const std::string& machineName,
                                         const Nfs4CallbackRoutes& routes,
                                         Nfs4ClientTable& clients,
                                         const Nfs4SessionTable& sessions,
                                         Nfs4CallbackQueue queue,
                                         uint32_t slots)
    : m_machineName(machineName),
      m_routes(routes),
      m_clients(clients),
      m_sessions(sessions),
      m_slots(slots),
      m_worker(queue == Nfs4CallbackQueue::SERVER ? Create<HostThread>(HostContext::WORK_QUEUE)
                                                  : nullptr)
{
}

Nfs4ClientCallbacks::~Nfs4ClientCallbacks()
{
    Close();
}

Nfs4ClientCallbacks::Channel
Nfs4ClientCallbacks::Make(const Nfs4Client& client)
{
    Nfs4CallbackChannel::Service service;
    service.cpu = m_routes.cpu;
    service.worker = m_worker;
    service.machineName = m_machineName;
    service.minorVersion = client.minorVersion;
    if (client.minorVersion == 0)
    {
        service.program = client.callback.program;
        service.callbackIdent = client.callback.ident;
        if (m_routes.connect)
        {
            service.transport = m_routes.connect(client.callback.address);
        }
    }
    else
    {
        const auto session = FindBackSession(client.id);
        if (session && m_routes.reverse)
        {
            service.session = session->id;
            service.slots = std::clamp(session->back.maxRequests, 1U, m_slots);
            service.program = session->callbackProgram;
            service.maxRequest = session->back.maxRequestSize;
            service.transport = m_routes.reverse(client.address, session->FindBack().value_or(0));
        }
    }
    if (!service.transport)
    {
        return nullptr;
    }
    return std::make_shared<Nfs4CallbackChannel>(
        service,
        [this, id = client.id](Nfs4CallbackChannel::Outcome outcome) { Note(id, outcome); });
}

std::shared_ptr<Nfs4Session>
Nfs4ClientCallbacks::FindBackSession(Nfs4ClientId client) const
{
    std::shared_ptr<Nfs4Session> best;
    for (const auto& session : m_sessions.GetOf(client))
    {
        if (session->backChannel && (!best || session->FindBack() || !best->FindBack()))
        {
            best = session;
        }
    }
    return best;
}

void
Nfs4ClientCallbacks::ReviewBackChannel(Nfs4Client& client)
{
    const auto session = FindBackSession(client.id);
    const auto connection = session ? session->FindBack() : std::nullopt;
    client.callbackState = connection ? Nfs4CallbackState::UP : Nfs4CallbackState::DOWN;
    if (connection && m_channels.count(client.id) != 0 && m_routes.reverse)
    {
        m_routes.reverse(client.address, *connection);
    }
}

Nfs4ClientCallbacks::Channel
Nfs4ClientCallbacks::Find(Nfs4ClientId id)
{
    const auto found = m_channels.find(id);
    if (found != m_channels.end())
    {
        return found->second;
    }
    const Nfs4Client* client = m_clients.Find(id);
    Channel channel = client != nullptr ? Make(*client) : nullptr;
    if (channel)
    {
        m_channels.emplace(id, channel);
    }
    return channel;
}

void
Nfs4ClientCallbacks::Drop(Nfs4ClientId client)
{
    const auto found = m_channels.find(client);
    if (found != m_channels.end())
    {
        found->second->Close();
        m_channels.erase(found);
    }
}

void
Nfs4ClientCallbacks::Close()
{
    for (const auto& [client, channel] : m_channels)
    {
        channel->Close();
    }
    m_channels.clear();
}

void
Nfs4ClientCallbacks::Note(Nfs4ClientId id, Nfs4CallbackChannel::Outcome outcome)
{
    Nfs4Client* client = m_clients.Find(id);
    if (client == nullptr)
    {
        return;
    }
    switch (outcome)
    {
    case Nfs4CallbackChannel::Outcome::DONE:
        client->callbackState = Nfs4CallbackState::UP;
        break;
    case Nfs4CallbackChannel::Outcome::DOWN:
        client->callbackState = Nfs4CallbackState::DOWN;
        break;
    case Nfs4CallbackChannel::Outcome::FAULT:
    case Nfs4CallbackChannel::Outcome::TOO_LARGE:
        client->callbackState = Nfs4CallbackState::FAULT;
        break;
    }
}

void
Nfs4ClientCallbacks::Probe(Nfs4Client& client)
{
    Drop(client.id);
    client.callbackState = Nfs4CallbackState::UNKNOWN;
    if (const Channel channel = Find(client.id))
    {
        channel->Probe();
        return;
    }
    client.callbackState = Nfs4CallbackState::DOWN;
}

void
Nfs4ClientCallbacks::Recall(const Nfs4StatePtr& delegation)
{
    if (const Channel channel = Find(delegation->client))
    {
        channel->Recall(delegation);
        return;
    }
    Note(delegation->client, Nfs4CallbackChannel::Outcome::DOWN);
}

void
Nfs4ClientCallbacks::Offload(Nfs4ClientId client,
                             CbOffloadArgs4 result,
                             std::function<void()> answered)
{
    if (const Channel channel = Find(client))
    {
        channel->Offload(std::move(result), std::move(answered));
        return;
    }
    Note(client, Nfs4CallbackChannel::Outcome::DOWN);
}

void
Nfs4ClientCallbacks::NotifyLock(const CbNotifyLockArgs4& lock)
{
    if (const Channel channel = Find(lock.lockOwner.clientId))
    {
        channel->NotifyLock(lock);
    }
}

uint64_t
Nfs4ClientCallbacks::GetSent(Nfs4ClientId client, Nfs4CbOp op) const
{
    const auto found = m_channels.find(client);
    return found == m_channels.end() ? 0 : found->second->GetSent(op);
}

} // namespace ns3::nfsrdma
