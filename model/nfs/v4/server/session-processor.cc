/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-processor.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t CREATE_SESSION_FLAGS = CREATE_SESSION4_FLAG_PERSIST |
                                          CREATE_SESSION4_FLAG_CONN_BACK_CHAN |
                                          CREATE_SESSION4_FLAG_CONN_RDMA;

} // namespace

Nfs4ClientTable::Introduction
Nfs4CompoundProcessor::Introduce(const ByteVector& name, const Nfs4Verifier& verifier) const
{
    return {name, verifier, m_principal, m_call.source, m_minorVersion};
}

ExchangeIdRes4
Nfs4CompoundProcessor::Run(const ExchangeIdArgs4& args)
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
    const auto exchanged =
        m_state.clients.Exchange(Introduce(args.ownerId, args.verifier), args.flags, m_now);
    if (!exchanged)
    {
        results.status = exchanged.error();
        return results;
    }
    const std::string& name = m_state.settings.name;
    results.clientId = exchanged->client;
    results.sequenceId = exchanged->sequence;
    results.flags = EXCHGID4_FLAG_USE_PNFS_MDS | EXCHGID4_FLAG_SUPP_MOVED_REFER |
                    (exchanged->confirmed ? EXCHGID4_FLAG_CONFIRMED_R : 0);
    results.serverMajorId.assign(name.begin(), name.end());
    results.serverScope = results.serverMajorId;
    return results;
}

CreateSessionRes4
Nfs4CompoundProcessor::Run(const CreateSessionArgs4& args)
{
    CreateSessionRes4 results;
    Nfs4CreatedSession made;
    made.fore = args.fore;
    made.back = args.back;
    results.status = (args.flags & ~CREATE_SESSION_FLAGS) != 0
                         ? Nfs4Status::INVAL
                         : m_state.settings.session.Bound(made.fore);
    if (results.status == Nfs4Status::OK)
    {
        results.status = Nfs4SessionLimits::BoundBack(made.back, m_call.reverseLimit);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    std::optional<Nfs4CreatedSession> replay;
    const auto client = m_state.clients.PrepareSession(args.clientId,
                                                       args.sequence,
                                                       m_principal,
                                                       m_call.source,
                                                       replay);
    if (!client)
    {
        results.status = client.error();
        return results;
    }
    if (!replay)
    {
        made.fore.rdmaIrd.reset();
        made.back.rdmaIrd.reset();
        made.flags = args.flags & CREATE_SESSION4_FLAG_CONN_BACK_CHAN;
        Nfs4Session& session =
            m_state.sessions.Create((*client)->id, m_minorVersion, made.fore, made.back);
        session.backChannel = made.flags != 0;
        session.callbackProgram = args.cbProgram;
        session.connections[m_call.connection] =
            Nfs4Session::FORE | (session.backChannel ? Nfs4Session::BACK : 0);
        made.id = session.id;
        m_state.clients.Created(**client, made);
        (*client)->callbackState =
            session.backChannel ? Nfs4CallbackState::UP : Nfs4CallbackState::UNKNOWN;
        m_state.clients.Renew(**client, m_now);
        replay = (*client)->created;
    }
    results.sessionId = replay->id;
    results.sequence = replay->sequence;
    results.flags = replay->flags;
    results.fore = replay->fore;
    results.back = replay->back;
    return results;
}

DestroySessionRes4
Nfs4CompoundProcessor::Run(const DestroySessionArgs4& args)
{
    DestroySessionRes4 results;
    const auto session = m_state.sessions.Find(args.sessionId);
    if (!session)
    {
        results.status = Nfs4Status::BADSESSION;
        return results;
    }
    const bool own = session == m_session;
    if (own && m_outcome.operations.size() + 1 != m_operations)
    {
        results.status = Nfs4Status::NOT_ONLY_OP;
        return results;
    }
    if (session->slots.GetInUse() > (own ? 1U : 0U))
    {
        results.status = Nfs4Status::DELAY;
        return results;
    }
    m_state.actions.sessionGone(*session);
    m_state.sessions.Destroy(args.sessionId);
    return results;
}

DestroyClientidRes4
Nfs4CompoundProcessor::Run(const DestroyClientidArgs4& args)
{
    DestroyClientidRes4 results;
    const Nfs4Client* client = m_state.clients.Find(args.clientId);
    const ByteVector name = client != nullptr ? client->name : ByteVector();
    results.status = m_state.clients.DestroyClientId(args.clientId);
    if (results.status == Nfs4Status::OK)
    {
        m_state.grace.Remove(name);
    }
    return results;
}

BindConnToSessionRes4
Nfs4CompoundProcessor::Run(const BindConnToSessionArgs4& args)
{
    BindConnToSessionRes4 results;
    const auto session = m_state.sessions.Find(args.sessionId);
    if (!session)
    {
        results.status = Nfs4Status::BADSESSION;
        return results;
    }
    results.dir = args.dir;
    results.status = session->Bind(m_call.connection, results.dir);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    if (Nfs4Client* client = m_state.clients.Find(session->client))
    {
        m_state.actions.bound(*client);
    }
    results.sessionId = args.sessionId;
    return results;
}

BackchannelCtlRes4
Nfs4CompoundProcessor::Run(const BackchannelCtlArgs4& args)
{
    m_session->callbackProgram = args.cbProgram;
    return {};
}

SequenceRes4
Nfs4CompoundProcessor::Run(const SequenceArgs4& args)
{
    SequenceRes4 results;
    if (!m_outcome.operations.empty())
    {
        results.status = Nfs4Status::SEQUENCE_POS;
        return results;
    }
    const auto session = m_state.sessions.Find(args.sessionId);
    Nfs4Client* client = session ? m_state.clients.Find(session->client) : nullptr;
    if (client == nullptr)
    {
        results.status = Nfs4Status::BADSESSION;
        return results;
    }
    const Nfs4SlotTable::Request request{args.slotId,
                                         args.sequenceId,
                                         args.cacheThis,
                                         m_operations,
                                         m_principal};
    uint64_t length = m_call.message.octets.size();
    for (const RpcReceivedItem& item : m_call.message.items)
    {
        length += item.length;
    }
    if (m_operations > session->fore.maxOperations)
    {
        results.status = Nfs4Status::TOO_MANY_OPS;
        return results;
    }
    if (length > session->fore.maxRequestSize)
    {
        results.status = Nfs4Status::REQ_TOO_BIG;
        return results;
    }
    const Nfs4SlotTable::Verdict verdict = session->slots.Check(request);
    results.status = verdict.status;
    if (verdict.status != Nfs4Status::OK)
    {
        return results;
    }
    m_replay = verdict.replay;
    if (m_replay == nullptr)
    {
        const uint32_t limit =
            (args.cacheThis ? session->fore.maxResponseSizeCached : session->fore.maxResponseSize);
        const uint32_t head = RpcReplyHeader::ACCEPTED_SIZE;
        const uint32_t sequence = 44;
        if (limit < head + GetSize() + sequence)
        {
            results.status =
                args.cacheThis ? Nfs4Status::REP_TOO_BIG_TO_CACHE : Nfs4Status::REP_TOO_BIG;
            return results;
        }
        m_room = limit - head;
        m_slot = args.slotId;
        m_cacheThis = args.cacheThis;
        m_tailAt = GetSize() + sequence;
        session->slots.Begin(request);
    }
    session->connections.emplace(m_call.connection, Nfs4Session::FORE);
    m_session = session;
    m_client = client;
    m_state.clients.Renew(*client, m_now);
    results.sessionId = args.sessionId;
    results.sequenceId = args.sequenceId;
    results.slotId = args.slotId;
    results.highestSlotId = session->slots.GetCount() - 1;
    results.targetHighestSlotId = results.highestSlotId;
    if (client->callbackState == Nfs4CallbackState::DOWN)
    {
        results.statusFlags |= SEQ4_STATUS_CB_PATH_DOWN;
    }
    if (client->callbackState == Nfs4CallbackState::FAULT)
    {
        results.statusFlags |= SEQ4_STATUS_BACKCHANNEL_FAULT;
    }
    if (m_state.states.HasRevoked(client->id))
    {
        results.statusFlags |= SEQ4_STATUS_RECALLABLE_STATE_REVOKED;
    }
    return results;
}

ReclaimCompleteRes4
Nfs4CompoundProcessor::Run(const ReclaimCompleteArgs4& args)
{
    ReclaimCompleteRes4 results;
    if (args.oneFs)
    {
        results.status = m_current ? Nfs4Status::OK : Nfs4Status::NOFILEHANDLE;
        return results;
    }
    if (m_client->reclaimComplete)
    {
        results.status = Nfs4Status::COMPLETE_ALREADY;
        return results;
    }
    m_client->reclaimComplete = true;
    m_state.grace.Complete(m_client->name);
    if (m_state.settings.recordClients)
    {
        m_state.grace.Record(m_client->name);
    }
    return results;
}

SetclientidRes4
Nfs4CompoundProcessor::Run(const SetclientidArgs4& args)
{
    SetclientidRes4 results;
    if (m_minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    const auto set =
        m_state.clients.SetClientId(Introduce(args.id, args.verifier),
                                    {args.cbProgram, args.callbackIdent, args.cbLocation},
                                    m_now);
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
Nfs4CompoundProcessor::Run(const SetclientidConfirmArgs4& args)
{
    SetclientidConfirmRes4 results;
    if (m_minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    if (!m_state.clients.IsOurs(args.clientId))
    {
        results.status = Nfs4Status::STALE_CLIENTID;
        return results;
    }
    const auto client =
        m_state.clients.ConfirmClientId(args.clientId, args.confirm, m_principal, m_now);
    if (!client)
    {
        results.status = client.error();
        return results;
    }
    m_state.actions.probe(**client);
    return results;
}

RenewRes4
Nfs4CompoundProcessor::Run(const RenewArgs4& args)
{
    RenewRes4 results;
    if (m_minorVersion != 0)
    {
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }
    results.status = TakeClient(args.clientId);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    const auto states = m_state.states.GetOf(m_client->id);
    const bool delegated = std::any_of(states.begin(), states.end(), [](const Nfs4StatePtr& state) {
        return state->kind == Nfs4State::Kind::DELEGATION;
    });
    if (delegated && m_client->callbackState != Nfs4CallbackState::UP)
    {
        results.status = Nfs4Status::CB_PATH_DOWN;
    }
    return results;
}

} // namespace ns3::nfsrdma
