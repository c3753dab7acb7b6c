/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_LOCK_CALLS_H
#define NFSRDMA_NFS_V4_CLIENT_LOCK_CALLS_H

#include "nfs/v4/client/operation-runner.h"
#include "nfs/v4/protocol/callback-ops.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Locks of open files, LOCK, LOCKU and LOCKT, as Linux's client asks for them.
 *
 * All processes of a host share the lock owner of an open. In NFSv4.0 the calls of a lock owner, of
 * which a file has one, go one after the other.
 *
 * A process that waits for a lock asks again after 1 s, 2 s, ... 30 s with NFSv4.0; later, after 30
 * s or CB_NOTIFY_LOCK (nfs4_retry_setlk() of fs/nfs/nfs4proc.c).
 */
class Nfs4LockCalls
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    explicit Nfs4LockCalls(Nfs4OperationRunner& runner);

    /// Locks a range; \param length NFS4_UINT64_MAX: to the end. The status is DENIED when another
    /// owner has it.
    void Lock(const std::shared_ptr<OpenFile>& file,
              LockType4 type,
              uint64_t offset,
              uint64_t length,
              Done<FileReply> done);
    void Unlock(const std::shared_ptr<OpenFile>& file,
                uint64_t offset,
                uint64_t length,
                Done<FileReply> done);
    /// Gives the lock owner of \p open up, which has no locks any more: FREE_STATEID, or
    /// RELEASE_LOCKOWNER.
    void GiveUpOwner(const Nfs4HeldState::OpenPtr& open);

    // Of processes, as FileClient's; \p wait until it can be had.

    void LockFile(const std::shared_ptr<OpenFile>& file,
                  const FileLock& lock,
                  bool wait,
                  Done<FileLockReply> done);
    void UnlockFile(const std::shared_ptr<OpenFile>& file,
                    const FileLock& lock,
                    Done<FileLockReply> done);
    void TestFile(const std::shared_ptr<OpenFile>& file,
                  const FileLock& lock,
                  Done<FileLockReply> done);

    /// CB_NOTIFY_LOCK.
    void Wake(const CbNotifyLockArgs4& notice);
    /// Nobody waits any more.
    void Clear();

  private:
    struct Wait;
    using WaitPtr = std::shared_ptr<Wait>;

    /// \param start makes the call; its completion is to call what it is given
    void InTurn(const std::shared_ptr<OpenFile>& file,
                const std::function<void(std::function<void()> ended)>& start);
    void SendLock(const Nfs4HeldState::OpenPtr& open,
                  const Nfs4HeldLock& lock,
                  Done<FileReply> done);
    void Try(const WaitPtr& wait);
    void Take(const WaitPtr& wait, const FileReply& reply);
    void TryAfter(const WaitPtr& wait, Time delay);

    Nfs4OperationRunner& m_runner;
    std::map<ByteVector, std::shared_ptr<Nfs4SeqidOwner>> m_queues; ///< By file handle.
    std::vector<WaitPtr> m_waits;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_LOCK_CALLS_H
