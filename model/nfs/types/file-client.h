/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_FILE_CLIENT_H
#define NFSRDMA_NFS_TYPES_FILE_CLIENT_H

#include "nfs/types/local-file-locks.h"
#include "nfs/types/posix-acl.h"
#include "nfs/v3/fattr.h"
#include "nfs/v3/types3.h"
#include "rpc/record.h"
#include "wire/bytes.h"

#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// An object of a server as a client of any version names it: the octets of its file handle.
struct FileRef
{
    ByteVector octets;
};

inline bool
operator==(const FileRef& a, const FileRef& b)
{
    return a.octets == b.octets;
}

inline bool
operator<(const FileRef& a, const FileRef& b)
{
    return a.octets < b.octets;
}

/// A regular file that a client has opened; what a version needs to know of it is in a class of its
/// own. Goes back to the client that made it, with Close().
class OpenFile
{
  public:
    virtual ~OpenFile() = default;
    [[nodiscard]] virtual const FileRef& GetObject() const = 0;
};

/// How an operation of a FileClient ended.
struct FileReply
{
    RpcOutcome outcome{RpcOutcome::SUCCESS}; ///< Of the last RPC that it took.
    uint32_t status{0};                      ///< nfsstat of the version; 0: OK.
    /// The call went out more than once: the server may have carried it out before, and forgotten
    /// that it had; an error is then no proof that nothing was changed.
    bool repeated{false};

    [[nodiscard]] bool IsOk() const
    {
        return outcome == RpcOutcome::SUCCESS && status == 0;
    }
};

/// Replies below: the fields mean something only when IsOk().
struct FileObjectReply : FileReply
{
    FileRef object;
    std::optional<Fattr3> attributes;
};

struct FileAttributesReply : FileReply
{
    Fattr3 attributes;
};

struct FileOpenReply : FileObjectReply
{
    std::shared_ptr<OpenFile> file;
};

struct FileReadReply : FileReply
{
    uint32_t count{0}; ///< Octets at the address given.
    bool eof{false};
};

struct FileWriteReply : FileReply
{
    uint32_t count{0};
    StableHow committed{StableHow::UNSTABLE};
    uint64_t verifier{0}; ///< Another one: the server has restarted, unstable data may be lost.
};

struct FileCommitReply : FileReply
{
    uint64_t verifier{0};
};

struct FileLinkReply : FileReply
{
    ByteVector target;
};

struct FileAccessReply : FileReply
{
    uint32_t access{0}; ///< ACCESS3_* bits.
};

struct FileListReply : FileReply
{
    struct Entry
    {
        std::string name;
        uint64_t cookie{0};
        uint64_t fileid{0};
        std::optional<FileRef> object;    ///< When asked for and given.
        std::optional<Fattr3> attributes; ///< When asked for and given.
    };

    std::vector<Entry> entries;
    uint64_t verifier{0}; ///< For the next call.
    bool eof{false};
};

struct FileAclReply : FileReply
{
    PosixAcl access; ///< Minimal when the object has none.
    PosixAcl defaultAcl;
};

struct FileSystemReply : FileReply
{
    uint64_t totalBytes{0};
    uint64_t freeBytes{0};
    uint64_t totalFiles{0};
    uint64_t freeFiles{0};
};

struct FileLockReply : FileReply
{
    bool granted{false}; ///< The lock is set, or could be; otherwise another one is in the way.
};

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

/// What an open is for.
struct FileOpenHow
{
    bool read{true};
    bool write{false};
    bool create{false};
    CreateMode3 mode{CreateMode3::UNCHECKED}; ///< create.
    Sattr3 attributes;                        ///< create.
    uint64_t verifier{0};                     ///< create, EXCLUSIVE.
    bool direct{false}; ///< O_DIRECT: the application wants nothing of the file kept at the client.
};

/**
 * \brief What an application does with the files of one server, whatever the NFS version that
 * carries it. Implemented for NFSv2, v3 and v4.
 *
 * Each method starts an operation and ends it with its completion: once, later, never from within.
 * An operation is one RPC, or as many as the version needs (an OPEN that must be confirmed), or
 * none (CLOSE before NFSv4). Offsets and counts are octets; data are in host memory at the address
 * given, which the caller keeps until the completion.
 *
 * Locks are those of processes of this host. A lock that another process of it has is waited for
 * here; then it is asked for at the server, unless LocalLock says that this host alone is to know.
 *
 * Attributes: TransferSize (octets), LocalLock.
 */
class FileClient : public Object
{
  public:
    static TypeId GetTypeId();
    FileClient();
    ~FileClient() override;

    template <typename Reply>
    using Done = std::function<void(const Reply& reply)>;

    /// Makes the client fit for use: what comes after the transport is connected and before the
    /// first operation (nothing, or a session).
    virtual void Mount(Done<FileReply> done) = 0;
    /// Gives back what the server keeps for this client; no operation may follow.
    virtual void Unmount(Done<FileReply> done) = 0;

    virtual void GetAttributes(const FileRef& object, Done<FileAttributesReply> done) = 0;
    /// \param file the object as opened for writing when its size is set; may be null
    virtual void SetAttributes(const FileRef& object,
                               const std::shared_ptr<OpenFile>& file,
                               const Sattr3& changes,
                               Done<FileReply> done) = 0;
    virtual void Lookup(const FileRef& dir,
                        const std::string& name,
                        Done<FileObjectReply> done) = 0;
    virtual void Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done) = 0;
    virtual void ReadLink(const FileRef& symlink, Done<FileLinkReply> done) = 0;
    virtual void Open(const FileRef& dir,
                      const std::string& name,
                      const FileOpenHow& how,
                      Done<FileOpenReply> done) = 0;
    virtual void Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done) = 0;
    virtual void Read(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      uint32_t count,
                      uint64_t address,
                      Done<FileReadReply> done) = 0;
    virtual void Write(const std::shared_ptr<OpenFile>& file,
                       uint64_t offset,
                       uint32_t count,
                       uint64_t address,
                       StableHow stable,
                       Done<FileWriteReply> done) = 0;
    virtual void Commit(const std::shared_ptr<OpenFile>& file,
                        uint64_t offset,
                        uint32_t count,
                        Done<FileCommitReply> done) = 0;
    virtual void MakeDirectory(const FileRef& dir,
                               const std::string& name,
                               const Sattr3& attributes,
                               Done<FileObjectReply> done) = 0;
    virtual void MakeSymlink(const FileRef& dir,
                             const std::string& name,
                             ByteSpan target,
                             const Sattr3& attributes,
                             Done<FileObjectReply> done) = 0;
    virtual void MakeNode(const FileRef& dir,
                          const std::string& name,
                          Ftype3 type,
                          SpecData3 device,
                          const Sattr3& attributes,
                          Done<FileObjectReply> done) = 0;
    virtual void Remove(const FileRef& dir, const std::string& name, Done<FileReply> done) = 0;
    virtual void RemoveDirectory(const FileRef& dir,
                                 const std::string& name,
                                 Done<FileReply> done) = 0;
    virtual void Rename(const FileRef& fromDir,
                        const std::string& fromName,
                        const FileRef& toDir,
                        const std::string& toName,
                        Done<FileReply> done) = 0;
    virtual void Link(const FileRef& file,
                      const FileRef& dir,
                      const std::string& name,
                      Done<FileReply> done) = 0;
    /// \param cookie and \param verifier 0, or those of the entry and reply to go on from
    /// \param plus ask for each entry's handle and attributes
    /// \param count octets of entries at most
    virtual void List(const FileRef& dir,
                      uint64_t cookie,
                      uint64_t verifier,
                      uint32_t count,
                      bool plus,
                      Done<FileListReply> done) = 0;
    virtual void GetAcls(const FileRef& object, Done<FileAclReply> done) = 0;
    /// \param access empty: the object's mode is to say it all (before NFSv4, where it must not be)
    virtual void SetAcls(const FileRef& object,
                         const PosixAcl& access,
                         const PosixAcl& defaultAcl,
                         Done<FileReply> done) = 0;
    virtual void GetFileSystem(const FileRef& object, Done<FileSystemReply> done) = 0;

    /// \return whether an open file is state at the server, which Close() gives back (NFSv4).
    [[nodiscard]] virtual bool KeepsOpenState() const;
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
    void LockFile(const std::shared_ptr<OpenFile>& file,
                  const FileLock& lock,
                  bool wait,
                  Done<FileLockReply> done);
    void UnlockFile(const std::shared_ptr<OpenFile>& file,
                    const FileLock& lock,
                    Done<FileReply> done);
    /// Asks whether a lock could be had.
    void TestFileLock(const std::shared_ptr<OpenFile>& file,
                      const FileLock& lock,
                      Done<FileLockReply> done);
    /// Where locks are kept that are not local, by NFSv2 and v3. Default: nowhere, all are local.
    void SetLockService(Ptr<FileLockService> service);
    /// \return the locks that processes of this host have through this mount.
    [[nodiscard]] const LocalFileLocks& GetLocalLocks() const;
    /// \return calls to the server of locks that have not ended, those that wait included.
    [[nodiscard]] uint32_t GetPendingLocks() const;

    /// \return operations started and not ended.
    [[nodiscard]] virtual uint32_t GetPending() const = 0;
    /// \return octets that one Read() or Write() may move at most (rsize, wsize); once mounted.
    [[nodiscard]] virtual uint32_t GetTransferSize() const;

  protected:
    void DoDispose() override;

    // Locks at the server; the base's are those of the lock service.

    /// \return whether the server is to know of \p lock.
    [[nodiscard]] virtual bool IsLockShared(const FileLock& lock) const;
    /// \return \p lock as the table of this host has it.
    [[nodiscard]] virtual FileLock MakeLocalLock(const FileLock& lock) const;
    virtual void DoLock(const std::shared_ptr<OpenFile>& file,
                        const FileLock& lock,
                        bool wait,
                        Done<FileLockReply> done);
    virtual void DoUnlock(const std::shared_ptr<OpenFile>& file,
                          const FileLock& lock,
                          Done<FileLockReply> done);
    virtual void DoTestLock(const std::shared_ptr<OpenFile>& file,
                            const FileLock& lock,
                            Done<FileLockReply> done);

  private:
    /// \return \p done, counted as pending until it is called.
    [[nodiscard]] Done<FileLockReply> TrackLock(Done<FileLockReply> done);

    uint32_t m_transferSize{0};
    LocalLock m_localLock{LOCAL_ALL};
    LocalFileLocks m_locks;
    Ptr<FileLockService> m_lockService;
    uint32_t m_pendingLocks{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_FILE_CLIENT_H
