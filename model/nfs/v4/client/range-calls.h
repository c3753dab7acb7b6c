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

    void Allocate(const std::shared_ptr<OpenFile>& file,
                  uint64_t offset,
                  uint64_t length,
                  Done<FileReply> done);
    void Deallocate(const std::shared_ptr<OpenFile>& file,
                    uint64_t offset,
                    uint64_t length,
                    Done<FileReply> done);
    /// The status is NXIO when there is nothing to be found.
    void Seek(const std::shared_ptr<OpenFile>& file,
              uint64_t offset,
              DataContent4 what,
              Done<FileSeekReply> done);
    /// READ_PLUS; holes are zeros in memory. \param address of at least \p count octets
    void ReadPlus(const std::shared_ptr<OpenFile>& file,
                  uint64_t offset,
                  uint32_t count,
                  uint64_t address,
                  Done<FileReadReply> done);
    /// Copies at the server. What has been copied is stable.
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

    /// \param delay see Nfs4ServerSideCopy
    void SetOffloadStatusDelay(Time delay);
    [[nodiscard]] Time GetOffloadStatusDelay() const;
    /// \return octets of data that READ_PLUSs have brought.
    [[nodiscard]] uint64_t GetBytesRead() const;

  private:
    /// ALLOCATE or DEALLOCATE, as \p Args says.
    template <typename Args>
    void ChangeSpace(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     uint64_t length,
                     Done<FileReply> done);

    Nfs4OperationRunner& m_runner;
    Time m_offloadStatusDelay;
    uint64_t m_bytesRead{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H
