/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_FILE_CLIENT_H
#define NFSRDMA_NFS_TYPES_FILE_CLIENT_H

#include "nfs/types/cached-requests.h"
#include "nfs/types/file-requests.h"
#include "nfs/types/local-file-locks.h"

#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Where the locks of a mount are kept when its version of NFS has no operations for them
 * (NFSv2 and v3): a lock manager.
 */
class FileLockService : public Object
{
  public:
    static TypeId GetTypeId();

    using Done = std::function<void(const FileLockReply& reply)>;

    // Each calls its completion later, once.

    /// \param wait until it can be had
    virtual void Lock(const FileRef& file, const FileLock& lock, bool wait, Done done) = 0;
    virtual void Unlock(const FileRef& file, const FileLock& lock, Done done) = 0;
    virtual void Test(const FileRef& file, const FileLock& lock, Done done) = 0;
};

/**
 * \brief What an application does with the files of one server, whatever the NFS version that
 * carries it. Implemented for NFSv2, v3 and v4.
 *
 * Each method starts an operation and ends it with its completion: once, later, never from within.
 * An operation is one RPC, or as many as the version needs (an OPEN that must be confirmed), or
 * none (CLOSE before NFSv4).
 *
 * Locks are those of processes of this host. A lock that another process of it has is waited for
 * here; then it is asked for at the server, unless LocalLock says that this host alone is to know.
 *
 * Operations are those of the protocol, unless they are system calls: CachedRequests.
 *
 * Attributes: TransferSize (octets), LocalLock, and those of caches.def.
 */
class FileClient : public Object
{
  public:
    static TypeId GetTypeId();

    template <typename Reply>
    using Done = std::function<void(const Reply& reply)>;

    /// Makes the client fit for use: what comes after the transport is connected and before the
    /// first operation (a session; the base: nothing).
    virtual void Mount(Done<FileReply> done);
    /// Gives back what the server keeps for this client (the base: nothing); no operation may
    /// follow.
    virtual void Unmount(Done<FileReply> done);

    /// The host has crashed: what this client kept in memory is gone, locks too. Operations end as
    /// their calls do (RpcClient::Crash()); those that begin now wait for Boot().
    void Crash();
    /// The host is there again, and mounts. Files that are open here are opened anew where that is
    /// state at the server.
    void Boot();

    /// \return how often the host has crashed.
    [[nodiscard]] uint64_t GetCrashes() const
    {
        return m_crashes;
    }

    /// Starts an operation of a request of file-requests.h.
    template <typename Request>
    void Run(Request request, Done<typename Request::Reply> done)
    {
        if (m_caches != nullptr)
        {
            done = m_caches->Watch(request, std::move(done));
        }
        Start(
            FileCall<Request>{std::move(request), Track<typename Request::Reply>(std::move(done))});
    }

    /// The same as a system call: the client's caches answer it, if they can. After EnableCaches().
    template <typename Request>
    void Call(Request request, Done<typename Request::Reply> done)
    {
        if constexpr (CachedRequests::Answers<Request>())
        {
            m_caches->Call(std::move(request), Track<typename Request::Reply>(std::move(done)));
        }
        else
        {
            Run(std::move(request), std::move(done));
        }
    }

    /// Keeps attributes, names and access rights from now on; see CachedRequests.
    void EnableCaches();

    /// \return null unless they have been enabled.
    [[nodiscard]] const CachedRequests* GetCaches() const
    {
        return m_caches.get();
    }

    /// Something has changed \p object that is no request of file-requests.h.
    void NoteChange(const FileRef& object)
    {
        if (m_caches != nullptr)
        {
            m_caches->Invalidate(object);
        }
    }

    /// \return whether a delegation of \p object is held, so that nobody else changes it.
    [[nodiscard]] virtual bool IsDelegated(const FileRef& /* object */) const
    {
        return false;
    }

    /// Counts an operation as started. \return a completion that counts it as ended; \p done may be
    /// null.
    template <typename Reply>
    [[nodiscard]] Done<Reply> Track(Done<Reply> done)
    {
        ++m_pending;
        return [self = Ptr<FileClient>(this), done = std::move(done)](const Reply& reply) {
            --self->m_pending;
            if (done)
            {
                done(reply);
            }
        };
    }

    /// \return whether an open file is state at the server, which Close() gives back (NFSv4).
    [[nodiscard]] virtual bool KeepsOpenState() const
    {
        return false;
    }

    /// \return what the version's way of writing access lists leaves of \p acls: what the object
    /// has after SetAcls() of them, and what GetAcls() gives when it has them. Nothing: the version
    /// cannot say them of such an object.
    [[nodiscard]] virtual std::optional<PosixAclPair> MapAcls(const PosixAclPair& acls,
                                                              bool isDirectory) const;

    // Locks, of processes that have none on the range yet.

    /// Which locks this host keeps to itself: those of flock(), those of fcntl(), both or none.
    enum LocalLock
    {
        LOCAL_NONE,
        LOCAL_FLOCK,
        LOCAL_POSIX,
        LOCAL_ALL
    };

    /// \param wait until it can be had; otherwise it is not granted when another one is in the way
    void LockFile(const OpenFilePtr& file,
                  const FileLock& lock,
                  bool wait,
                  Done<FileLockReply> done);
    void UnlockFile(const OpenFilePtr& file, const FileLock& lock, Done<FileReply> done);
    /// Asks whether a lock could be had.
    void TestFileLock(const OpenFilePtr& file, const FileLock& lock, Done<FileLockReply> done);

    /// Where locks are kept that are not local, by NFSv2 and v3. Default: nowhere, all are local.
    void SetLockService(Ptr<FileLockService> service)
    {
        m_lockService = service;
    }

    /// \return the locks that processes of this host have through this mount.
    [[nodiscard]] const LocalFileLocks& GetLocalLocks() const
    {
        return m_locks;
    }

    /// \return calls to the server of locks that have not ended, those that wait included.
    [[nodiscard]] uint32_t GetPendingLocks() const
    {
        return m_pendingLocks;
    }

    /// \return operations started and not ended.
    [[nodiscard]] uint32_t GetPending() const
    {
        return m_pending;
    }

    /// \return octets that one Read() or Write() may move at most (rsize, wsize); once mounted.
    [[nodiscard]] virtual uint32_t GetTransferSize() const
    {
        return m_transferSize;
    }

  protected:
    void DoDispose() override;

    // Locks at the server; the base's are those of the lock service.

    /// \return whether the server is to know of \p lock.
    [[nodiscard]] virtual bool IsLockShared(const FileLock& lock) const;

    /// \return \p lock as the table of this host has it.
    [[nodiscard]] virtual FileLock MakeLocalLock(const FileLock& lock) const
    {
        return lock;
    }

    virtual void DoLock(const OpenFilePtr& file,
                        const FileLock& lock,
                        bool wait,
                        Done<FileLockReply> done)
    {
        m_lockService->Lock(file->GetObject(), lock, wait, std::move(done));
    }

    virtual void DoUnlock(const OpenFilePtr& file, const FileLock& lock, Done<FileLockReply> done)
    {
        m_lockService->Unlock(file->GetObject(), lock, std::move(done));
    }

    virtual void DoTestLock(const OpenFilePtr& file, const FileLock& lock, Done<FileLockReply> done)
    {
        m_lockService->Test(file->GetObject(), lock, std::move(done));
    }

  private:
    virtual void Start(FileRequest&& request) = 0;

    virtual void DoCrash()
    {
    }

    virtual void DoBoot()
    {
    }

    /// \return \p done, counted as pending until it is called.
    [[nodiscard]] Done<FileLockReply> TrackLock(Done<FileLockReply> done);

    uint32_t m_transferSize{0};
    LocalLock m_localLock{LOCAL_ALL};
    LocalFileLocks m_locks;
    Ptr<FileLockService> m_lockService;
    uint64_t m_crashes{0};
    uint32_t m_pendingLocks{0};
    uint32_t m_pending{0};
    FileCacheSettings m_cacheSettings;
    std::unique_ptr<CachedRequests> m_caches; ///< Null until EnableCaches().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_FILE_CLIENT_H
