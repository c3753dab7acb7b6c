/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_H
#define NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_H

#include "nfs/types/file-client.h"
#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/range-calls.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A file that an Nfs4FileClient has opened.
class Nfs4OpenFile : public OpenFile
{
  public:
    /// \param open what is open of the file
    /// \param access OPEN4_SHARE_ACCESS_* it was opened for
    /// \param direct see FileOpenHow
    Nfs4OpenFile(Nfs4HeldState::OpenPtr open, uint32_t access, bool direct);

    [[nodiscard]] const FileRef& GetObject() const override;
    [[nodiscard]] const Nfs4HeldState::OpenPtr& GetOpen() const;
    [[nodiscard]] uint32_t GetAccess() const;
    [[nodiscard]] bool IsDirect() const;

  private:
    FileRef m_object;
    Nfs4HeldState::OpenPtr m_open;
    uint32_t m_access;
    bool m_direct;
};

/**
 * \brief FileClient of NFSv4.0, 4.1 and 4.2: each operation is the COMPOUND that Linux 6.1 sends
 * for it, with the attributes that it asks for.
 *
 *     Mount            a lease (Nfs4CompoundClient::Start), then the root: SECINFO_NO_NAME (4.1
 * on), its handle, what the server can do, and each name of the export's path Open OPEN, GETFH,
 * ACCESS, GETATTR; none when a delegation covers it Close            CLOSE, with GETATTR unless a
 * delegation is held; none while others have the file open, OPEN_DOWNGRADE when they need less; the
 * last one gives the stateid of its locks up Read, Write      with the stateid of the delegation,
 * the lock or the open, in this order Remove, Rename, Link, SetAttributes, SetAcls after the return
 * of a delegation of the object, if one is held Unmount          after DELEGRETURN of all:
 * DESTROY_SESSION, DESTROY_CLIENTID (4.1 on)
 *
 * Statuses are those of NFSv4 (Nfs4Status). The methods below FileClient's are NFSv4's own.
 *
 * Copy() of more than two transfers is asynchronous, as with Linux: it ends with CB_OFFLOAD, after
 * a COMMIT when that is needed, and begins anew when the verifier has changed or the server has
 * lost it. When CB_OFFLOAD does not come, OFFLOAD_STATUS asks after OffloadStatusDelay, again and
 * again.
 *
 * A process that waits for a lock asks again after 1 s, 2 s, ... 30 s with NFSv4.0; later, after 30
 * s or CB_NOTIFY_LOCK (nfs4_retry_setlk() of fs/nfs/nfs4proc.c).
 *
 * Attribute: OffloadStatusDelay.
 */
class Nfs4FileClient : public FileClient, public Nfs4RangeCalls
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    static TypeId GetTypeId();
    Nfs4FileClient();
    ~Nfs4FileClient() override;

    void SetClient(Ptr<Nfs4CompoundClient> client);
    [[nodiscard]] Ptr<Nfs4CompoundClient> GetClient() const;
    /// The names from the server's root to what is mounted, "/" between them. Default: the root.
    void SetExport(const std::string& path);
    /// \return what is mounted; once Mount() has ended.
    [[nodiscard]] const FileRef& GetRoot() const;

    void Mount(Done<FileReply> done) override;
    void Unmount(Done<FileReply> done) override;
    void GetAttributes(const FileRef& object, Done<FileAttributesReply> done) override;
    void SetAttributes(const FileRef& object,
                       const std::shared_ptr<OpenFile>& file,
                       const Sattr3& changes,
                       Done<FileReply> done) override;
    void Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done) override;
    void Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done) override;
    void ReadLink(const FileRef& symlink, Done<FileLinkReply> done) override;
    void Open(const FileRef& dir,
              const std::string& name,
              const FileOpenHow& how,
              Done<FileOpenReply> done) override;
    void Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done) override;
    void Read(const std::shared_ptr<OpenFile>& file,
              uint64_t offset,
              uint32_t count,
              uint64_t address,
              Done<FileReadReply> done) override;
    void Write(const std::shared_ptr<OpenFile>& file,
               uint64_t offset,
               uint32_t count,
               uint64_t address,
               StableHow stable,
               Done<FileWriteReply> done) override;
    void Commit(const std::shared_ptr<OpenFile>& file,
                uint64_t offset,
                uint32_t count,
                Done<FileCommitReply> done) override;
    void MakeDirectory(const FileRef& dir,
                       const std::string& name,
                       const Sattr3& attributes,
                       Done<FileObjectReply> done) override;
    void MakeSymlink(const FileRef& dir,
                     const std::string& name,
                     ByteSpan target,
                     const Sattr3& attributes,
                     Done<FileObjectReply> done) override;
    void MakeNode(const FileRef& dir,
                  const std::string& name,
                  Ftype3 type,
                  SpecData3 device,
                  const Sattr3& attributes,
                  Done<FileObjectReply> done) override;
    void Remove(const FileRef& dir, const std::string& name, Done<FileReply> done) override;
    void RemoveDirectory(const FileRef& dir,
                         const std::string& name,
                         Done<FileReply> done) override;
    void Rename(const FileRef& fromDir,
                const std::string& fromName,
                const FileRef& toDir,
                const std::string& toName,
                Done<FileReply> done) override;
    void Link(const FileRef& file,
              const FileRef& dir,
              const std::string& name,
              Done<FileReply> done) override;
    void List(const FileRef& dir,
              uint64_t cookie,
              uint64_t verifier,
              uint32_t count,
              bool plus,
              Done<FileListReply> done) override;
    void GetAcls(const FileRef& object, Done<FileAclReply> done) override;
    void SetAcls(const FileRef& object,
                 const PosixAcl& access,
                 const PosixAcl& defaultAcl,
                 Done<FileReply> done) override;
    void GetFileSystem(const FileRef& object, Done<FileSystemReply> done) override;
    [[nodiscard]] bool KeepsOpenState() const override;
    /// As MakePosixAcls(MakeNfs4Acl(acls)).
    [[nodiscard]] std::optional<PosixAclPair> MapAcls(const PosixAclPair& acls,
                                                      bool isDirectory) const override;
    [[nodiscard]] uint32_t GetPending() const override;
    /// The attribute TransferSize, but not more than the server takes.
    [[nodiscard]] uint32_t GetTransferSize() const override;

    /// \return octets of data that READs and READ_PLUSs have brought.
    [[nodiscard]] uint64_t GetBytesRead() const;
    /// \return octets of data that WRITEs have taken.
    [[nodiscard]] uint64_t GetBytesWritten() const;

    /// Opens an object whose handle is known, by CLAIM_FH. \pre NFSv4.1 or later
    void OpenObject(const FileRef& object, const FileOpenHow& how, Done<FileOpenReply> done);
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

    // NFSv4.2.

    using SeekReply = FileSeekReply;
    using CopyReply = FileCopyReply;

    struct XattrReply : FileReply
    {
        ByteVector value;
    };

    struct XattrListReply : FileReply
    {
        std::vector<std::string> names;
        uint64_t cookie{0}; ///< For the next call.
        bool eof{false};
    };

    void Allocate(const std::shared_ptr<OpenFile>& file,
                  uint64_t offset,
                  uint64_t length,
                  Done<FileReply> done) override;
    void Deallocate(const std::shared_ptr<OpenFile>& file,
                    uint64_t offset,
                    uint64_t length,
                    Done<FileReply> done) override;
    void Seek(const std::shared_ptr<OpenFile>& file,
              uint64_t offset,
              DataContent4 what,
              Done<SeekReply> done) override;
    void ReadPlus(const std::shared_ptr<OpenFile>& file,
                  uint64_t offset,
                  uint32_t count,
                  uint64_t address,
                  Done<FileReadReply> done) override;
    void Copy(const std::shared_ptr<OpenFile>& from,
              uint64_t fromOffset,
              const std::shared_ptr<OpenFile>& to,
              uint64_t toOffset,
              uint64_t count,
              Done<CopyReply> done) override;
    void Clone(const std::shared_ptr<OpenFile>& from,
               uint64_t fromOffset,
               const std::shared_ptr<OpenFile>& to,
               uint64_t toOffset,
               uint64_t count,
               Done<FileReply> done) override;
    void GetXattr(const FileRef& object, const std::string& name, Done<XattrReply> done);
    void SetXattr(const FileRef& object,
                  const std::string& name,
                  ByteSpan value,
                  Done<FileReply> done);
    void ListXattrs(const FileRef& object,
                    uint64_t cookie,
                    uint32_t count,
                    Done<XattrListReply> done);
    void RemoveXattr(const FileRef& object, const std::string& name, Done<FileReply> done);

  private:
    using Builder = std::function<void(Compound4Args& compound)>;

    void DoDispose() override;

    // mounted-files-copy.cc
    struct CopyState;
    using CopyPtr = std::shared_ptr<CopyState>;
    void SendCopy(const CopyPtr& copy);
    void TakeCopy(const CopyPtr& copy, const Nfs4TaskReply& result);
    void AwaitOffload(const CopyPtr& copy);
    void SchedulePoll(const CopyPtr& copy);
    void PollOffload(const CopyPtr& copy);
    void CancelOffload(const CopyPtr& copy);
    /// \param commit what has been copied is to be committed first
    void EndCopy(const CopyPtr& copy, bool commit);

    // mounted-files-locks.cc
    struct LockWait;
    using LockWaitPtr = std::shared_ptr<LockWait>;
    void TryLock(const LockWaitPtr& wait);
    void TakeLock(const LockWaitPtr& wait, const FileReply& reply);
    /// CB_NOTIFY_LOCK.
    void WakeLockWaits(const CbNotifyLockArgs4& notice);
    [[nodiscard]] bool IsLockShared(const FileLock& lock) const override;
    /// \return an exclusive one: processes of this host share the lock owner of an open.
    [[nodiscard]] FileLock MakeLocalLock(const FileLock& lock) const override;
    void DoLock(const std::shared_ptr<OpenFile>& file,
                const FileLock& lock,
                bool wait,
                Done<FileLockReply> done) override;
    void DoUnlock(const std::shared_ptr<OpenFile>& file,
                  const FileLock& lock,
                  Done<FileLockReply> done) override;
    void DoTestLock(const std::shared_ptr<OpenFile>& file,
                    const FileLock& lock,
                    Done<FileLockReply> done) override;
    /// NFSv4.0: calls of a lock owner, of which a file has one, go one after the other. \param
    /// start makes the call; its completion is to call what it is given
    void InTurn(const std::shared_ptr<OpenFile>& file,
                const std::function<void(std::function<void()> ended)>& start);

    /// Counts an operation as started. \return a completion that counts it as ended.
    template <typename Reply>
    Done<Reply> Track(Done<Reply> done);
    /// Ends an operation that takes no RPC.
    template <typename Reply>
    void EndSoon(const Reply& reply, Done<Reply> done);
    /// Submits a COMPOUND; \p take makes the operation's reply of a good result.
    template <typename Reply>
    void Run(const Nfs4TaskPtr& task,
             std::function<void(const Nfs4TaskReply& result, Reply& reply)> take,
             Done<Reply> done);
    /// A task of \p build; \param cacheThis it must not be carried out twice
    [[nodiscard]] static Nfs4TaskPtr MakeTask(Builder build, bool cacheThis);
    /// The end of an operation whose result is its status.
    static void TakeNothing(const Nfs4TaskReply& result, FileReply& reply);
    static void TakeObject(const Nfs4TaskReply& result, FileObjectReply& reply);

    // mounted-files-mount.cc
    struct MountState;
    void MountNext(const std::shared_ptr<MountState>& mount);
    void AddCapabilities(MountState& mount);
    void AddFsInfo(MountState& mount);
    void AddProbes(MountState& mount);
    void EndMount(const std::shared_ptr<MountState>& mount, const FileReply& reply);

    // mounted-files-open.cc
    struct OpenState;
    void StartOpen(const std::shared_ptr<OpenState>& state,
                   const Nfs4HeldState::DelegationPtr& delegation);
    void SendOpen(const std::shared_ptr<OpenState>& state);
    [[nodiscard]] CreateHow4 MakeCreateHow(const FileOpenHow& how) const;
    void FinishOpen(const std::shared_ptr<OpenState>& state, const Nfs4TaskReply& result);
    void EndOpen(const std::shared_ptr<OpenState>& state, FileOpenReply reply);
    /// Gives up its locks, and closes it.
    void CloseUnlocked(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done);
    void SendClose(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done);
    void SendDowngrade(const std::shared_ptr<Nfs4OpenFile>& file, Done<FileReply> done);
    void GiveUpLocks(const Nfs4HeldState::OpenPtr& open);

    /// Goes on when no delegation is held of the file, or of the one of that name.
    void WithoutDelegation(const Nfs4Fh& file, std::function<void()> next);
    void WithoutDelegation(const Nfs4Name& name, std::function<void()> next);
    void Create(const FileRef& dir,
                const CreateArgs4& args,
                std::vector<RpcDataItem> items,
                Done<FileObjectReply> done);
    void RemoveName(const FileRef& dir, const std::string& name, Done<FileReply> done);

    Ptr<Nfs4CompoundClient> m_client;
    std::map<ByteVector, std::shared_ptr<Nfs4SeqidOwner>> m_lockQueues; ///< By file handle.
    std::vector<std::string> m_export;
    FileRef m_root;
    Nfs4Bitmap m_supported; ///< Attributes of the server.
    Nfs4Bitmap m_exclusive; ///< Attributes that an exclusive create may set.
    Time m_offloadStatusDelay;
    uint64_t m_bytesRead{0};
    uint64_t m_bytesWritten{0};
    std::vector<LockWaitPtr> m_lockWaits;
    uint32_t m_maxTransfer{0}; ///< Octets: the server's; 0: unknown.
    uint32_t m_pending{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_MOUNTED_FILES_H
