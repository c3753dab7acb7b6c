/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_H
#define NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_H

#include "nfs/types/file-client.h"
#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/lock-calls.h"
#include "nfs/v4/client/mount-walk.h"
#include "nfs/v4/client/open-files.h"
#include "nfs/v4/client/operation-runner.h"
#include "nfs/v4/client/range-calls.h"
#include "nfs/v4/client/xattr-calls.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief FileClient of NFSv4.0, 4.1 and 4.2: each operation is the COMPOUND that Linux 6.1 sends
 * for it, with the attributes that it asks for.
 *
 *     Mount            a lease (Nfs4CompoundClient::Start), then Nfs4MountWalk
 *     Open, Close      see Nfs4OpenFiles
 *     Read, Write      with the stateid of the delegation, the lock or the open, in this order
 *     Remove, Rename, Link, SetAttributes, SetAcls
 *                      after the return of a delegation of the object, if one is held
 *     Unmount          after DELEGRETURN of all: DESTROY_SESSION, DESTROY_CLIENTID (4.1 on)
 *
 * With DataOperations a Read or Write is divided among several READs or WRITEs of one COMPOUND,
 * each of whole pages but the last, and each with a chunk of its own as far as the transport has
 * chunks (RFC 8267 section 6.4), which Linux does not do. When one of them fails, all have failed.
 *
 * Statuses are those of NFSv4 (Nfs4Status). What no other version has is with GetLocks(),
 * GetRanges() and GetXattrs().
 *
 * Attributes: OffloadStatusDelay, DataOperations.
 */
class Nfs4FileClient : public FileClient
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    static TypeId GetTypeId();

    void SetClient(Ptr<Nfs4CompoundClient> client);

    [[nodiscard]] Ptr<Nfs4CompoundClient> GetClient() const
    {
        return m_runner.GetClient();
    }

    /// See Nfs4MountWalk.
    void SetExport(const std::string& path)
    {
        m_walk.SetExport(path);
    }

    /// \return what is mounted; once Mount() has ended.
    [[nodiscard]] const FileRef& GetRoot() const
    {
        return m_walk.GetRoot();
    }

    void Mount(Done<FileReply> done) override;
    void Unmount(Done<FileReply> done) override;

    [[nodiscard]] bool KeepsOpenState() const override
    {
        return true;
    }

    [[nodiscard]] bool IsDelegated(const FileRef& object) const override;
    /// As MakePosixAcls(MakeNfs4Acl(acls)).
    [[nodiscard]] std::optional<PosixAclPair> MapAcls(const PosixAclPair& acls,
                                                      bool isDirectory) const override;
    /// The attribute TransferSize, but not more than the server takes.
    [[nodiscard]] uint32_t GetTransferSize() const override;

    /// \return octets of data that READs and READ_PLUSs have brought.
    [[nodiscard]] uint64_t GetBytesRead() const
    {
        return m_bytesRead + m_ranges.GetBytesRead();
    }

    /// \return octets of data that WRITEs have taken.
    [[nodiscard]] uint64_t GetBytesWritten() const
    {
        return m_bytesWritten;
    }

    [[nodiscard]] Nfs4LockCalls& GetLocks()
    {
        return m_locks;
    }

    /// Of minor version 2.
    [[nodiscard]] Nfs4RangeCalls& GetRanges()
    {
        return m_ranges;
    }

    /// Of minor version 2.
    [[nodiscard]] Nfs4XattrCalls& GetXattrs()
    {
        return m_xattrs;
    }

  private:
    void DoDispose() override;
    void Start(FileRequest&& request) override;
    void DoCrash() override;
    void DoBoot() override;
    /// Looks for what is mounted; again when the host has crashed meanwhile.
    void Walk(Done<FileReply> done);

    [[nodiscard]] bool IsLockShared(const FileLock& /* lock */) const override
    {
        return true;
    }

    /// \return an exclusive one: processes of this host share the lock owner of an open.
    [[nodiscard]] FileLock MakeLocalLock(const FileLock& lock) const override;

    void DoLock(const std::shared_ptr<OpenFile>& file,
                const FileLock& lock,
                bool wait,
                Done<FileLockReply> done) override
    {
        m_locks.LockFile(file, lock, wait, std::move(done));
    }

    void DoUnlock(const std::shared_ptr<OpenFile>& file,
                  const FileLock& lock,
                  Done<FileLockReply> done) override
    {
        m_locks.UnlockFile(file, lock, std::move(done));
    }

    void DoTestLock(const std::shared_ptr<OpenFile>& file,
                    const FileLock& lock,
                    Done<FileLockReply> done) override
    {
        m_locks.TestFile(file, lock, std::move(done));
    }

    void SetOffloadStatusDelay(Time delay)
    {
        m_ranges.SetOffloadStatusDelay(delay);
    }

    [[nodiscard]] Time GetOffloadStatusDelay() const
    {
        return m_ranges.GetOffloadStatusDelay();
    }

    Nfs4OperationRunner m_runner{*this};
    Nfs4MountWalk m_walk{m_runner};
    Nfs4LockCalls m_locks{m_runner};
    Nfs4OpenFiles m_opens{m_runner, m_locks};
    Nfs4RangeCalls m_ranges{m_runner};
    Nfs4XattrCalls m_xattrs{m_runner};
    uint32_t m_dataOperations{1};
    uint64_t m_bytesRead{0}; ///< By READ.
    uint64_t m_bytesWritten{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_H
