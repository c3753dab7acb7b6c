/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/session-operations.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t CREATE_SESSION_FLAGS = CREATE_SESSION4_FLAG_PERSIST |
                                          CREATE_SESSION4_FLAG_CONN_BACK_CHAN |
                                          CREATE_SESSION4_FLAG_CONN_RDMA;

} // namespace

CreateSessionRes4
Nfs4SessionOperations::Run(const CreateSessionArgs4& args)
{
    CreateSessionRes4 results;
    Nfs4CreatedSession made;
    made.fore = args.fore;
    made.back = args.back;
    results.status = (args.flags & ~CREATE_SESSION_FLAGS) != 0
                         ? Nfs4Status::INVAL
                         : m_server.settings.session.Bound(made.fore);
    if (results.status == Nfs4Status::OK)
    {
        results.status = Nfs4SessionLimits::BoundBack(made.back, m_compound.call.reverseLimit);
    }
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    std::optional<Nfs4CreatedSession> replay;
    const auto client = m_server.clients.PrepareSession(args.clientId,
                                                        args.sequence,
                                                        m_compound.principal,
                                                        m_compound.call.source,
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
        const Nfs4SessionLimits& limits = m_server.settings.session;
        Nfs4Session& session = m_server.sessions.Create((*client)->id,
                                                        m_compound.minorVersion,
                                                        made.fore,
                                                        made.back,
                                                        limits.growth ? limits.maxSlots : 0);
        session.backChannel = made.flags != 0;
        session.callbackProgram = args.cbProgram;
        session.connections[m_compound.call.connection] =
            Nfs4Session::FORE | (session.backChannel ? Nfs4Session::BACK : 0);
        made.id = session.id;
        m_server.clients.Created(**client, made);
        (*client)->callbackState =
            session.backChannel ? Nfs4CallbackState::UP : Nfs4CallbackState::UNKNOWN;
        m_server.clients.Renew(**client, m_compound.now);
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
Nfs4SessionOperations::Run(const DestroySessionArgs4& args)
{
    DestroySessionRes4 results;
    const auto session = m_server.sessions.Find(args.sessionId);
    if (!session)
    {
        results.status = Nfs4Status::BADSESSION;
        return results;
    }
    const bool own = session == m_compound.session;
    if (own && m_compound.reply.GetOperations().size() + 1 != m_compound.operations)
    {
        results.status = Nfs4Status::NOT_ONLY_OP;
        return results;
    }
    if (session->slots.GetInUse() > (own ? 1U : 0U))
    {
        results.status = Nfs4Status::DELAY;
        return results;
    }
    m_server.callbacks.Drop(session->client);
    m_server.sessions.Destroy(args.sessionId);
    return results;
}

BindConnToSessionRes4
Nfs4SessionOperations::Run(const BindConnToSessionArgs4& args)
{
    BindConnToSessionRes4 results;
    const auto session = m_server.sessions.Find(args.sessionId);
    if (!session)
    {
        results.status = Nfs4Status::BADSESSION;
        return results;
    }
    results.dir = args.dir;
    results.status = session->Bind(m_compound.call.connection, results.dir);
    if (results.status != Nfs4Status::OK)
    {
        return results;
    }
    if (Nfs4Client* client = m_server.clients.Find(session->client))
    {
        m_server.callbacks.ReviewBackChannel(*client);
    }
    results.sessionId = args.sessionId;
    return results;
}

BackchannelCtlRes4
Nfs4SessionOperations::Run(const BackchannelCtlArgs4& args)
{
    m_compound.session->callbackProgram = args.cbProgram;
    return {};
}

SequenceRes4
Nfs4SessionOperations::Run(const SequenceArgs4& args)
{
    SequenceRes4 results;
    if (!m_compound.reply.GetOperations().empty())
    {
        results.status = Nfs4Status::SEQUENCE_POS;
        return results;
    }
    const auto session = m_server.sessions.Find(args.sessionId);
    Nfs4Client* client = session ? m_server.clients.Find(session->client) : nullptr;
    if (client == nullptr)
    {
        results.status = Nfs4Status::BADSESSION;
        return results;
    }
    const Nfs4SlotTable::Request request{args.slotId,
                                         args.sequenceId,
                                         args.cacheThis,
                                         m_compound.operations,
                                         m_compound.principal};
    uint64_t length = m_compound.call.message.octets.size();
    for (const RpcReceivedItem& item : m_compound.call.message.items)
    {
        length += item.length;
    }
    if (m_compound.operations > session->fore.maxOperations)
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
    m_compound.replay = verdict.replay;
    if (m_compound.replay == nullptr)
    {
        const uint32_t limit =
            (args.cacheThis ? session->fore.maxResponseSizeCached : session->fore.maxResponseSize);
        const uint32_t head = RpcReplyHeader::ACCEPTED_SIZE;
        const uint32_t sequence = 44;
        if (limit < head + m_compound.reply.GetSize() + sequence)
        {
            results.status =
                args.cacheThis ? Nfs4Status::REP_TOO_BIG_TO_CACHE : Nfs4Status::REP_TOO_BIG;
            return results;
        }
        m_compound.reply.SetRoom(limit - head);
        m_compound.slot = args.slotId;
        m_compound.cacheThis = args.cacheThis;
        m_compound.reply.KeepAfter(sequence);
        session->slots.Acknowledge(args.slotId, args.highestSlotId);
        session->slots.Begin(request);
        if (!m_server.isMemoryShort || !m_server.isMemoryShort())
        {
            session->slots.Grow(args.slotId);
        }
    }
    session->connections.emplace(m_compound.call.connection, Nfs4Session::FORE);
    m_compound.session = session;
    m_compound.client = client;
    m_server.clients.Renew(*client, m_compound.now);
    results.sessionId = args.sessionId;
    results.sequenceId = args.sequenceId;
    results.slotId = args.slotId;
    results.targetHighestSlotId = session->slots.GetTarget() - 1;
    results.highestSlotId = m_server.settings.session.growth
                                ? std::max(args.highestSlotId, results.targetHighestSlotId)
                                : results.targetHighestSlotId;
    if (client->callbackState == Nfs4CallbackState::DOWN)
    {
        results.statusFlags |= SEQ4_STATUS_CB_PATH_DOWN;
    }
    if (client->callbackState == Nfs4CallbackState::FAULT)
    {
        results.statusFlags |= SEQ4_STATUS_BACKCHANNEL_FAULT;
    }
    if (m_server.states.HasRevoked(client->id))
    {
        results.statusFlags |= SEQ4_STATUS_RECALLABLE_STATE_REVOKED;
    }
    return results;
}

} // namespace ns3::nfsrdma
