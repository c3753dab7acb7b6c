/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/lock-calls.h"

#include "wire/ns3-version.h"

#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

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

/// A lock from LockFile() to its end.
struct Nfs4LockCalls::Wait
{
    std::shared_ptr<OpenFile> file;
    FileLock lock;
    bool waits{false};
    Done<FileLockReply> done;
    Time next;            ///< Between the next LOCK that is denied and another one.
    bool notified{false}; ///< Since the latest LOCK was sent.
    EventId again;
};

Nfs4LockCalls::Nfs4LockCalls(Nfs4OperationRunner& runner)
    : m_runner(runner)
{
}

void
Nfs4LockCalls::Clear()
{
    m_queues.clear();
    m_waits.clear();
}

void
Nfs4LockCalls::Lock(const std::shared_ptr<OpenFile>& file,
                    LockType4 type,
                    uint64_t offset,
                    uint64_t length,
                    Done<FileReply> done)
{
    const auto open = Nfs4OpenFile::Of(file)->open;
    const auto send = [this,
                       open,
                       lock = Nfs4HeldLock{type, offset, length},
                       tracked = m_runner.Track(std::move(done))] {
        SendLock(open, lock, tracked);
    };
    // A lock needs the server's stateid of the open.
    if (!open->stateid)
    {
        m_runner.WithoutDelegation(open->file, send);
        return;
    }
    send();
}

void
Nfs4LockCalls::SendLock(const Nfs4HeldState::OpenPtr& open,
                        const Nfs4HeldLock& lock,
                        Done<FileReply> done)
{
    const auto& client = m_runner.GetClient();
    const auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->open = open;
    task->locked = open;
    task->stateidOf = open;
    // A lock owner that the server knows has a seqid of its own; after recovery it may be new
    // again.
    task->owner = client->GetOwners().GetOpenOwner();
    task->needsOwner = [open] { return !open->lockStateid; };
    task->build = [this, open, lock, sent = &task->stateid](Compound4Args& compound) {
        *sent = (open->lockStateid ? open->lockStateid : open->stateid).value_or(Nfs4StateId());
        compound.Add(PutfhArgs4{open->file},
                     m_runner.GetClient()->GetOwners().MakeLock(open, lock, false));
    };
    task->done = [open, lock, sessions = client->HasSessions(), done = std::move(done)](
                     const Nfs4TaskReply& result) {
        const auto* got = result.Find<LockRes4>();
        if (got != nullptr && got->status == Nfs4Status::OK)
        {
            open->lockStateid = got->lockStateid;
            open->locks.push_back(lock);
        }
        if (got == nullptr && result.outcome != RpcOutcome::SUCCESS && !sessions)
        {
            open->lockInDoubt = lock;
        }
        done(Nfs4OperationRunner::MakeReply<FileReply>(result));
    };
    client->GetTasks().Submit(task);
}

void
Nfs4LockCalls::Unlock(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      uint64_t length,
                      Done<FileReply> done)
{
    const auto open = Nfs4OpenFile::Of(file)->open;
    auto tracked = m_runner.Track(std::move(done));
    if (!open->lockStateid)
    {
        m_runner.EndSoon<FileReply>(FileReply(), std::move(tracked));
        return;
    }
    const auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->open = open;
    task->locked = open;
    task->stateidOf = open;
    task->build = [this, open, offset, length, sent = &task->stateid](Compound4Args& compound) {
        LockuArgs4 args;
        args.type = LockType4::WRITE;
        args.seqid = m_runner.GetClient()->HasSessions() ? 0 : open->lockSeqid.Get();
        *sent = open->lockStateid.value_or(Nfs4StateId());
        args.lockStateid = *sent;
        args.offset = offset;
        args.length = length;
        compound.Add(PutfhArgs4{open->file}, args);
    };
    task->done = [open, offset, length, tracked](const Nfs4TaskReply& result) {
        const auto* got = result.Find<LockuRes4>();
        if (got != nullptr && got->status == Nfs4Status::OK)
        {
            open->lockStateid = got->lockStateid;
            open->Unlock(offset, length);
        }
        tracked(Nfs4OperationRunner::MakeReply<FileReply>(result));
    };
    m_runner.GetClient()->GetTasks().Submit(task);
}

void
Nfs4LockCalls::GiveUpOwner(const Nfs4HeldState::OpenPtr& open)
{
    if (!open->lockStateid)
    {
        return;
    }
    const auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    task->final = true;
    task->build = [client = m_runner.GetClient(),
                   stateid = *open->lockStateid,
                   number = open->lockOwner](Compound4Args& compound) {
        if (client->HasSessions())
        {
            compound.Add(FreeStateidArgs4{stateid});
        }
        else
        {
            compound.Add(ReleaseLockownerArgs4{client->GetOwners().MakeLockOwner(number)});
        }
    };
    open->lockStateid.reset();
    open->lockOwner = 0;
    open->lockSeqid.Restart();
    m_runner.GetClient()->GetTasks().Submit(task);
}

void
Nfs4LockCalls::InTurn(const std::shared_ptr<OpenFile>& file,
                      const std::function<void(std::function<void()> ended)>& start)
{
    if (m_runner.GetClient()->HasSessions())
    {
        start([] {});
        return;
    }
    auto& queue = m_queues[file->GetObject().octets];
    if (!queue)
    {
        queue = std::make_shared<Nfs4SeqidOwner>();
    }
    queue->Enqueue([queue = queue, start] { start([queue] { queue->Finish(); }); });
}

void
Nfs4LockCalls::LockFile(const std::shared_ptr<OpenFile>& file,
                        const FileLock& lock,
                        bool wait,
                        Done<FileLockReply> done)
{
    const auto pending = std::make_shared<Wait>();
    pending->file = file;
    pending->lock = lock;
    pending->waits = wait;
    pending->done = std::move(done);
    pending->next = m_runner.GetClient()->HasSessions() ? LONGEST_WAIT : FIRST_WAIT;
    if (wait)
    {
        m_waits.push_back(pending);
    }
    Try(pending);
}

void
Nfs4LockCalls::Try(const WaitPtr& wait)
{
    wait->notified = false;
    InTurn(wait->file, [this, wait](const std::function<void()>& ended) {
        Lock(wait->file,
             GetType(wait->lock, wait->waits),
             GetOffset(wait->lock),
             GetLength(wait->lock),
             [this, wait, ended](const FileReply& reply) {
                 ended();
                 Take(wait, reply);
             });
    });
}

void
Nfs4LockCalls::TryAfter(const WaitPtr& wait, Time delay)
{
    wait->again = Simulator::Schedule(delay, [this, weak = std::weak_ptr<Wait>(wait)] {
        // What waits holds its mount, and so this.
        if (const auto waiting = weak.lock())
        {
            Try(waiting);
        }
    });
}

void
Nfs4LockCalls::Take(const WaitPtr& wait, const FileReply& reply)
{
    const auto result = MakeReply(reply);
    if (!wait->waits || result.granted || !result.IsOk())
    {
        m_waits.erase(std::remove(m_waits.begin(), m_waits.end(), wait), m_waits.end());
        wait->done(result);
        return;
    }
    const Time delay = wait->notified ? Time(0) : wait->next;
    wait->next = std::min(wait->next * 2, LONGEST_WAIT);
    TryAfter(wait, delay);
}

void
Nfs4LockCalls::Wake(const CbNotifyLockArgs4& notice)
{
    for (const auto& wait : m_waits)
    {
        const auto& open = Nfs4OpenFile::Of(wait->file)->open;
        if (open->file != notice.fh ||
            m_runner.GetClient()->GetOwners().MakeLockOwner(open->lockOwner).owner !=
                notice.lockOwner.owner)
        {
            continue;
        }
        wait->notified = true;
        if (IsPending(wait->again))
        {
            wait->again.Cancel();
            TryAfter(wait, Time(0));
        }
    }
}

void
Nfs4LockCalls::UnlockFile(const std::shared_ptr<OpenFile>& file,
                          const FileLock& lock,
                          Done<FileLockReply> done)
{
    InTurn(file, [this, file, lock, done = std::move(done)](const std::function<void()>& ended) {
        Unlock(file, GetOffset(lock), GetLength(lock), [ended, done](const FileReply& reply) {
            ended();
            done(MakeReply(reply));
        });
    });
}

void
Nfs4LockCalls::TestFile(const std::shared_ptr<OpenFile>& file,
                        const FileLock& lock,
                        Done<FileLockReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->build = [this, open = Nfs4OpenFile::Of(file)->open, lock](Compound4Args& compound) {
        auto& owners = m_runner.GetClient()->GetOwners();
        owners.NeedLockOwner(*open);
        compound.Add(PutfhArgs4{open->file},
                     LocktArgs4{GetType(lock, false),
                                GetOffset(lock),
                                GetLength(lock),
                                owners.MakeLockOwner(open->lockOwner)});
    };
    task->done = [tracked = m_runner.Track(std::move(done))](const Nfs4TaskReply& result) {
        tracked(MakeReply(Nfs4OperationRunner::MakeReply<FileReply>(result)));
    };
    m_runner.GetClient()->GetTasks().Submit(task);
}

} // namespace ns3::nfsrdma
