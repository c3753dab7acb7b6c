/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/copy-run.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

Nfs4CopyRun::Nfs4CopyRun(Nfs4ServerState& state,
                         const Ptr<ServerStorage>& storage,
                         Nfs4AsyncCopyPtr copy)
    : m_state(state),
      m_storage(storage),
      m_copy(std::move(copy))
{
}

void
Nfs4CopyRun::Start()
{
    Continue(Nfs3Status::OK);
}

void
Nfs4CopyRun::Carry(const StorageTask& task, std::function<void()> then)
{
    auto next = [self = shared_from_this(), then = std::move(then)] {
        if (!self->m_copy->stopped)
        {
            then();
        }
    };
    if (m_storage)
    {
        m_storage->Do(task, std::move(next));
        return;
    }
    next();
}

void
Nfs4CopyRun::Continue(Nfs3Status status)
{
    if (!m_copy->stopped)
    {
        m_state.Launder(Simulator::Now());
    }
    if (m_copy->stopped)
    {
        return;
    }
    if (!HasFiles())
    {
        End(Nfs3Status::STALE);
        return;
    }
    if (status == Nfs3Status::OK && m_copy->copied < m_copy->count)
    {
        CopyPiece(std::min(PIECE, m_copy->count - m_copy->copied));
        return;
    }
    if (m_copy->copied == 0)
    {
        End(status);
        return;
    }
    Carry({StorageWork::SYNC, m_copy->to, m_copy->toOffset, m_copy->copied},
          [this, status] { End(status); });
}

void
Nfs4CopyRun::CopyPiece(uint64_t count)
{
    const uint64_t from = m_copy->fromOffset + m_copy->copied;
    const uint64_t to = m_copy->toOffset + m_copy->copied;
    Carry({StorageWork::READ, m_copy->from, from, count}, [this, from, to, count] {
        const Nfs3Status status = HasFiles() ? m_state.store->GetData().CopyRange(m_copy->from,
                                                                                  from,
                                                                                  m_copy->to,
                                                                                  to,
                                                                                  count,
                                                                                  m_copy->who)
                                             : Nfs3Status::STALE;
        if (status != Nfs3Status::OK)
        {
            Continue(status);
            return;
        }
        Carry({StorageWork::WRITE, m_copy->to, to, count}, [this, count] {
            m_copy->copied += count;
            Continue(Nfs3Status::OK);
        });
    });
}

void
Nfs4CopyRun::End(Nfs3Status status)
{
    const bool some = m_copy->copied > 0;
    CbOffloadArgs4 result;
    result.fh = m_copy->target;
    result.stateid = m_copy->id;
    result.copyStatus = some ? Nfs4Status::OK : ToNfs4Status(status);
    result.response.count = m_copy->copied;
    result.response.committed = some ? StableHow4::FILE_SYNC : StableHow4::UNSTABLE;
    result.response.verifier = m_state.settings.writeVerifier;
    result.bytesCopied = m_copy->copied;
    m_copy->ended = result.copyStatus;
    m_state.callbacks.Offload(m_copy->client, std::move(result), [self = shared_from_this()] {
        self->m_state.copies.Remove(self->m_copy);
    });
}

} // namespace ns3::nfsrdma
