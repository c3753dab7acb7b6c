/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mounted-files-run.h"

#include <utility>

namespace ns3::nfsrdma
{

/// A copy from Copy() to its end: COPY, CB_OFFLOAD, COMMIT, as often as need be.
struct Nfs4FileClient::CopyState
{
    std::shared_ptr<Nfs4OpenFile> from;
    uint64_t fromOffset{0};
    std::shared_ptr<Nfs4OpenFile> to;
    uint64_t toOffset{0};
    uint64_t count{0};
    bool synchronous{false};
    Done<CopyReply> done;
    Nfs4StateId id; ///< Of the COPY under way, when it is asynchronous.
    Nfs4Verifier verifier{};
    CopyReply reply;
    EventId poll;
};

void
Nfs4FileClient::Copy(const std::shared_ptr<OpenFile>& from,
                     uint64_t fromOffset,
                     const std::shared_ptr<OpenFile>& to,
                     uint64_t toOffset,
                     uint64_t count,
                     Done<CopyReply> done)
{
    const auto copy = std::make_shared<CopyState>();
    copy->from = ToOpenFile(from);
    copy->fromOffset = fromOffset;
    copy->to = ToOpenFile(to);
    copy->toOffset = toOffset;
    copy->count = count;
    // As __nfs4_copy_file_range() of fs/nfs/nfs4file.c.
    copy->synchronous = !m_client->HasSessions() || count <= 2 * uint64_t{GetTransferSize()};
    copy->done = Track(std::move(done));
    SendCopy(copy);
}

void
Nfs4FileClient::SendCopy(const CopyPtr& copy)
{
    const auto task = MakeTask(
        [this, copy](Compound4Args& compound) {
            const auto& source = copy->from->GetOpen()->file;
            const auto& target = copy->to->GetOpen()->file;
            const auto& held = m_client->GetHeld();
            CopyArgs4 args;
            args.srcStateid = held.SelectStateId(source, OPEN4_SHARE_ACCESS_READ, true);
            args.dstStateid = held.SelectStateId(target, OPEN4_SHARE_ACCESS_WRITE, true);
            args.srcOffset = copy->fromOffset;
            args.dstOffset = copy->toOffset;
            args.count = copy->count;
            args.consecutive = true;
            args.synchronous = copy->synchronous;
            compound.ops.emplace_back(PutfhArgs4{source});
            compound.ops.emplace_back(SavefhArgs4());
            compound.ops.emplace_back(PutfhArgs4{target});
            compound.ops.emplace_back(std::move(args));
            if (copy->synchronous)
            {
                compound.ops.emplace_back(PutfhArgs4{target});
                compound.ops.emplace_back(
                    CommitArgs4{copy->toOffset, static_cast<uint32_t>(copy->count)});
            }
        },
        false);
    task->open = copy->to->GetOpen();
    task->done = [self = Ptr<Nfs4FileClient>(this), copy](const Nfs4TaskReply& result) {
        self->TakeCopy(copy, result);
    };
    m_client->Submit(task);
}

void
Nfs4FileClient::TakeCopy(const CopyPtr& copy, const Nfs4TaskReply& result)
{
    copy->reply = CopyReply();
    copy->reply.outcome = result.outcome;
    copy->reply.repeated = result.repeated;
    copy->reply.status = static_cast<uint32_t>(result.status);
    const auto* got = result.Find<CopyRes4>();
    if (got != nullptr && got->status == Nfs4Status::OFFLOAD_NO_REQS &&
        got->synchronous != copy->synchronous)
    {
        copy->synchronous = !copy->synchronous;
        SendCopy(copy);
        return;
    }
    if (!result.IsOk() || got == nullptr)
    {
        copy->done(copy->reply);
        return;
    }
    copy->reply.count = got->response.count;
    copy->verifier = got->response.verifier;
    const auto* commit = result.Find<CommitRes4>();
    if (commit != nullptr && commit->verifier != copy->verifier)
    {
        SendCopy(copy);
        return;
    }
    if (got->response.callbackId && !got->synchronous)
    {
        copy->id = *got->response.callbackId;
        AwaitOffload(copy);
        return;
    }
    EndCopy(copy, commit == nullptr && got->response.committed != StableHow4::FILE_SYNC);
}

void
Nfs4FileClient::AwaitOffload(const CopyPtr& copy)
{
    SchedulePoll(copy);
    m_client->GetOffloads().Expect(
        copy->id,
        [self = Ptr<Nfs4FileClient>(this), copy](const CbOffloadArgs4* result) {
            copy->poll.Cancel();
            if (result == nullptr)
            {
                self->CancelOffload(copy);
                self->SendCopy(copy);
                return;
            }
            const bool isOk = result->copyStatus == Nfs4Status::OK;
            copy->reply.status = static_cast<uint32_t>(result->copyStatus);
            copy->reply.count = isOk ? result->response.count : result->bytesCopied;
            copy->verifier = result->response.verifier;
            self->EndCopy(copy, isOk && result->response.committed != StableHow4::FILE_SYNC);
        });
}

void
Nfs4FileClient::EndCopy(const CopyPtr& copy, bool commit)
{
    if (!commit)
    {
        copy->done(copy->reply);
        return;
    }
    Commit(copy->to,
           copy->toOffset,
           static_cast<uint32_t>(copy->reply.count),
           [self = Ptr<Nfs4FileClient>(this), copy](const FileCommitReply& committed) {
               if (!committed.IsOk())
               {
                   static_cast<FileReply&>(copy->reply) = committed;
               }
               else if (committed.verifier != ToNumber(copy->verifier))
               {
                   self->SendCopy(copy);
                   return;
               }
               copy->done(copy->reply);
           });
}

void
Nfs4FileClient::SchedulePoll(const CopyPtr& copy)
{
    if (m_offloadStatusDelay.IsStrictlyPositive())
    {
        // An event that held the copy would be held by it.
        copy->poll = Simulator::Schedule(
            m_offloadStatusDelay,
            [self = Ptr<Nfs4FileClient>(this), weak = std::weak_ptr<CopyState>(copy)] {
                if (const auto expected = weak.lock())
                {
                    self->PollOffload(expected);
                }
            });
    }
}

void
Nfs4FileClient::PollOffload(const CopyPtr& copy)
{
    if (!m_client)
    {
        return;
    }
    const auto task = MakeTask(
        [copy](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{copy->to->GetOpen()->file});
            compound.ops.emplace_back(OffloadStatusArgs4{copy->id});
        },
        false);
    task->final = true;
    task->done =
        [self = Ptr<Nfs4FileClient>(this), copy, id = copy->id](const Nfs4TaskReply& result) {
            Nfs4OffloadTable& offloads = self->m_client->GetOffloads();
            if (!offloads.IsExpected(id) || copy->id != id)
            {
                return;
            }
            const auto* got = result.Find<OffloadStatusRes4>();
            if (got == nullptr || (got->status == Nfs4Status::OK && !got->complete))
            {
                self->SchedulePoll(copy);
                return;
            }
            offloads.Forget(id);
            if (got->status != Nfs4Status::OK)
            {
                self->SendCopy(copy);
                return;
            }
            copy->reply.status = static_cast<uint32_t>(*got->complete);
            copy->reply.count = got->count;
            self->EndCopy(copy, *got->complete == Nfs4Status::OK);
        };
    m_client->Submit(task);
}

void
Nfs4FileClient::CancelOffload(const CopyPtr& copy)
{
    const auto task = MakeTask(
        [file = copy->to->GetOpen()->file, id = copy->id](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{file});
            compound.ops.emplace_back(OffloadCancelArgs4{id});
        },
        false);
    task->final = true;
    Run<FileReply>(task, TakeNothing, Track<FileReply>(nullptr));
}

} // namespace ns3::nfsrdma
