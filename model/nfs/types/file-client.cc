/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/file-client.h"

#include "wire/ns3-version.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileLockService);
NS_OBJECT_ENSURE_REGISTERED(FileClient);

TypeId
FileLockService::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FileLockService").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

TypeId
FileClient::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::FileClient")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddAttribute("TransferSize",
                          "Most octets of one READ or WRITE, the mount options rsize and wsize "
                          "(octets). Default: 256 KiB, what Linux 6.1 agrees on over RDMA",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&FileClient::m_transferSize),
                          MakeUintegerChecker<uint32_t>(1024))
            .AddAttribute("LocalLock",
                          "NFSv2 and v3: locks that the server is not told of, the mount option "
                          "local_lock: none, flock, posix or all. Default: all, as with the mount "
                          "option nolock of the captures; Linux's is none",
                          EnumValue(LOCAL_ALL),
                          MakeEnumFieldAccessor(&FileClient::m_localLock),
                          MakeEnumChecker(LOCAL_NONE,
                                          "none",
                                          LOCAL_FLOCK,
                                          "flock",
                                          LOCAL_POSIX,
                                          "posix",
                                          LOCAL_ALL,
                                          "all")),
        FileCacheSettings::GetRows(),
        &FileClient::m_cacheSettings);
    return tid;
}

void
FileClient::DoDispose()
{
    m_lockService = nullptr;
    Object::DoDispose();
}

void
FileClient::EnableCaches()
{
    if (m_caches == nullptr)
    {
        m_caches = std::make_unique<CachedRequests>(*this, m_cacheSettings);
    }
}

void
FileClient::Mount(Done<FileReply> done)
{
    Simulator::ScheduleNow([tracked = Track<FileReply>(std::move(done))] { tracked({}); });
}

void
FileClient::Unmount(Done<FileReply> done)
{
    Simulator::ScheduleNow([tracked = Track<FileReply>(std::move(done))] { tracked({}); });
}

void
FileClient::Crash()
{
    ++m_crashes;
    if (m_caches != nullptr)
    {
        m_caches->Clear();
    }
    DoCrash();
    m_locks.ClearAll();
}

void
FileClient::Boot()
{
    DoBoot();
}

std::optional<PosixAclPair>
FileClient::MapAcls(const PosixAclPair& acls, bool isDirectory) const
{
    return isDirectory || acls.defaultAcl.empty() ? std::optional(acls) : std::nullopt;
}

bool
FileClient::IsLockShared(const FileLock& lock) const
{
    const auto kept = lock.flock ? LOCAL_FLOCK : LOCAL_POSIX;
    return m_lockService != nullptr && m_localLock != LOCAL_ALL && m_localLock != kept;
}

FileClient::Done<FileLockReply>
FileClient::TrackLock(Done<FileLockReply> done)
{
    ++m_pendingLocks;
    return [self = Ptr<FileClient>(this), done = std::move(done)](const FileLockReply& reply) {
        --self->m_pendingLocks;
        done(reply);
    };
}

void
FileClient::LockFile(const OpenFilePtr& file,
                     const FileLock& lock,
                     bool wait,
                     Done<FileLockReply> done)
{
    const FileLock local = MakeLocalLock(lock);
    const ByteVector& octets = file->GetObject().octets;
    if (!m_locks.IsFree(octets, local))
    {
        if (wait)
        {
            m_locks.Wait(octets,
                         local,
                         [self = Ptr<FileClient>(this), file, lock, done = std::move(done)] {
                             self->LockFile(file, lock, true, done);
                         });
            return;
        }
        Simulator::ScheduleNow([done = std::move(done)] { done(FileLockReply()); });
        return;
    }
    m_locks.Set(octets, local);
    if (!IsLockShared(lock))
    {
        Simulator::ScheduleNow([done = std::move(done)] {
            FileLockReply reply;
            reply.granted = true;
            done(reply);
        });
        return;
    }
    DoLock(file,
           lock,
           wait,
           TrackLock([self = Ptr<FileClient>(this), file, local, done = std::move(done)](
                         const FileLockReply& reply) {
               if (!reply.IsOk() || !reply.granted)
               {
                   self->m_locks.Clear(file->GetObject().octets, local);
               }
               done(reply);
           }));
}

void
FileClient::UnlockFile(const OpenFilePtr& file, const FileLock& lock, Done<FileReply> done)
{
    const auto clear = [self = Ptr<FileClient>(this),
                        file,
                        local = MakeLocalLock(lock),
                        done = std::move(done)](const FileLockReply& reply) {
        self->m_locks.Clear(file->GetObject().octets, local);
        done(reply);
    };
    if (IsLockShared(lock))
    {
        DoUnlock(file, lock, TrackLock(clear));
        return;
    }
    Simulator::ScheduleNow([clear] { clear(FileLockReply()); });
}

void
FileClient::TestFileLock(const OpenFilePtr& file, const FileLock& lock, Done<FileLockReply> done)
{
    const bool isFree = m_locks.IsFree(file->GetObject().octets, MakeLocalLock(lock));
    if (isFree && IsLockShared(lock))
    {
        DoTestLock(file, lock, TrackLock(std::move(done)));
        return;
    }
    Simulator::ScheduleNow([isFree, done = std::move(done)] {
        FileLockReply reply;
        reply.granted = isFree;
        done(reply);
    });
}

} // namespace ns3::nfsrdma
