/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mounted-files-run.h"
#include "nfs/v4/client/mounted-files.h"

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

/// A lock from DoLock() to its end.
struct Nfs4FileClient::LockWait
{
    std::shared_ptr<OpenFile> file;
    FileLock lock;
    bool waits{false};
    Done<FileLockReply> done;
    Time next;            ///< Between the next LOCK that is denied and another one.
    bool notified{false}; ///< Since the latest LOCK was sent.
    EventId again;

    /// Has \p client try again after \p delay, if it still waits then.
    static void TryAfter(const LockWaitPtr& wait, Time delay, Ptr<Nfs4FileClient> client);
};

void
Nfs4FileClient::LockWait::TryAfter(const LockWaitPtr& wait, Time delay, Ptr<Nfs4FileClient> client)
{
    wait->again = Simulator::Schedule(delay, [client, weak = std::weak_ptr<LockWait>(wait)] {
        if (const auto waiting = weak.lock())
        {
            client->TryLock(waiting);
        }
    });
}

void
Nfs4FileClient::DoLock(const std::shared_ptr<OpenFile>& file,
                       const FileLock& lock,
                       bool wait,
                       Done<FileLockReply> done)
{
    const auto pending = std::make_shared<LockWait>();
    pending->file = file;
    pending->lock = lock;
    pending->waits = wait;
    pending->done = std::move(done);
    pending->next = m_client->HasSessions() ? LONGEST_WAIT : FIRST_WAIT;
    if (wait)
    {
        m_lockWaits.push_back(pending);
    }
    TryLock(pending);
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
Nfs4FileClient::TryLock(const LockWaitPtr& wait)
{
    wait->notified = false;
    InTurn(wait->file,
           [wait, self = Ptr<Nfs4FileClient>(this)](const std::function<void()>& ended) {
               self->Lock(wait->file,
                          GetType(wait->lock, wait->waits),
                          GetOffset(wait->lock),
                          GetLength(wait->lock),
                          [self, wait, ended](const FileReply& reply) {
                              ended();
                              self->TakeLock(wait, reply);
                          });
           });
}

void
Nfs4FileClient::TakeLock(const LockWaitPtr& wait, const FileReply& reply)
{
    const auto result = MakeReply(reply);
    if (!wait->waits || result.granted || !result.IsOk())
    {
        m_lockWaits.erase(std::remove(m_lockWaits.begin(), m_lockWaits.end(), wait),
                          m_lockWaits.end());
        wait->done(result);
        return;
    }
    const Time delay = wait->notified ? Time(0) : wait->next;
    wait->next = std::min(wait->next * 2, LONGEST_WAIT);
    LockWait::TryAfter(wait, delay, this);
}

void
Nfs4FileClient::WakeLockWaits(const CbNotifyLockArgs4& notice)
{
    for (const auto& wait : m_lockWaits)
    {
        const auto opened = std::dynamic_pointer_cast<Nfs4OpenFile>(wait->file);
        const auto& open = opened->GetOpen();
        if (open->file != notice.fh ||
            m_client->MakeLockOwner(open->lockOwner).owner != notice.lockOwner.owner)
        {
            continue;
        }
        wait->notified = true;
        if (wait->again.IsRunning())
        {
            wait->again.Cancel();
            LockWait::TryAfter(wait, Time(0), this);
        }
    }
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
