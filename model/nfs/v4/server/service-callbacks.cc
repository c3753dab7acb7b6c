/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/service.h"

#include "ns3/simulator.h"

#include <algorithm>

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
        const auto session = FindBackSession(client.id);
        if (session && m_reversePath)
        {
            service.session = session->id;
            service.program = session->callbackProgram;
            service.maxRequest = session->back.maxRequestSize;
            service.transport = m_reversePath(client.address, session->FindBack().value_or(0));
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

std::shared_ptr<Nfs4Session>
Nfs4Server::FindBackSession(Nfs4ClientId client) const
{
    std::shared_ptr<Nfs4Session> best;
    for (const auto& session : m_state->sessions.GetOf(client))
    {
        if (session->backChannel && (!best || session->FindBack() || !best->FindBack()))
        {
            best = session;
        }
    }
    return best;
}

void
Nfs4Server::ReviewBackChannel(Nfs4Client& client)
{
    const auto session = FindBackSession(client.id);
    const auto connection = session ? session->FindBack() : std::nullopt;
    client.callbackState = connection ? Nfs4CallbackState::UP : Nfs4CallbackState::DOWN;
    if (connection && m_channels.count(client.id) != 0 && m_reversePath)
    {
        m_reversePath(client.address, *connection);
    }
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
    return GetCallbacks(client, Nfs4CbOp::RECALL);
}

uint64_t
Nfs4Server::GetCallbacks(Nfs4ClientId client, Nfs4CbOp op) const
{
    const auto found = m_channels.find(client);
    return found == m_channels.end() ? 0 : found->second->GetSent(op);
}

void
Nfs4Server::NotifyLocks()
{
    m_state->blockedLocks.Check(m_state->states,
                                Simulator::Now(),
                                GetLeaseTime(),
                                [this](const Nfs4BlockedLock& lock) {
                                    if (const Channel channel = FindChannel(lock.owner.clientId))
                                    {
                                        channel->NotifyLock({lock.handle, lock.owner});
                                    }
                                });
}

void
Nfs4Server::Carry(std::vector<StorageTask> work, std::function<void()> then)
{
    const auto outcome = std::make_shared<Nfs4CompoundProcessor::Outcome>();
    outcome->work = std::move(work);
    Perform(outcome, 0, std::move(then));
}

void
Nfs4Server::ContinueCopy(const Nfs4AsyncCopyPtr& copy, Nfs3Status status)
{
    // As nfsd_copy_file_range().
    constexpr uint64_t PIECE = 4U << 20;
    if (!copy->stopped)
    {
        Launder();
    }
    if (copy->stopped)
    {
        return;
    }
    if (!m_store->Has(copy->from) || !m_store->Has(copy->to))
    {
        EndCopy(copy, Nfs3Status::STALE);
        return;
    }
    if (status == Nfs3Status::OK && copy->copied < copy->count)
    {
        CopyPiece(copy, std::min(PIECE, copy->count - copy->copied));
        return;
    }
    if (copy->copied == 0)
    {
        EndCopy(copy, status);
        return;
    }
    Carry({{StorageWork::SYNC, copy->to, copy->toOffset, copy->copied}},
          [self = Ptr<Nfs4Server>(this), copy, status] { self->EndCopy(copy, status); });
}

void
Nfs4Server::CopyPiece(const Nfs4AsyncCopyPtr& copy, uint64_t count)
{
    const uint64_t from = copy->fromOffset + copy->copied;
    const uint64_t to = copy->toOffset + copy->copied;
    Carry({{StorageWork::READ, copy->from, from, count}},
          [self = Ptr<Nfs4Server>(this), copy, from, to, count] {
              if (copy->stopped)
              {
                  return;
              }
              FileStore& store = *self->m_store;
              const Nfs3Status status =
                  store.Has(copy->from) && store.Has(copy->to)
                      ? store.GetData().CopyRange(copy->from, from, copy->to, to, count, copy->who)
                      : Nfs3Status::STALE;
              if (status != Nfs3Status::OK)
              {
                  self->ContinueCopy(copy, status);
                  return;
              }
              self->Carry({{StorageWork::WRITE, copy->to, to, count}}, [self, copy, count] {
                  copy->copied += count;
                  self->ContinueCopy(copy, Nfs3Status::OK);
              });
          });
}

void
Nfs4Server::EndCopy(const Nfs4AsyncCopyPtr& copy, Nfs3Status status)
{
    if (copy->stopped)
    {
        return;
    }
    CbOffloadArgs4 result;
    result.fh = copy->target;
    result.stateid = copy->id;
    result.copyStatus = copy->copied > 0 ? Nfs4Status::OK : ToNfs4Status(status);
    result.response.count = copy->copied;
    result.response.committed = copy->copied > 0 ? StableHow4::FILE_SYNC : StableHow4::UNSTABLE;
    result.response.verifier = m_settings.writeVerifier;
    result.bytesCopied = copy->copied;
    copy->ended = result.copyStatus;
    if (const Channel channel = FindChannel(copy->client))
    {
        channel->Offload(std::move(result), [self = Ptr<Nfs4Server>(this), copy] {
            if (self->m_state)
            {
                self->m_state->copies.Remove(copy);
            }
        });
        return;
    }
    NoteCallback(copy->client, Nfs4CallbackChannel::Outcome::DOWN);
}

} // namespace ns3::nfsrdma
