/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/nfs4-server.h"

namespace ns3::nfsrdma
{

Nfs4Server::Channel
Nfs4Server::MakeChannel(const Nfs4Client& client)
{
    Nfs4CallbackChannel::Service service;
    service.cpu = m_cpu;
    service.machineName = m_settings.name;
    service.minorVersion = client.minorVersion;
    if (client.minorVersion == 0)
    {
        service.program = client.callback.program;
        service.callbackIdent = client.callback.ident;
        if (m_callbackPath)
        {
            service.transport = m_callbackPath(client.callback.address);
        }
    }
    else
    {
        for (const auto& session : m_state->sessions.GetOf(client.id))
        {
            if (session->backChannel)
            {
                service.session = session->id;
                service.program = session->callbackProgram;
                service.maxRequest = session->back.maxRequestSize;
            }
        }
        if (service.session && m_reversePath)
        {
            service.transport = m_reversePath(client.address);
        }
    }
    if (!service.transport)
    {
        return nullptr;
    }
    return std::make_shared<Nfs4CallbackChannel>(
        service,
        [this, id = client.id](Nfs4CallbackChannel::Outcome outcome) {
            NoteCallback(id, outcome);
        });
}

Nfs4Server::Channel
Nfs4Server::FindChannel(Nfs4ClientId id)
{
    const auto found = m_channels.find(id);
    if (found != m_channels.end())
    {
        return found->second;
    }
    const Nfs4Client* client = m_state->clients.Find(id);
    Channel channel = client != nullptr ? MakeChannel(*client) : nullptr;
    if (channel)
    {
        m_channels.emplace(id, channel);
    }
    return channel;
}

void
Nfs4Server::DropChannel(Nfs4ClientId client)
{
    const auto found = m_channels.find(client);
    if (found != m_channels.end())
    {
        found->second->Close();
        m_channels.erase(found);
    }
}

void
Nfs4Server::NoteCallback(Nfs4ClientId id, Nfs4CallbackChannel::Outcome outcome)
{
    Nfs4Client* client = m_state ? m_state->clients.Find(id) : nullptr;
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
Nfs4Server::Recall(const Nfs4StatePtr& delegation)
{
    m_recalledTrace(delegation->client, delegation->file.first);
    if (const Channel channel = FindChannel(delegation->client))
    {
        channel->Recall(delegation);
        return;
    }
    NoteCallback(delegation->client, Nfs4CallbackChannel::Outcome::DOWN);
}

void
Nfs4Server::Probe(Nfs4Client& client)
{
    DropChannel(client.id);
    client.callbackState = Nfs4CallbackState::UNKNOWN;
    if (const Channel channel = FindChannel(client.id))
    {
        channel->Probe();
        return;
    }
    client.callbackState = Nfs4CallbackState::DOWN;
}

uint64_t
Nfs4Server::GetRecalls(Nfs4ClientId client) const
{
    const auto found = m_channels.find(client);
    return found == m_channels.end() ? 0 : found->second->GetRecalls();
}

} // namespace ns3::nfsrdma
