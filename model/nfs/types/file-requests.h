/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_FILE_REQUESTS_H
#define NFSRDMA_NFS_TYPES_FILE_REQUESTS_H

#include "nfs/types/posix-acl.h"
#include "nfs/v3/fattr.h"
#include "nfs/v3/types3.h"
#include "rpc/record.h"
#include "wire/bytes.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

/// An object of a server as a client of any version names it: the octets of its file handle.
struct FileRef
{
    ByteVector octets;
};

/// A regular file that a client has opened; what a version needs to know of it is in a class of its
/// own. Goes back to the client that made it, with Close().
class OpenFile
{
  public:
    virtual ~OpenFile() = default;
    [[nodiscard]] virtual const FileRef& GetObject() const = 0;
};

using OpenFilePtr = std::shared_ptr<OpenFile>;

/// What a reply says of the attributes of an object, whether that was asked for or not.
struct FileNews
{
    FileRef object;
    /// Counts up with each change of the object: its change attribute (NFSv4) or its change time.
    /// Nothing: the operation has changed it, and it is not told how.
    std::optional<uint64_t> change;
    /// The same right before the operation: pre_op_attr, change_info4.
    std::optional<uint64_t> before;
    bool own{false};                  ///< The operation has changed it.
    std::optional<Fattr3> attributes; ///< When they are told.
    bool whole{true};                 ///< All of them; else size, mtime and ctime alone.
    bool isDirectory{false};          ///< It is one, whether there are attributes or not.
};

/// How an operation of a FileClient ended.
struct FileReply
{
    RpcOutcome outcome{RpcOutcome::SUCCESS}; ///< Of the last RPC that it took.
    uint32_t status{0};                      ///< nfsstat of the version; 0: OK.
    /// The call went out more than once: the server may have carried it out before, and forgotten
    /// that it had; an error is then no proof that nothing was changed.
    bool repeated{false};
    bool cached{false};         ///< Some of it the client's caches have answered.
    std::vector<FileNews> news; ///< Also of an operation that failed.

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
        uint64_t change{0};               ///< As of FileNews, with attributes.
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

/// A name in a directory.
struct FileName
{
    FileRef dir;
    std::string name;
};

/// The operations of a FileClient that concern files.
enum class FileOperation : uint8_t
{
    GETATTR,
    SETATTR,
    LOOKUP,
    ACCESS,
    READLINK,
    OPEN,
    CLOSE,
    READ,
    WRITE,
    COMMIT,
    MKDIR,
    SYMLINK,
    REMOVE,
    RMDIR,
    RENAME,
    LINK,
    LIST,
    GETACL,
    SETACL,
    FSSTAT,
    READ_PLUS,
    SEEK,
    ALLOCATE,
    DEALLOCATE,
    COPY,
    CLONE
};

// A request of each operation: what it begins with is what it is about. Reply: how it ends. Offsets
// and counts are octets; data are in host memory at the address given, which the caller keeps until
// the completion.

struct FileGetAttributes
{
    static constexpr auto OPERATION = FileOperation::GETATTR;
    using Reply = FileAttributesReply;

    FileRef object;
};

struct FileSetAttributes
{
    static constexpr auto OPERATION = FileOperation::SETATTR;
    using Reply = FileReply;

    FileRef object;
    OpenFilePtr file; ///< The object as opened for writing when its size is set; may be null.
    Sattr3 changes;
};

struct FileLookup
{
    static constexpr auto OPERATION = FileOperation::LOOKUP;
    using Reply = FileObjectReply;

    FileName where;
};

struct FileAccess
{
    static constexpr auto OPERATION = FileOperation::ACCESS;
    using Reply = FileAccessReply;

    FileRef object;
    uint32_t wanted{0}; ///< ACCESS3_* bits.
};

struct FileReadLink
{
    static constexpr auto OPERATION = FileOperation::READLINK;
    using Reply = FileLinkReply;

    FileRef symlink;
};

struct FileOpen
{
    static constexpr auto OPERATION = FileOperation::OPEN;
    using Reply = FileOpenReply;

    FileName where;
    FileOpenHow how;
};

struct FileClose
{
    static constexpr auto OPERATION = FileOperation::CLOSE;
    using Reply = FileReply;

    OpenFilePtr file;
};

struct FileRead
{
    static constexpr auto OPERATION = FileOperation::READ;
    using Reply = FileReadReply;

    OpenFilePtr file;
    uint64_t offset{0};
    uint32_t count{0};
    uint64_t address{0};
};

struct FileWrite
{
    static constexpr auto OPERATION = FileOperation::WRITE;
    using Reply = FileWriteReply;

    OpenFilePtr file;
    uint64_t offset{0};
    uint32_t count{0};
    StableHow stable{StableHow::UNSTABLE};
    uint64_t address{0};
};

struct FileCommit
{
    static constexpr auto OPERATION = FileOperation::COMMIT;
    using Reply = FileCommitReply;

    OpenFilePtr file;
    uint64_t offset{0};
    uint32_t count{0}; ///< 0: to the end of the file.
};

struct FileMakeDirectory
{
    static constexpr auto OPERATION = FileOperation::MKDIR;
    using Reply = FileObjectReply;

    FileName where;
    Sattr3 attributes;
};

struct FileMakeSymlink
{
    static constexpr auto OPERATION = FileOperation::SYMLINK;
    using Reply = FileObjectReply;

    FileName where;
    ByteVector target;
    Sattr3 attributes;
};

struct FileMakeNode
{
    using Reply = FileObjectReply;

    FileName where;
    Ftype3 type{Ftype3::FIFO};
    SpecData3 device;
    Sattr3 attributes;
};

struct FileRemove
{
    static constexpr auto OPERATION = FileOperation::REMOVE;
    using Reply = FileReply;

    FileName where;
};

struct FileRemoveDirectory
{
    static constexpr auto OPERATION = FileOperation::RMDIR;
    using Reply = FileReply;

    FileName where;
};

struct FileRename
{
    static constexpr auto OPERATION = FileOperation::RENAME;
    using Reply = FileReply;

    FileName from;
    FileName to;
};

struct FileMakeLink
{
    static constexpr auto OPERATION = FileOperation::LINK;
    using Reply = FileReply;

    FileName where; ///< The new name.
    FileRef file;
};

struct FileList
{
    static constexpr auto OPERATION = FileOperation::LIST;
    using Reply = FileListReply;

    FileRef dir;
    uint64_t cookie{0};   ///< 0, or that of the entry to go on from.
    uint64_t verifier{0}; ///< 0, or that of the reply to go on from.
    uint32_t count{0};    ///< Octets of entries at most.
    bool plus{false};     ///< Ask for each entry's handle and attributes.
};

struct FileGetAcls
{
    static constexpr auto OPERATION = FileOperation::GETACL;
    using Reply = FileAclReply;

    FileRef object;
};

struct FileSetAcls
{
    static constexpr auto OPERATION = FileOperation::SETACL;
    using Reply = FileReply;

    FileRef object;
    /// An empty access list: the object's mode is to say it all (before NFSv4, where it must not
    /// be).
    PosixAclPair acls;
};

struct FileGetFileSystem
{
    static constexpr auto OPERATION = FileOperation::FSSTAT;
    using Reply = FileSystemReply;

    FileRef object;
};

/// A request on its way, with its completion.
template <typename Request>
struct FileCall : Request
{
    std::function<void(const typename Request::Reply& reply)> done;
};

using FileRequest = std::variant<FileCall<FileGetAttributes>,
                                 FileCall<FileSetAttributes>,
                                 FileCall<FileLookup>,
                                 FileCall<FileAccess>,
                                 FileCall<FileReadLink>,
                                 FileCall<FileOpen>,
                                 FileCall<FileClose>,
                                 FileCall<FileRead>,
                                 FileCall<FileWrite>,
                                 FileCall<FileCommit>,
                                 FileCall<FileMakeDirectory>,
                                 FileCall<FileMakeSymlink>,
                                 FileCall<FileMakeNode>,
                                 FileCall<FileRemove>,
                                 FileCall<FileRemoveDirectory>,
                                 FileCall<FileRename>,
                                 FileCall<FileMakeLink>,
                                 FileCall<FileList>,
                                 FileCall<FileGetAcls>,
                                 FileCall<FileSetAcls>,
                                 FileCall<FileGetFileSystem>>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_FILE_REQUESTS_H
