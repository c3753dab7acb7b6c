/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_H
#define NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_H

#include "host/memory.h"
#include "nfs/types/file-client.h"
#include "nfs/v4/client/range-calls.h"
#include "workload/check/content-model.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

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

constexpr std::size_t FILE_OPERATIONS = 26;

/// \return "GETATTR", "OPEN", ...
[[nodiscard]] const char* ToString(FileOperation operation);

/**
 * \brief A FileClient whose effect on one export is followed and whose data are checked: the way of
 * VerifyingClient, for every NFS version.
 *
 * The octets of writes come from the ContentModel and are in host memory until the reply; what
 * reads, symbolic links and access lists give is compared with the model. Counts what is issued and
 * completed and knows what is outstanding. Operations as in FileClient.
 */
class VerifyingFileClient
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;
    /// Called for each operation that has completed, before its own completion.
    using CompletedHook =
        std::function<void(FileOperation operation, const FileReply& reply, Time started)>;

    /// \param client the operations go through it
    /// \param memory of the same host
    /// \param content of the export; several clients of one host may share it
    VerifyingFileClient(const Ptr<FileClient>& client,
                        const Ptr<HostMemory>& memory,
                        std::shared_ptr<ContentModel> content);
    ~VerifyingFileClient() = default;
    VerifyingFileClient(const VerifyingFileClient&) = delete;
    VerifyingFileClient& operator=(const VerifyingFileClient&) = delete;

    void SetCompletedHook(CompletedHook hook)
    {
        m_completed = std::move(hook);
    }

    [[nodiscard]] uint32_t GetTransferSize() const
    {
        return m_files->GetTransferSize();
    }

    [[nodiscard]] bool KeepsOpenState() const
    {
        return m_files->KeepsOpenState();
    }

    void GetAttributes(const FileRef& object, Done<FileAttributesReply> done);
    void SetAttributes(const FileRef& object,
                       const std::shared_ptr<OpenFile>& file,
                       const Sattr3& changes,
                       Done<FileReply> done);
    void Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done);
    void Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done);
    void ReadLink(const FileRef& symlink, Done<FileLinkReply> done);
    void Open(const FileRef& dir,
              const std::string& name,
              const FileOpenHow& how,
              Done<FileOpenReply> done);
    void Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done);
    /// Reads into memory of its own.
    void Read(const std::shared_ptr<OpenFile>& file,
              uint64_t offset,
              uint32_t count,
              Done<FileReadReply> done);
    /// Writes what the model says.
    void Write(const std::shared_ptr<OpenFile>& file,
               uint64_t offset,
               uint32_t count,
               StableHow stable,
               Done<FileWriteReply> done);
    void Commit(const std::shared_ptr<OpenFile>& file,
                uint64_t offset,
                uint32_t count,
                Done<FileCommitReply> done);
    void MakeDirectory(const FileRef& dir,
                       const std::string& name,
                       const Sattr3& attributes,
                       Done<FileObjectReply> done);
    void MakeSymlink(const FileRef& dir,
                     const std::string& name,
                     const std::string& target,
                     const Sattr3& attributes,
                     Done<FileObjectReply> done);
    void Remove(const FileRef& dir, const std::string& name, Done<FileReply> done);
    void RemoveDirectory(const FileRef& dir, const std::string& name, Done<FileReply> done);
    void Rename(const FileRef& fromDir,
                const std::string& fromName,
                const FileRef& toDir,
                const std::string& toName,
                Done<FileReply> done);
    void Link(const FileRef& file,
              const FileRef& dir,
              const std::string& name,
              Done<FileReply> done);
    void List(const FileRef& dir,
              uint64_t cookie,
              uint64_t verifier,
              uint32_t count,
              bool plus,
              Done<FileListReply> done);
    void GetAcls(const FileRef& object, Done<FileAclReply> done);
    void SetAcls(const FileRef& object,
                 const PosixAcl& access,
                 const PosixAcl& defaultAcl,
                 Done<FileReply> done);
    void GetFileSystem(const FileRef& object, Done<FileSystemReply> done);

    // Of NFSv4.2, when the client can do that (HasRangeCalls()); verifying-file-client-ranges.cc.

    [[nodiscard]] bool HasRangeCalls() const
    {
        return m_ranges != nullptr;
    }

    /// As Read().
    void ReadPlus(const std::shared_ptr<OpenFile>& file,
                  uint64_t offset,
                  uint32_t count,
                  Done<FileReadReply> done);
    void Seek(const std::shared_ptr<OpenFile>& file,
              uint64_t offset,
              DataContent4 what,
              Done<FileSeekReply> done);
    void Allocate(const std::shared_ptr<OpenFile>& file,
                  uint64_t offset,
                  uint64_t length,
                  Done<FileReply> done);
    void Deallocate(const std::shared_ptr<OpenFile>& file,
                    uint64_t offset,
                    uint64_t length,
                    Done<FileReply> done);
    void Copy(const std::shared_ptr<OpenFile>& from,
              uint64_t fromOffset,
              const std::shared_ptr<OpenFile>& to,
              uint64_t toOffset,
              uint64_t count,
              Done<FileCopyReply> done);
    void Clone(const std::shared_ptr<OpenFile>& from,
               uint64_t fromOffset,
               const std::shared_ptr<OpenFile>& to,
               uint64_t toOffset,
               uint64_t count,
               Done<FileReply> done);

    using Counters = std::array<uint64_t, FILE_OPERATIONS>;

    /// \return operations issued, by number.
    [[nodiscard]] const Counters& GetIssued() const
    {
        return m_issuedCounts;
    }

    [[nodiscard]] const Counters& GetCompleted() const
    {
        return m_completedCounts;
    }

    /// \return operations completed whose RPC did not succeed.
    [[nodiscard]] uint64_t GetFailed() const
    {
        return m_failed;
    }

    [[nodiscard]] std::size_t GetOutstanding() const
    {
        return m_outstanding.size();
    }

    /// \return a line for each operation outstanding, oldest first.
    [[nodiscard]] std::vector<std::string> DescribeOutstanding() const;

  private:
    struct Outstanding
    {
        FileOperation operation{FileOperation::GETATTR};
        Time started;
        FileRef object;
        std::string name; ///< Or offset and count.
    };

    /// Counts an operation as issued. \return a completion that keeps the books, then calls
    /// \p update and \p done.
    template <typename Reply, typename Update>
    Done<Reply> Begin(FileOperation operation,
                      const FileRef& object,
                      std::string name,
                      Update update,
                      Done<Reply> done);
    template <typename Reply>
    Done<Reply> Begin(FileOperation operation,
                      const FileRef& object,
                      std::string name,
                      Done<Reply> done);
    void Complete(uint64_t number, const FileReply& reply);

    /// Memory that a READ fills, and the completion that compares it.
    Done<FileReadReply> BeginRead(FileOperation operation,
                                  const FileRef& object,
                                  uint64_t offset,
                                  uint32_t count,
                                  const std::shared_ptr<HostBuffer>& buffer,
                                  Done<FileReadReply> done);

    Ptr<FileClient> m_files;
    Nfs4RangeCalls* m_ranges; ///< *m_files; null: it has no such calls.
    Ptr<HostMemory> m_memory;
    std::shared_ptr<ContentModel> m_content;
    CompletedHook m_completed;
    std::map<uint64_t, Outstanding> m_outstanding; ///< By number, which counts up.
    uint64_t m_nextNumber{0};
    Counters m_issuedCounts{};
    Counters m_completedCounts{};
    uint64_t m_failed{0};
    /// Gone when this object is: replies that come later are not looked at.
    std::shared_ptr<VerifyingFileClient*> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_H
