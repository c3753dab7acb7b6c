/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_XATTR_CALLS_H
#define NFSRDMA_NFS_V4_CLIENT_XATTR_CALLS_H

#include "nfs/v4/client/operation-runner.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

struct FileXattrReply : FileReply
{
    ByteVector value;
};

struct FileXattrListReply : FileReply
{
    std::vector<std::string> names;
    uint64_t cookie{0}; ///< For the next call.
    bool eof{false};
};

/// Extended attributes of objects, for NFSv4.2 (RFC 8276).
class Nfs4XattrCalls
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    explicit Nfs4XattrCalls(Nfs4OperationRunner& runner);

    void Get(const FileRef& object, const std::string& name, Done<FileXattrReply> done);
    void Set(const FileRef& object, const std::string& name, ByteSpan value, Done<FileReply> done);
    /// \param count octets of names at most
    void List(const FileRef& object,
              uint64_t cookie,
              uint32_t count,
              Done<FileXattrListReply> done);
    void Remove(const FileRef& object, const std::string& name, Done<FileReply> done);

  private:
    Nfs4OperationRunner& m_runner;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_XATTR_CALLS_H
