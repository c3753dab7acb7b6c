/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/client-id-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4ClientTable::Introduction
Nfs4ClientIdOperations::Introduce(const ByteVector& name, const Nfs4Verifier& verifier) const
{
    return {name, verifier, m_compound.principal, m_compound.call.source, m_compound.minorVersion};
}

ExchangeIdRes4
Nfs4ClientIdOperations::Run(const ExchangeIdArgs4& args)
{
    ExchangeIdRes4 results;
    if (args.stateProtect.how == StateProtect4::SSV)
    {
        results.status = Nfs4Status::ENCR_ALG_UNSUPP;
        return results;
    }
    if (args.stateProtect.how != StateProtect4::NONE)
    {
        results.status = Nfs4Status::INVAL;
        return results;
    }
    const auto exchanged = m_server.clients.Exchange(Introduce(args.ownerId, args.verifier),
                                                     args.flags,
                                                     m_compound.now);
    if (!exchanged)
    {
        results.status = exchanged.error();
        return results;
    }
    const std::string& name = m_server.settings.serverName;
    results.clientId = exchanged->client;
    results.sequenceId = exchanged->sequence;
    results.flags = EXCHGID4_FLAG_USE_PNFS_MDS | EXCHGID4_FLAG_SUPP_MOVED_REFER |
                    (exchanged->confirmed ? EXCHGID4_FLAG_CONFIRMED_R : 0);
    results.serverMajorId.assign(name.begin(), name.end());
    results.serverScope = results.serverMajorId;
    return results;
}

DestroyClientidRes4
Nfs4ClientIdOperations::Run(const DestroyClientidArgs4& args)
{
    DestroyClientidRes4 results;
    const Nfs4Client* client = m_server.clients.Find(args.clientId);
    const ByteVector name = client != nullptr ? client->name : ByteVector();
    results.status = m_server.clients.DestroyClientId(args.clientId);
    if (results.status == Nfs4Status::OK)
    {
        m_server.grace.Remove(name);
    }
    return results;
}

SetclientidRes4
Nfs4ClientIdOperations::Run(const SetclientidArgs4& args)
{
    SetclientidRes4 results;
    if (m_compound.minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    const auto set =
        m_server.clients.SetClientId(Introduce(args.id, args.verifier),
                                     {args.cbProgram, args.callbackIdent, args.cbLocation},
                                     m_compound.now);
    if (!set)
    {
        results.status = set.error();
        return results;
    }
    results.clientId = set->first;
    results.confirm = set->second;
    return results;
}

SetclientidConfirmRes4
Nfs4ClientIdOperations::Run(const SetclientidConfirmArgs4& args)
{
    SetclientidConfirmRes4 results;
    if (m_compound.minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    if (!m_server.clients.IsOurs(args.clientId))
    {
        results.status = Nfs4Status::STALE_CLIENTID;
        return results;
    }
    const auto client = m_server.clients.ConfirmClientId(args.clientId,
                                                         args.confirm,
                                                         m_compound.principal,
                                                         m_compound.now);
    if (!client)
    {
        results.status = client.error();
        return results;
    }
    m_server.callbacks.Probe(**client);
    return results;
}

RenewRes4
Nfs4ClientIdOperations::Run(const RenewArgs4& args)
{
    RenewRes4 results;
    if (m_compound.minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    results.status = m_finder.TakeClient(args.clientId);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto states = m_server.states.GetOf(m_compound.client->id);
    const bool delegated = std::any_of(states.begin(), states.end(), [](const Nfs4StatePtr& state) {
        return state->kind == Nfs4State::Kind::DELEGATION;
    });
    if (delegated && m_compound.client->callbackState != Nfs4CallbackState::UP)
    {
        results.status = Nfs4Status::CB_PATH_DOWN;
    }
    return results;
}

ReclaimCompleteRes4
Nfs4ClientIdOperations::Run(const ReclaimCompleteArgs4& args)
{
    ReclaimCompleteRes4 results;
    if (args.oneFs)
    {
        results.status = m_compound.current ? Nfs4Status::OK : Nfs4Status::NOFILEHANDLE;
        return results;
    }
    if (m_compound.client->reclaimComplete)
    {
        results.status = Nfs4Status::COMPLETE_ALREADY;
        return results;
    }
    m_compound.client->reclaimComplete = true;
    m_server.grace.Complete(m_compound.client->name);
    if (m_server.settings.recordClients)
    {
        m_server.grace.Record(m_compound.client->name);
    }
    return results;
}

} // namespace ns3::nfsrdma
