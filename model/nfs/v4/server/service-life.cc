/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/service.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

void
Nfs4Server::Start()
{
    const NfsTime3 epoch = NfsTime3{m_store->GetFileSystem().GetSettings().epoch, 0};
    const auto boot =
        epoch.seconds + static_cast<uint32_t>(Simulator::Now().GetSeconds()) + m_starts++;
    Nfs4ServerActions actions;
    actions.recall = [this](const Nfs4StatePtr& delegation) { Recall(delegation); };
    actions.delegated = [this](const Nfs4StatePtr& delegation) {
        m_delegatedTrace(delegation->client, delegation->file.first);
    };
    actions.probe = [this](Nfs4Client& client) { Probe(client); };
    actions.bound = [this](Nfs4Client& client) { ReviewBackChannel(client); };
    actions.copy = [this](const Nfs4AsyncCopyPtr& copy) {
        Simulator::ScheduleNow(&Nfs4Server::ContinueCopy,
                               Ptr<Nfs4Server>(this),
                               copy,
                               Nfs3Status::OK);
    };
    actions.sessionGone = [this](const Nfs4Session& session) { DropChannel(session.client); };
    m_state = std::make_unique<Nfs4ServerState>(m_store,
                                                m_settings,
                                                std::move(actions),
                                                boot,
                                                m_nextClient);
    m_nextLaunder = Simulator::Now();
}

Nfs4ServerState&
Nfs4Server::GetState()
{
    if (!m_state)
    {
        Start();
    }
    return *m_state;
}

void
Nfs4Server::Stop()
{
    for (const auto& [client, channel] : m_channels)
    {
        channel->Close();
    }
    m_channels.clear();
    m_delegationWaiters.WakeAll();
    if (m_state)
    {
        m_state->copies.RemoveAll();
    }
}

void
Nfs4Server::HandleConnectionEnd(uint64_t connection)
{
    if (!m_state)
    {
        return;
    }
    for (const Nfs4ClientId id : m_state->sessions.Unbind(connection))
    {
        if (Nfs4Client* client = m_state->clients.Find(id))
        {
            ReviewBackChannel(*client);
        }
    }
}

void
Nfs4Server::Restart()
{
    Nfs4GracePeriod grace = GetState().grace;
    Stop();
    m_nextClient += static_cast<uint32_t>(m_state->clients.GetCount()) + 1;
    SetBootVerifier(GetBootVerifier() + 1);
    Start();
    grace.Start(Simulator::Now(), m_grace);
    m_state->grace = std::move(grace);
}

} // namespace ns3::nfsrdma
