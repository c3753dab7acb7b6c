/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H
#define NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H

#include "nfs/v4/client/operation-runner.h"
#include "nfs/v4/client/server-side-copy.h"
#include "nfs/v4/protocol/minor2-ops.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3::nfsrdma
{

struct FileSeekReply : FileReply
{
    bool eof{false};
    uint64_t offset{0};
};

// Requests as those of file-requests.h.

struct FileAllocate
{
    static constexpr auto OPERATION = FileOperation::ALLOCATE;
    using Reply = FileReply;

    OpenFilePtr file;
    uint64_t offset{0};
    uint64_t length{0};
};

struct FileDeallocate
{
    static constexpr auto OPERATION = FileOperation::DEALLOCATE;
    using Reply = FileReply;

    OpenFilePtr file;
    uint64_t offset{0};
    uint64_t length{0};
};

/// The status is NXIO when there is nothing to be found.
struct FileSeek
{
    static constexpr auto OPERATION = FileOperation::SEEK;
    using Reply = FileSeekReply;

    OpenFilePtr file;
    uint64_t offset{0};
    DataContent4 what{DataContent4::DATA};
};

/// READ_PLUS; holes are zeros in memory.
struct FileReadPlus
{
    static constexpr auto OPERATION = FileOperation::READ_PLUS;
    using Reply = FileReadReply;

    OpenFilePtr file;
    uint64_t offset{0};
    uint32_t count{0};
    uint64_t address{0};
};

/// Copies at the server. What has been copied is stable.
struct FileCopy
{
    static constexpr auto OPERATION = FileOperation::COPY;
    using Reply = FileCopyReply;

    OpenFilePtr file; ///< The target.
    uint64_t offset{0};
    uint64_t count{0};
    OpenFilePtr source;
    uint64_t sourceOffset{0};
};

struct FileClone
{
    static constexpr auto OPERATION = FileOperation::CLONE;
    using Reply = FileReply;

    OpenFilePtr file; ///< The target.
    uint64_t offset{0};
    uint64_t count{0};
    OpenFilePtr source;
    uint64_t sourceOffset{0};
};

/**
 * \brief What a FileClient of NFSv4.2 can do with ranges of open files besides reading and writing
 * them (RFC 7862). Completions as FileClient's; statuses are Nfs4Status.
 */
class Nfs4RangeCalls
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    explicit Nfs4RangeCalls(Nfs4OperationRunner& runner);

    void Run(const FileAllocate& request, Done<FileReply> done);
    void Run(const FileDeallocate& request, Done<FileReply> done);
    void Run(const FileSeek& request, Done<FileSeekReply> done);
    void Run(const FileReadPlus& request, Done<FileReadReply> done);
    void Run(const FileCopy& request, Done<FileCopyReply> done);
    void Run(const FileClone& request, Done<FileReply> done);

    /// \param delay see Nfs4ServerSideCopy
    void SetOffloadStatusDelay(Time delay)
    {
        m_offloadStatusDelay = delay;
    }

    [[nodiscard]] Time GetOffloadStatusDelay() const
    {
        return m_offloadStatusDelay;
    }

    /// \return octets of data that READ_PLUSs have brought.
    [[nodiscard]] uint64_t GetBytesRead() const
    {
        return m_bytesRead;
    }

  private:
    /// ALLOCATE or DEALLOCATE, as \p Args says.
    template <typename Args, typename Request>
    void ChangeSpace(const Request& request, Done<FileReply> done);
    /// An operation on an open file alone. \param make makes its arguments of a stateid
    template <typename Reply, typename Make, typename Take>
    void RunOn(const OpenFilePtr& file, uint32_t access, Make make, Take take, Done<Reply> done);

    Nfs4OperationRunner& m_runner;
    Time m_offloadStatusDelay;
    uint64_t m_bytesRead{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H
