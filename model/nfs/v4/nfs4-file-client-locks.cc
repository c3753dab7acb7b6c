/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/nfs4-file-client-run.h"
#include "nfs/v4/nfs4-file-client.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

// Between a LOCK that was denied and the next of a process that waits (NFS4_LOCK_MINTIMEOUT and
// NFS4_LOCK_MAXTIMEOUT in fs/nfs/nfs4proc.c); it doubles each time.
const Time FIRST_WAIT = Seconds(1);
const Time LONGEST_WAIT = Seconds(30);

LockType4
GetType(const FileLock& lock, bool wait)
{
    if (lock.exclusive)
    {
        return wait ? LockType4::WRITEW : LockType4::WRITE;
    }
    return wait ? LockType4::READW : LockType4::READ;
}

uint64_t
GetOffset(const FileLock& lock)
{
    return lock.flock ? 0 : lock.offset;
}

uint64_t
GetLength(const FileLock& lock)
{
    return lock.flock || lock.length == 0 ? NFS4_UINT64_MAX : lock.length;
}

FileLockReply
MakeReply(const FileReply& reply)
{
    FileLockReply result;
    static_cast<FileReply&>(result) = reply;
    result.granted = reply.IsOk();
    if (reply.outcome == RpcOutcome::SUCCESS &&
        reply.status == static_cast<uint32_t>(Nfs4Status::DENIED))
    {
        result.status = 0;
    }
    return result;
}

} // namespace

bool
Nfs4FileClient::IsLockShared(const FileLock& /* lock */) const
{
    return true;
}

FileLock
Nfs4FileClient::MakeLocalLock(const FileLock& lock) const
{
    FileLock local = lock;
    local.exclusive = true;
    return local;
}

void
Nfs4FileClient::DoLock(const std::shared_ptr<OpenFile>& file,
                       const FileLock& lock,
                       bool wait,
                       Done<FileLockReply> done)
{
    TryLock(file, lock, wait ? std::make_optional(FIRST_WAIT) : std::nullopt, done);
}

void
Nfs4FileClient::InTurn(const std::shared_ptr<OpenFile>& file,
                       const std::function<void(std::function<void()> ended)>& start)
{
    if (m_client->HasSessions())
    {
        start([] {});
        return;
    }
    auto& queue = m_lockQueues[file->GetObject().octets];
    if (!queue)
    {
        queue = std::make_shared<Nfs4SeqidOwner>();
    }
    queue->Enqueue([queue = queue, start] { start([queue] { queue->Finish(); }); });
}

void
Nfs4FileClient::TryLock(const std::shared_ptr<OpenFile>& file,
                        const FileLock& lock,
                        std::optional<Time> again,
                        const Done<FileLockReply>& done)
{
    InTurn(file, [=, self = Ptr<Nfs4FileClient>(this)](const std::function<void()>& ended) {
        self->Lock(file,
                   GetType(lock, again.has_value()),
                   GetOffset(lock),
                   GetLength(lock),
                   [=](const FileReply& reply) {
                       ended();
                       const auto result = MakeReply(reply);
                       if (!again || result.granted || !result.IsOk())
                       {
                           done(result);
                           return;
                       }
                       Simulator::Schedule(*again, [=] {
                           if (self->m_client)
                           {
                               self->TryLock(file, lock, std::min(*again * 2, LONGEST_WAIT), done);
                           }
                       });
                   });
    });
}

void
Nfs4FileClient::DoUnlock(const std::shared_ptr<OpenFile>& file,
                         const FileLock& lock,
                         Done<FileLockReply> done)
{
    InTurn(file, [=, self = Ptr<Nfs4FileClient>(this)](const std::function<void()>& ended) {
        self->Unlock(file, GetOffset(lock), GetLength(lock), [=](const FileReply& reply) {
            ended();
            done(MakeReply(reply));
        });
    });
}

void
Nfs4FileClient::DoTestLock(const std::shared_ptr<OpenFile>& file,
                           const FileLock& lock,
                           Done<FileLockReply> done)
{
    const auto opened = std::dynamic_pointer_cast<Nfs4OpenFile>(file);
    NS_ASSERT_MSG(opened, "the file was opened by another client");
    const auto task = MakeTask(
        [this, open = opened->GetOpen(), lock](Compound4Args& compound) {
            if (open->lockOwner == 0)
            {
                open->lockOwner = m_client->TakeLockOwner();
            }
            compound.ops.emplace_back(PutfhArgs4{open->file});
            compound.ops.emplace_back(LocktArgs4{GetType(lock, false),
                                                 GetOffset(lock),
                                                 GetLength(lock),
                                                 m_client->MakeLockOwner(open->lockOwner)});
        },
        false);
    task->done = [tracked = Track(std::move(done))](const Nfs4TaskReply& result) {
        FileReply reply;
        reply.outcome = result.outcome;
        reply.status = static_cast<uint32_t>(result.status);
        tracked(MakeReply(reply));
    };
    m_client->Submit(task);
}

} // namespace ns3::nfsrdma
