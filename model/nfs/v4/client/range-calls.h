/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H
#define NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H

#include "nfs/types/file-client.h"
#include "nfs/v4/protocol/minor2-ops.h"

#include <cstdint>
#include <memory>

namespace ns3::nfsrdma
{

struct FileSeekReply : FileReply
{
    bool eof{false};
    uint64_t offset{0};
};

struct FileCopyReply : FileReply
{
    uint64_t count{0}; ///< Octets.
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

    virtual ~Nfs4RangeCalls() = default;

    virtual void Allocate(const std::shared_ptr<OpenFile>& file,
                          uint64_t offset,
                          uint64_t length,
                          Done<FileReply> done) = 0;
    virtual void Deallocate(const std::shared_ptr<OpenFile>& file,
                            uint64_t offset,
                            uint64_t length,
                            Done<FileReply> done) = 0;
    /// The status is NXIO when there is nothing to be found.
    virtual void Seek(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      DataContent4 what,
                      Done<FileSeekReply> done) = 0;
    /// READ_PLUS; holes are zeros in memory. \param address of at least \p count octets
    virtual void ReadPlus(const std::shared_ptr<OpenFile>& file,
                          uint64_t offset,
                          uint32_t count,
                          uint64_t address,
                          Done<FileReadReply> done) = 0;
    /// Copies at the server. What has been copied is stable.
    virtual void Copy(const std::shared_ptr<OpenFile>& from,
                      uint64_t fromOffset,
                      const std::shared_ptr<OpenFile>& to,
                      uint64_t toOffset,
                      uint64_t count,
                      Done<FileCopyReply> done) = 0;
    virtual void Clone(const std::shared_ptr<OpenFile>& from,
                       uint64_t fromOffset,
                       const std::shared_ptr<OpenFile>& to,
                       uint64_t toOffset,
                       uint64_t count,
                       Done<FileReply> done) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_RANGE_CALLS_H
