/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/verifying-file-client.h"

#include "host/buffer-store.h"
#include "nfs/v4/client/mounted-files.h"
#include "workload/check/pattern-buffer.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

ChangeOutcome
GetOutcome(const FileReply& reply)
{
    switch (reply.outcome)
    {
    case RpcOutcome::SUCCESS:
        if (reply.status != 0 && reply.repeated)
        {
            return ChangeOutcome::UNKNOWN;
        }
        return reply.status == 0 ? ChangeOutcome::DONE : ChangeOutcome::REFUSED;
    case RpcOutcome::REJECTED:
        return ChangeOutcome::REFUSED;
    default:
        return ChangeOutcome::UNKNOWN;
    }
}

Nfs4RangeCalls*
FindRanges(const Ptr<FileClient>& client)
{
    auto* files = dynamic_cast<Nfs4FileClient*>(PeekPointer(client));
    return files != nullptr ? &files->GetRanges() : nullptr;
}

std::string
DescribeRange(uint64_t offset, uint64_t count)
{
    return "offset " + std::to_string(offset) + " count " + std::to_string(count);
}

} // namespace

template <typename Reply, typename Update>
FileClient::Done<Reply>
VerifyingFileClient::Begin(FileOperation operation,
                           const FileRef& object,
                           std::string name,
                           Update update,
                           Done<Reply> done)
{
    const uint64_t number = m_nextNumber++;
    ++m_issuedCounts.at(static_cast<std::size_t>(operation));
    m_outstanding[number] = {operation, Simulator::Now(), object, std::move(name)};
    return [alive = std::weak_ptr<VerifyingFileClient*>(m_alive),
            number,
            update = std::move(update),
            done = std::move(done)](const Reply& reply) {
        const auto client = alive.lock();
        if (client == nullptr)
        {
            return;
        }
        update(reply);
        (*client)->Complete(number, reply);
        done(reply);
    };
}

template <typename Reply>
FileClient::Done<Reply>
VerifyingFileClient::Begin(FileOperation operation,
                           const FileRef& object,
                           std::string name,
                           Done<Reply> done)
{
    return Begin<Reply>(
        operation,
        object,
        std::move(name),
        [](const Reply&) {},
        std::move(done));
}

const char*
ToString(FileOperation operation)
{
    constexpr std::array<const char*, FILE_OPERATIONS> NAMES{
        "GETATTR", "SETATTR",  "LOOKUP",     "ACCESS", "READLINK", "OPEN",   "CLOSE",
        "READ",    "WRITE",    "COMMIT",     "MKDIR",  "SYMLINK",  "REMOVE", "RMDIR",
        "RENAME",  "LINK",     "LIST",       "GETACL", "SETACL",   "FSSTAT", "READ_PLUS",
        "SEEK",    "ALLOCATE", "DEALLOCATE", "COPY",   "CLONE"};
    return NAMES.at(static_cast<std::size_t>(operation));
}

VerifyingFileClient::VerifyingFileClient(const Ptr<FileClient>& client,
                                         const Ptr<HostMemory>& memory,
                                         std::shared_ptr<ContentModel> content)
    : m_files(client),
      m_ranges(FindRanges(client)),
      m_memory(memory),
      m_content(std::move(content)),
      m_alive(std::make_shared<VerifyingFileClient*>(this))
{
}

void
VerifyingFileClient::Complete(uint64_t number, const FileReply& reply)
{
    const auto found = m_outstanding.find(number);
    const auto operation = found->second.operation;
    const Time started = found->second.started;
    m_outstanding.erase(found);
    ++m_completedCounts.at(static_cast<std::size_t>(operation));
    m_failed += reply.outcome == RpcOutcome::SUCCESS ? 0 : 1;
    if (m_completed)
    {
        m_completed(operation, reply, started);
    }
}

void
VerifyingFileClient::GetAttributes(const FileRef& object, Done<FileAttributesReply> done)
{
    m_files->GetAttributes(
        object,
        Begin<FileAttributesReply>(FileOperation::GETATTR, object, {}, std::move(done)));
}

void
VerifyingFileClient::SetAttributes(const FileRef& object,
                                   const std::shared_ptr<OpenFile>& file,
                                   const Sattr3& changes,
                                   Done<FileReply> done)
{
    const auto size = changes.size ? m_content->GetOctets().BeginSetSize(object, *changes.size)
                                   : NO_CONTENT_TOKEN;
    const auto mode =
        changes.mode ? m_content->GetAcls().BeginSetMode(object, *changes.mode) : NO_CONTENT_TOKEN;
    auto update = [this, size, mode](const FileReply& reply) {
        m_content->GetOctets().EndSetSize(size, GetOutcome(reply));
        m_content->GetAcls().EndAclChange(mode, GetOutcome(reply));
    };
    m_files->SetAttributes(
        object,
        file,
        changes,
        Begin<FileReply>(FileOperation::SETATTR, object, {}, std::move(update), std::move(done)));
}

void
VerifyingFileClient::Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done)
{
    auto update = [this, dir, name](const FileObjectReply& reply) {
        if (reply.IsOk())
        {
            m_content->Bind(dir, name, reply.object);
        }
    };
    m_files->Lookup(dir,
                    name,
                    Begin<FileObjectReply>(FileOperation::LOOKUP,
                                           dir,
                                           name,
                                           std::move(update),
                                           std::move(done)));
}

void
VerifyingFileClient::Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done)
{
    m_files->Access(object,
                    wanted,
                    Begin<FileAccessReply>(FileOperation::ACCESS, object, {}, std::move(done)));
}

void
VerifyingFileClient::ReadLink(const FileRef& symlink, Done<FileLinkReply> done)
{
    auto update = [this, symlink](const FileLinkReply& reply) {
        if (reply.IsOk())
        {
            m_content->GetOctets().CheckLink(symlink, reply.target);
        }
    };
    m_files->ReadLink(symlink,
                      Begin<FileLinkReply>(FileOperation::READLINK,
                                           symlink,
                                           {},
                                           std::move(update),
                                           std::move(done)));
}

void
VerifyingFileClient::Open(const FileRef& dir,
                          const std::string& name,
                          const FileOpenHow& how,
                          Done<FileOpenReply> done)
{
    const auto token =
        how.create ? m_content->GetNames().BeginCreate({dir, name}, how.mode, how.attributes.size)
                   : NO_CONTENT_TOKEN;
    auto update = [this, token, dir, name](const FileOpenReply& reply) {
        if (token != NO_CONTENT_TOKEN)
        {
            m_content->GetNames().EndCreate(token,
                                            GetOutcome(reply),
                                            reply.IsOk() ? OptionalHandle(reply.object)
                                                         : std::nullopt);
        }
        else if (reply.IsOk())
        {
            m_content->Bind(dir, name, reply.object);
        }
    };
    m_files->Open(
        dir,
        name,
        how,
        Begin<FileOpenReply>(FileOperation::OPEN, dir, name, std::move(update), std::move(done)));
}

void
VerifyingFileClient::Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done)
{
    m_files->Close(file,
                   Begin<FileReply>(FileOperation::CLOSE, file->GetObject(), {}, std::move(done)));
}

FileClient::Done<FileReadReply>
VerifyingFileClient::BeginRead(FileOperation operation,
                               const FileRef& object,
                               uint64_t offset,
                               uint32_t count,
                               const std::shared_ptr<HostBuffer>& buffer,
                               Done<FileReadReply> done)
{
    auto update = [this,
                   token = m_content->GetOctets().BeginRead(object, offset, count),
                   count,
                   buffer](const FileReadReply& reply) {
        if (!reply.IsOk())
        {
            m_content->GetOctets().EndRead(token);
            return;
        }
        m_content->GetOctets().EndRead(
            token,
            std::min(reply.count, count),
            reply.eof,
            [&buffer](uint32_t position, MutableByteSpan out) { buffer->Read(position, out); });
    };
    return Begin<FileReadReply>(operation,
                                object,
                                DescribeRange(offset, count),
                                std::move(update),
                                std::move(done));
}

void
VerifyingFileClient::Read(const std::shared_ptr<OpenFile>& file,
                          uint64_t offset,
                          uint32_t count,
                          Done<FileReadReply> done)
{
    const auto buffer = HostBufferStore::Take(m_memory, std::max(count, 1U));
    m_files->Read(
        file,
        offset,
        count,
        buffer->GetAddress(),
        BeginRead(FileOperation::READ, file->GetObject(), offset, count, buffer, std::move(done)));
}

void
VerifyingFileClient::Write(const std::shared_ptr<OpenFile>& file,
                           uint64_t offset,
                           uint32_t count,
                           StableHow stable,
                           Done<FileWriteReply> done)
{
    const auto begin = m_content->GetOctets().BeginWrite(file->GetObject(), offset, count);
    auto buffer = HostBufferStore::Take(m_memory, std::max(count, 1U));
    FillBuffer(*buffer, begin.pattern, offset, count);
    const uint64_t address = buffer->GetAddress();
    auto update =
        [this, token = begin.token, buffer = std::move(buffer)](const FileWriteReply& reply) {
            m_content->GetOctets().EndWrite(token, GetOutcome(reply), reply.count);
        };
    m_files->Write(file,
                   offset,
                   count,
                   address,
                   stable,
                   Begin<FileWriteReply>(FileOperation::WRITE,
                                         file->GetObject(),
                                         DescribeRange(offset, count),
                                         std::move(update),
                                         std::move(done)));
}

void
VerifyingFileClient::Commit(const std::shared_ptr<OpenFile>& file,
                            uint64_t offset,
                            uint32_t count,
                            Done<FileCommitReply> done)
{
    m_files->Commit(file,
                    offset,
                    count,
                    Begin<FileCommitReply>(FileOperation::COMMIT,
                                           file->GetObject(),
                                           DescribeRange(offset, count),
                                           std::move(done)));
}

void
VerifyingFileClient::MakeDirectory(const FileRef& dir,
                                   const std::string& name,
                                   const Sattr3& attributes,
                                   Done<FileObjectReply> done)
{
    auto update = [this, token = m_content->GetNames().BeginNames({{dir, name}})](
                      const FileObjectReply& reply) {
        m_content->GetNames().EndMake(token,
                                      GetOutcome(reply),
                                      Ftype3::DIR,
                                      reply.IsOk() ? OptionalHandle(reply.object) : std::nullopt,
                                      {});
    };
    m_files->MakeDirectory(dir,
                           name,
                           attributes,
                           Begin<FileObjectReply>(FileOperation::MKDIR,
                                                  dir,
                                                  name,
                                                  std::move(update),
                                                  std::move(done)));
}

void
VerifyingFileClient::MakeSymlink(const FileRef& dir,
                                 const std::string& name,
                                 const std::string& target,
                                 const Sattr3& attributes,
                                 Done<FileObjectReply> done)
{
    const ByteVector octets(target.begin(), target.end());
    auto update = [this, octets, token = m_content->GetNames().BeginNames({{dir, name}})](
                      const FileObjectReply& reply) {
        m_content->GetNames().EndMake(token,
                                      GetOutcome(reply),
                                      Ftype3::LNK,
                                      reply.IsOk() ? OptionalHandle(reply.object) : std::nullopt,
                                      octets);
    };
    m_files->MakeSymlink(dir,
                         name,
                         octets,
                         attributes,
                         Begin<FileObjectReply>(FileOperation::SYMLINK,
                                                dir,
                                                name,
                                                std::move(update),
                                                std::move(done)));
}

void
VerifyingFileClient::Remove(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    auto update =
        [this, token = m_content->GetNames().BeginNames({{dir, name}})](const FileReply& reply) {
            m_content->GetNames().EndRemove(token, GetOutcome(reply));
        };
    m_files->Remove(
        dir,
        name,
        Begin<FileReply>(FileOperation::REMOVE, dir, name, std::move(update), std::move(done)));
}

void
VerifyingFileClient::RemoveDirectory(const FileRef& dir,
                                     const std::string& name,
                                     Done<FileReply> done)
{
    auto update =
        [this, token = m_content->GetNames().BeginNames({{dir, name}})](const FileReply& reply) {
            m_content->GetNames().EndRemove(token, GetOutcome(reply));
        };
    m_files->RemoveDirectory(
        dir,
        name,
        Begin<FileReply>(FileOperation::RMDIR, dir, name, std::move(update), std::move(done)));
}

void
VerifyingFileClient::Rename(const FileRef& fromDir,
                            const std::string& fromName,
                            const FileRef& toDir,
                            const std::string& toName,
                            Done<FileReply> done)
{
    auto update =
        [this, token = m_content->GetNames().BeginNames({{fromDir, fromName}, {toDir, toName}})](
            const FileReply& reply) { m_content->GetNames().EndRename(token, GetOutcome(reply)); };
    m_files->Rename(fromDir,
                    fromName,
                    toDir,
                    toName,
                    Begin<FileReply>(FileOperation::RENAME,
                                     fromDir,
                                     fromName,
                                     std::move(update),
                                     std::move(done)));
}

void
VerifyingFileClient::Link(const FileRef& file,
                          const FileRef& dir,
                          const std::string& name,
                          Done<FileReply> done)
{
    auto update = [this, file, token = m_content->GetNames().BeginNames({{dir, name}})](
                      const FileReply& reply) {
        m_content->GetNames().EndLink(token, GetOutcome(reply), file);
    };
    m_files->Link(
        file,
        dir,
        name,
        Begin<FileReply>(FileOperation::LINK, dir, name, std::move(update), std::move(done)));
}

void
VerifyingFileClient::List(const FileRef& dir,
                          uint64_t cookie,
                          uint64_t verifier,
                          uint32_t count,
                          bool plus,
                          Done<FileListReply> done)
{
    auto update = [this, dir](const FileListReply& reply) {
        for (const auto& entry : reply.entries)
        {
            if (reply.IsOk() && entry.object)
            {
                m_content->Bind(dir, entry.name, *entry.object);
            }
        }
    };
    m_files->List(
        dir,
        cookie,
        verifier,
        count,
        plus,
        Begin<FileListReply>(FileOperation::LIST, dir, {}, std::move(update), std::move(done)));
}

void
VerifyingFileClient::GetAcls(const FileRef& object, Done<FileAclReply> done)
{
    auto update = [this, object, version = m_content->GetAcls().GetAclVersion(object)](
                      const FileAclReply& reply) {
        if (reply.IsOk())
        {
            const auto map = [this](const PosixAclPair& acls, bool isDirectory) {
                return m_files->MapAcls(acls, isDirectory);
            };
            m_content->GetAcls().CheckAcls(object,
                                           version,
                                           {true, reply.access},
                                           {true, reply.defaultAcl},
                                           map);
        }
    };
    m_files->GetAcls(
        object,
        Begin<FileAclReply>(FileOperation::GETACL, object, {}, std::move(update), std::move(done)));
}

void
VerifyingFileClient::SetAcls(const FileRef& object,
                             const PosixAcl& access,
                             const PosixAcl& defaultAcl,
                             Done<FileReply> done)
{
    const auto kept =
        m_files->MapAcls({access, defaultAcl}, m_content->GetAcls().IsDirectory(object));
    const auto token =
        kept ? m_content->GetAcls().BeginSetAcls(object, kept->access, kept->defaultAcl)
             : m_content->GetAcls().BeginSetAcls(object, std::nullopt, std::nullopt);
    auto update = [this, token](const FileReply& reply) {
        m_content->GetAcls().EndAclChange(token, GetOutcome(reply));
    };
    m_files->SetAcls(
        object,
        access,
        defaultAcl,
        Begin<FileReply>(FileOperation::SETACL, object, {}, std::move(update), std::move(done)));
}

void
VerifyingFileClient::GetFileSystem(const FileRef& object, Done<FileSystemReply> done)
{
    m_files->GetFileSystem(
        object,
        Begin<FileSystemReply>(FileOperation::FSSTAT, object, {}, std::move(done)));
}

std::vector<std::string>
VerifyingFileClient::DescribeOutstanding() const
{
    std::vector<std::string> lines;
    const ReferenceTree& tree = m_content->GetTree();
    for (const auto& [number, outstanding] : m_outstanding)
    {
        lines.push_back(std::string(ToString(outstanding.operation)) + " of '" +
                        tree.GetPath(tree.FindHandle(outstanding.object)) + "'" +
                        (outstanding.name.empty() ? "" : " " + outstanding.name) + ", issued at " +
                        std::to_string(outstanding.started.GetNanoSeconds()) + " ns");
    }
    return lines;
}

void
VerifyingFileClient::ReadPlus(const std::shared_ptr<OpenFile>& file,
                              uint64_t offset,
                              uint32_t count,
                              Done<FileReadReply> done)
{
    const auto buffer = HostBufferStore::Take(m_memory, std::max(count, 1U));
    m_ranges->ReadPlus(file,
                       offset,
                       count,
                       buffer->GetAddress(),
                       BeginRead(FileOperation::READ_PLUS,
                                 file->GetObject(),
                                 offset,
                                 count,
                                 buffer,
                                 std::move(done)));
}

void
VerifyingFileClient::Seek(const std::shared_ptr<OpenFile>& file,
                          uint64_t offset,
                          DataContent4 what,
                          Done<FileSeekReply> done)
{
    auto update = [this, what, token = m_content->GetOctets().BeginSeek(file->GetObject(), offset)](
                      const FileSeekReply& reply) {
        const bool isNone = reply.outcome == RpcOutcome::SUCCESS &&
                            reply.status == static_cast<uint32_t>(Nfs4Status::NXIO);
        if (!reply.IsOk() && !isNone)
        {
            m_content->GetOctets().EndRead(token);
            return;
        }
        m_content->GetOctets().EndSeek(token,
                                       what == DataContent4::HOLE,
                                       isNone ? std::nullopt : std::make_optional(reply.offset));
    };
    m_ranges->Seek(file,
                   offset,
                   what,
                   Begin<FileSeekReply>(FileOperation::SEEK,
                                        file->GetObject(),
                                        "offset " + std::to_string(offset),
                                        std::move(update),
                                        std::move(done)));
}

void
VerifyingFileClient::Allocate(const std::shared_ptr<OpenFile>& file,
                              uint64_t offset,
                              uint64_t length,
                              Done<FileReply> done)
{
    auto update =
        [this, token = m_content->GetOctets().BeginExtend(file->GetObject(), offset + length)](
            const FileReply& reply) { m_content->GetOctets().EndExtend(token, GetOutcome(reply)); };
    m_ranges->Allocate(file,
                       offset,
                       length,
                       Begin<FileReply>(FileOperation::ALLOCATE,
                                        file->GetObject(),
                                        DescribeRange(offset, length),
                                        std::move(update),
                                        std::move(done)));
}

void
VerifyingFileClient::Deallocate(const std::shared_ptr<OpenFile>& file,
                                uint64_t offset,
                                uint64_t length,
                                Done<FileReply> done)
{
    auto update =
        [this, token = m_content->GetOctets().BeginZero(file->GetObject(), offset, length)](
            const FileReply& reply) { m_content->GetOctets().EndZero(token, GetOutcome(reply)); };
    m_ranges->Deallocate(file,
                         offset,
                         length,
                         Begin<FileReply>(FileOperation::DEALLOCATE,
                                          file->GetObject(),
                                          DescribeRange(offset, length),
                                          std::move(update),
                                          std::move(done)));
}

void
VerifyingFileClient::Copy(const std::shared_ptr<OpenFile>& from,
                          uint64_t fromOffset,
                          const std::shared_ptr<OpenFile>& to,
                          uint64_t toOffset,
                          uint64_t count,
                          Done<FileCopyReply> done)
{
    const auto token = m_content->GetOctets().BeginCopy(from->GetObject(),
                                                        fromOffset,
                                                        to->GetObject(),
                                                        toOffset,
                                                        count);
    auto update = [this, token](const FileCopyReply& reply) {
        m_content->GetOctets().EndCopy(token, GetOutcome(reply), reply.count);
    };
    m_ranges->Copy(from,
                   fromOffset,
                   to,
                   toOffset,
                   count,
                   Begin<FileCopyReply>(FileOperation::COPY,
                                        to->GetObject(),
                                        DescribeRange(toOffset, count),
                                        std::move(update),
                                        std::move(done)));
}

void
VerifyingFileClient::Clone(const std::shared_ptr<OpenFile>& from,
                           uint64_t fromOffset,
                           const std::shared_ptr<OpenFile>& to,
                           uint64_t toOffset,
                           uint64_t count,
                           Done<FileReply> done)
{
    const auto token = m_content->GetOctets().BeginCopy(from->GetObject(),
                                                        fromOffset,
                                                        to->GetObject(),
                                                        toOffset,
                                                        count);
    auto update = [this, token, count](const FileReply& reply) {
        m_content->GetOctets().EndCopy(token, GetOutcome(reply), count);
    };
    m_ranges->Clone(from,
                    fromOffset,
                    to,
                    toOffset,
                    count,
                    Begin<FileReply>(FileOperation::CLONE,
                                     to->GetObject(),
                                     DescribeRange(toOffset, count),
                                     std::move(update),
                                     std::move(done)));
}

} // namespace ns3::nfsrdma
