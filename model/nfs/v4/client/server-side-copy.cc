/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/server-side-copy.h"

#include "nfs/types/verifier-number.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

Nfs4ServerSideCopy::Nfs4ServerSideCopy(Nfs4OperationRunner& runner,
                                       Nfs4CopyRange range,
                                       Time statusDelay,
                                       Done done)
    : m_runner(runner),
      m_range(std::move(range)),
      m_statusDelay(statusDelay),
      m_done(runner.Track(std::move(done))),
      // As __nfs4_copy_file_range() of fs/nfs/nfs4file.c.
      m_synchronous(!runner.GetClient()->HasSessions() ||
                    m_range.count <= 2 * uint64_t{runner.GetFiles().GetTransferSize()})
{
}

void
Nfs4ServerSideCopy::Send()
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = m_range.to->open;
    task->build = [self = shared_from_this()](Compound4Args& compound) {
        const Nfs4CopyRange& range = self->m_range;
        const PutfhArgs4 target{range.to->open->file};
        CopyArgs4 args;
        args.srcStateid = self->m_runner.SelectStateId(range.from, OPEN4_SHARE_ACCESS_READ);
        args.dstStateid = self->m_runner.SelectStateId(range.to->open, OPEN4_SHARE_ACCESS_WRITE);
        args.srcOffset = range.fromOffset;
        args.dstOffset = range.toOffset;
        args.count = range.count;
        args.consecutive = true;
        args.synchronous = self->m_synchronous;
        compound.Add(PutfhArgs4{range.from->file}, SavefhArgs4(), target, std::move(args));
        if (self->m_synchronous)
        {
            compound.Add(target, CommitArgs4{range.toOffset, static_cast<uint32_t>(range.count)});
        }
    };
    task->done = [self = shared_from_this()](const Nfs4TaskReply& result) { self->Take(result); };
    m_runner.GetClient()->GetTasks().Submit(task);
}

void
Nfs4ServerSideCopy::Take(const Nfs4TaskReply& result)
{
    m_reply = Nfs4OperationRunner::MakeReply<FileCopyReply>(result);
    const auto* got = result.Find<CopyRes4>();
    if (got != nullptr && got->status == Nfs4Status::OFFLOAD_NO_REQS &&
        got->synchronous != m_synchronous)
    {
        m_synchronous = !m_synchronous;
        Send();
        return;
    }
    if (!result.IsOk() || got == nullptr)
    {
        m_done(m_reply);
        return;
    }
    m_reply.count = got->response.count;
    m_verifier = got->response.verifier;
    const auto* commit = result.Find<CommitRes4>();
    if (commit != nullptr && commit->verifier != m_verifier)
    {
        Send();
        return;
    }
    if (got->response.callbackId && !got->synchronous)
    {
        m_id = *got->response.callbackId;
        AwaitOffload();
        return;
    }
    End(commit == nullptr && got->response.committed != StableHow4::FILE_SYNC);
}

void
Nfs4ServerSideCopy::AwaitOffload()
{
    SchedulePoll();
    m_runner.GetClient()->GetOffloads().Expect(
        m_id,
        [self = shared_from_this()](const CbOffloadArgs4* result) {
            self->m_poll.Cancel();
            if (result == nullptr)
            {
                self->CancelOffload();
                self->Send();
                return;
            }
            const bool isOk = result->copyStatus == Nfs4Status::OK;
            self->m_reply.status = static_cast<uint32_t>(result->copyStatus);
            self->m_reply.count = isOk ? result->response.count : result->bytesCopied;
            self->m_verifier = result->response.verifier;
            self->End(isOk && result->response.committed != StableHow4::FILE_SYNC);
        });
}

void
Nfs4ServerSideCopy::End(bool commit)
{
    if (!commit)
    {
        m_done(m_reply);
        return;
    }
    m_runner.GetFiles().Run(
        FileCommit{m_range.to, m_range.toOffset, static_cast<uint32_t>(m_reply.count)},
        [self = shared_from_this()](const FileCommitReply& committed) {
            if (!committed.IsOk())
            {
                static_cast<FileReply&>(self->m_reply) = committed;
            }
            else if (committed.verifier != ToNumber(self->m_verifier))
            {
                self->Send();
                return;
            }
            self->m_done(self->m_reply);
        });
}

void
Nfs4ServerSideCopy::SchedulePoll()
{
    if (m_statusDelay.IsStrictlyPositive())
    {
        // An event that held the copy would be held by it.
        m_poll = Simulator::Schedule(m_statusDelay, [weak = weak_from_this()] {
            if (const auto expected = weak.lock())
            {
                expected->Poll();
            }
        });
    }
}

void
Nfs4ServerSideCopy::Poll()
{
    const auto& client = m_runner.GetClient();
    if (!client)
    {
        return;
    }
    const auto task =
        MakeNfs4Task(false, PutfhArgs4{m_range.to->open->file}, OffloadStatusArgs4{m_id});
    task->final = true;
    task->done = [self = shared_from_this(), id = m_id](const Nfs4TaskReply& result) {
        Nfs4OffloadTable& offloads = self->m_runner.GetClient()->GetOffloads();
        if (!offloads.IsExpected(id) || self->m_id != id)
        {
            return;
        }
        const auto* got = result.Find<OffloadStatusRes4>();
        if (got == nullptr || (got->status == Nfs4Status::OK && !got->complete))
        {
            self->SchedulePoll();
            return;
        }
        offloads.Forget(id);
        if (got->status != Nfs4Status::OK)
        {
            self->Send();
            return;
        }
        self->m_reply.status = static_cast<uint32_t>(*got->complete);
        self->m_reply.count = got->count;
        self->End(*got->complete == Nfs4Status::OK);
    };
    client->GetTasks().Submit(task);
}

void
Nfs4ServerSideCopy::CancelOffload()
{
    const auto task =
        MakeNfs4Task(false, PutfhArgs4{m_range.to->open->file}, OffloadCancelArgs4{m_id});
    task->final = true;
    m_runner.Run<FileReply>(task, nullptr, nullptr);
}

} // namespace ns3::nfsrdma
