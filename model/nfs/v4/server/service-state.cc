/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/service-state.h"

#include <algorithm>

namespace ns3::nfsrdma
{

#define SETTINGS_OF Nfs4ServerSettings
#define SETTINGS_FILE "nfs/v4/server/service.def"
#include "settings/rows.def"

Nfs4ServerState::Nfs4ServerState(Ptr<FileStore> fileStore,
                                 const Nfs4ServerSettings& serverSettings,
                                 const Nfs4CallbackRoutes& routes,
                                 Nfs4ServerActions serverActions,
                                 uint32_t boot,
                                 uint32_t firstClient)
    : store(fileStore),
      names(*fileStore),
      settings(serverSettings),
      actions(std::move(serverActions)),
      clients(
          boot,
          firstClient,
          [this](Nfs4ClientId client, bool withSessions) {
              return withSessions
                         ? states.HasAny(client) || copies.HasAny(client) || sessions.HasAny(client)
                         : states.HasAny(client) && !copies.HasAny(client);
          },
          [this](Nfs4ClientId client) {
              callbacks.Drop(client);
              states.DropClient(client);
              copies.RemoveOf(client);
              sessions.DestroyOf(client);
          }),
      callbacks(serverSettings.serverName,
                routes,
                clients,
                sessions,
                serverSettings.callbackQueue,
                serverSettings.callbackSlots),
      copies(boot)
{
}

bool
Nfs4ServerState::BreakDelegations(InodeNumber number, Nfs4ClientId by, Time now)
{
    if (number == Nfs4Namespace::PSEUDO_ROOT)
    {
        return false;
    }
    const Nfs4FileKey file = GetKey(number);
    if (!states.GetDelegations(file, by).empty())
    {
        ExpireCourtesy(file);
    }
    const auto delegations = states.GetDelegations(file, by);
    for (const auto& delegation : delegations)
    {
        if (states.Recall(delegation, now))
        {
            actions.recalled(delegation);
            callbacks.Recall(delegation);
        }
    }
    return !delegations.empty();
}

bool
Nfs4ServerState::ExpireCourtesy(const Nfs4FileKey& file)
{
    std::vector<Nfs4ClientId> gone;
    for (const auto& state : states.GetOf(file))
    {
        const Nfs4Client* client = clients.Find(state->client);
        if (client != nullptr && client->courtesy)
        {
            gone.push_back(client->id);
        }
    }
    for (const Nfs4ClientId client : gone)
    {
        clients.Expire(client);
    }
    return !gone.empty();
}

Time
Nfs4ServerState::GetLease() const
{
    return Seconds(settings.attributes.leaseTime);
}

void
Nfs4ServerState::Launder(Time now)
{
    if (now < m_nextLaunder)
    {
        return;
    }
    const Time lease = GetLease();
    m_nextLaunder = now + lease;
    for (const auto& delegation : states.GetRecalled())
    {
        const Time end = delegation->recallTime + lease;
        if (end > now)
        {
            m_nextLaunder = std::min(m_nextLaunder, end);
            continue;
        }
        const Nfs4Client* client = clients.Find(delegation->client);
        states.Revoke(delegation, client != nullptr && client->minorVersion > 0);
    }
    m_nextLaunder =
        std::min(m_nextLaunder, clients.ExpireLeases(now, lease, settings.courtesyTime));
}

void
Nfs4ServerState::NotifyLocks(Time now)
{
    blockedLocks.Check(states, now, GetLease(), [this](const Nfs4BlockedLock& lock) {
        callbacks.NotifyLock({lock.handle, lock.owner});
    });
}

} // namespace ns3::nfsrdma
