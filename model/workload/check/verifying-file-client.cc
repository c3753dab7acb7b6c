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

OptionalHandle
GetHandle(const FileObjectReply& reply)
{
    return reply.IsOk() ? OptionalHandle(reply.object) : std::nullopt;
}

} // namespace

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
                                         std::shared_ptr<ContentModel> content,
                                         uint32_t index)
    : m_files(client),
      m_ranges(FindRanges(client)),
      m_memory(memory),
      m_content(std::move(content)),
      m_index(index),
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

uint64_t
VerifyingFileClient::Register(FileOperation operation, const FileRef& object, std::string name)
{
    const uint64_t number = m_nextNumber++;
    ++m_issuedCounts.at(static_cast<std::size_t>(operation));
    m_outstanding[number] = {operation, Simulator::Now(), object, std::move(name)};
    return number;
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileSetAttributes& request)
{
    const auto& [object, file, changes] = request;
    const auto size = changes.size ? m_content->GetOctets().BeginSetSize(object, *changes.size)
                                   : NO_CONTENT_TOKEN;
    const auto mode =
        changes.mode ? m_content->GetAcls().BeginSetMode(object, *changes.mode) : NO_CONTENT_TOKEN;
    return [this, size, mode](const FileReply& reply) {
        m_content->GetOctets().EndSetSize(size, GetOutcome(reply));
        m_content->GetAcls().EndAclChange(mode, GetOutcome(reply));
    };
}

FileClient::Done<FileObjectReply>
VerifyingFileClient::Begin(FileLookup& request)
{
    return [this, where = request.where](const FileObjectReply& reply) {
        if (reply.IsOk() && !reply.cached)
        {
            m_content->Bind(where.dir, where.name, reply.object);
        }
    };
}

FileClient::Done<FileLinkReply>
VerifyingFileClient::Begin(FileReadLink& request)
{
    return [this, symlink = request.symlink](const FileLinkReply& reply) {
        if (reply.IsOk())
        {
            m_content->GetOctets().CheckLink(symlink, reply.target);
        }
    };
}

FileClient::Done<FileOpenReply>
VerifyingFileClient::Begin(FileOpen& request)
{
    const auto& [where, how] = request;
    const auto token = how.create ? m_content->GetNames().BeginCreate({where.dir, where.name},
                                                                      how.mode,
                                                                      how.attributes.size)
                                  : NO_CONTENT_TOKEN;
    return [this, token, where = request.where](const FileOpenReply& reply) {
        if (token != NO_CONTENT_TOKEN)
        {
            m_content->GetNames().EndCreate(token, GetOutcome(reply), GetHandle(reply));
        }
        else if (reply.IsOk() && !reply.cached)
        {
            m_content->Bind(where.dir, where.name, reply.object);
        }
    };
}

template <typename Request>
FileClient::Done<FileReadReply>
VerifyingFileClient::BeginRead(Request& request)
{
    const uint32_t count = request.count;
    auto buffer = HostBufferStore::Take(m_memory, std::max(count, 1U));
    request.address = buffer->GetAddress();
    const auto token =
        m_content->GetOctets().BeginRead(request.file->GetObject(), request.offset, count, m_index);
    return [this, token, count, buffer = std::move(buffer)](const FileReadReply& reply) {
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
}

FileClient::Done<FileReadReply>
VerifyingFileClient::Begin(FileRead& request)
{
    return BeginRead(request);
}

FileClient::Done<FileReadReply>
VerifyingFileClient::Begin(FileReadPlus& request)
{
    return BeginRead(request);
}

FileClient::Done<FileWriteReply>
VerifyingFileClient::Begin(FileWrite& request)
{
    const auto begin = m_content->GetOctets().BeginWrite(request.file->GetObject(),
                                                         request.offset,
                                                         request.count,
                                                         m_index);
    auto buffer = HostBufferStore::Take(m_memory, std::max(request.count, 1U));
    FillBuffer(*buffer, begin.pattern, request.offset, request.count);
    request.address = buffer->GetAddress();
    return [this, token = begin.token, buffer = std::move(buffer)](const FileWriteReply& reply) {
        m_content->GetOctets().EndWrite(token, GetOutcome(reply), reply.count);
    };
}

FileClient::Done<FileObjectReply>
VerifyingFileClient::BeginMake(const FileName& where, Ftype3 type, ByteVector target)
{
    const auto token = m_content->GetNames().BeginMake({where.dir, where.name},
                                                       type,
                                                       {target.begin(), target.end()});
    return [this, token, type, target = std::move(target)](const FileObjectReply& reply) {
        m_content->GetNames().EndMake(token, GetOutcome(reply), type, GetHandle(reply), target);
    };
}

FileClient::Done<FileObjectReply>
VerifyingFileClient::Begin(FileMakeDirectory& request)
{
    return BeginMake(request.where, Ftype3::DIR, {});
}

FileClient::Done<FileObjectReply>
VerifyingFileClient::Begin(FileMakeSymlink& request)
{
    return BeginMake(request.where, Ftype3::LNK, request.target);
}

FileClient::Done<FileReply>
VerifyingFileClient::BeginRemove(const FileName& where)
{
    const auto token = m_content->GetNames().BeginNames({{where.dir, where.name}});
    return [this, token](const FileReply& reply) {
        m_content->GetNames().EndRemove(token, GetOutcome(reply));
    };
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileRemove& request)
{
    return BeginRemove(request.where);
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileRemoveDirectory& request)
{
    return BeginRemove(request.where);
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileRename& request)
{
    const auto token = m_content->GetNames().BeginNames(
        {{request.from.dir, request.from.name}, {request.to.dir, request.to.name}});
    return [this, token](const FileReply& reply) {
        m_content->GetNames().EndRename(token, GetOutcome(reply));
    };
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileMakeLink& request)
{
    const auto token = m_content->GetNames().BeginNames({{request.where.dir, request.where.name}});
    return [this, token, file = request.file](const FileReply& reply) {
        m_content->GetNames().EndLink(token, GetOutcome(reply), file);
    };
}

FileClient::Done<FileListReply>
VerifyingFileClient::Begin(FileList& request)
{
    const auto token = m_content->GetListings().BeginPage(m_index, request.dir, request.cookie);
    return [this, token, dir = request.dir](const FileListReply& reply) {
        CheckPage(token, reply);
        for (const auto& entry : reply.entries)
        {
            if (reply.IsOk() && entry.object)
            {
                m_content->Bind(dir, entry.name, *entry.object);
            }
        }
    };
}

void
VerifyingFileClient::CheckPage(uint64_t token, const FileListReply& reply)
{
    if (token == NO_CONTENT_TOKEN)
    {
        return;
    }
    if (!reply.IsOk() || (reply.entries.empty() && !reply.eof))
    {
        m_content->GetListings().EndPage(token);
        return;
    }
    std::vector<std::string> names;
    for (const auto& entry : reply.entries)
    {
        names.push_back(entry.name);
    }
    const uint64_t next = reply.entries.empty() ? 0 : reply.entries.back().cookie;
    m_content->GetListings().EndPage(token, names, next, reply.eof);
}

FileClient::Done<FileAclReply>
VerifyingFileClient::Begin(FileGetAcls& request)
{
    const auto version = m_content->GetAcls().GetAclVersion(request.object);
    return [this, object = request.object, version](const FileAclReply& reply) {
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
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileSetAcls& request)
{
    const auto& [object, acls] = request;
    const auto kept = m_files->MapAcls(acls, m_content->GetAcls().IsDirectory(object));
    const auto token =
        kept ? m_content->GetAcls().BeginSetAcls(object, kept->access, kept->defaultAcl)
             : m_content->GetAcls().BeginSetAcls(object, std::nullopt, std::nullopt);
    return [this, token](const FileReply& reply) {
        m_content->GetAcls().EndAclChange(token, GetOutcome(reply));
    };
}

FileClient::Done<FileSeekReply>
VerifyingFileClient::Begin(FileSeek& request)
{
    const auto token = m_content->GetOctets().BeginSeek(request.file->GetObject(), request.offset);
    return [this, what = request.what, token](const FileSeekReply& reply) {
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
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileAllocate& request)
{
    const auto token = m_content->GetOctets().BeginExtend(request.file->GetObject(),
                                                          request.offset + request.length);
    return [this, token](const FileReply& reply) {
        m_content->GetOctets().EndExtend(token, GetOutcome(reply));
    };
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileDeallocate& request)
{
    const auto token =
        m_content->GetOctets().BeginZero(request.file->GetObject(), request.offset, request.length);
    return [this, token](const FileReply& reply) {
        m_content->GetOctets().EndZero(token, GetOutcome(reply));
    };
}

template <typename Request>
uint64_t
VerifyingFileClient::BeginCopy(const Request& request)
{
    return m_content->GetOctets().BeginCopy(request.source->GetObject(),
                                            request.sourceOffset,
                                            request.file->GetObject(),
                                            request.offset,
                                            request.count);
}

FileClient::Done<FileCopyReply>
VerifyingFileClient::Begin(FileCopy& request)
{
    return [this, token = BeginCopy(request)](const FileCopyReply& reply) {
        m_content->GetOctets().EndCopy(token, GetOutcome(reply), reply.count);
    };
}

FileClient::Done<FileReply>
VerifyingFileClient::Begin(FileClone& request)
{
    return [this, token = BeginCopy(request), count = request.count](const FileReply& reply) {
        m_content->GetOctets().EndCopy(token, GetOutcome(reply), count);
    };
}

void
VerifyingFileClient::MakeSystemCalls()
{
    m_systemCalls = true;
    m_files->EnableCaches();
    m_content->GetStaleness().Enable();
}

Time
VerifyingFileClient::GetAllowed(bool isDirectory) const
{
    const auto* const caches = m_files->GetCaches();
    return caches == nullptr ? Time(0) : caches->GetSettings().GetMost(isDirectory);
}

void
VerifyingFileClient::CheckNews(const FileReply& reply, Time began, bool trusts)
{
    for (const FileNews& news : reply.news)
    {
        if (news.change)
        {
            const bool isDirectory =
                news.isDirectory || (news.attributes && news.attributes->type == Ftype3::DIR);
            m_content->GetStaleness().CheckChange(news.object,
                                                  m_index,
                                                  *news.change,
                                                  began,
                                                  reply.cached && trusts ? GetAllowed(isDirectory)
                                                                         : Time(0),
                                                  !reply.cached);
        }
    }
}

void
VerifyingFileClient::BeginName(const FileName& where)
{
    m_content->GetStaleness().BeginName({where.dir, where.name});
}

void
VerifyingFileClient::EndName(const FileName& where,
                             const FileReply& reply,
                             const std::optional<StalenessModel::Meaning>& meaning,
                             Time began)
{
    auto& staleness = m_content->GetStaleness();
    const StalenessModel::Name name{where.dir, where.name};
    switch (GetOutcome(reply))
    {
    case ChangeOutcome::DONE:
        staleness.ChangeName(name, m_index, meaning, began);
        return;
    case ChangeOutcome::REFUSED:
        staleness.RefuseName(name);
        return;
    case ChangeOutcome::UNKNOWN:
        staleness.ChangeName(name, m_index, std::nullopt, began);
        return;
    }
}

void
VerifyingFileClient::CheckName(const FileName& where, const FileObjectReply& reply, Time began)
{
    const bool isMissing = reply.outcome == RpcOutcome::SUCCESS &&
                           reply.status == static_cast<uint32_t>(Nfs3Status::NOENT);
    if (!reply.IsOk() && !isMissing)
    {
        return;
    }
    m_content->GetStaleness().CheckName({where.dir, where.name},
                                        m_index,
                                        isMissing ? StalenessModel::Meaning()
                                                  : StalenessModel::Meaning(reply.object.octets),
                                        began,
                                        reply.cached ? GetAllowed(true) : Time(0));
}

void
VerifyingFileClient::BeginNames(const FileOpen& request)
{
    if (request.how.create)
    {
        BeginName(request.where);
    }
}

void
VerifyingFileClient::BeginNames(const FileMakeDirectory& request)
{
    BeginName(request.where);
}

void
VerifyingFileClient::BeginNames(const FileMakeSymlink& request)
{
    BeginName(request.where);
}

void
VerifyingFileClient::BeginNames(const FileRemove& request)
{
    BeginName(request.where);
}

void
VerifyingFileClient::BeginNames(const FileRemoveDirectory& request)
{
    BeginName(request.where);
}

void
VerifyingFileClient::BeginNames(const FileRename& request)
{
    BeginName(request.from);
    BeginName(request.to);
}

void
VerifyingFileClient::BeginNames(const FileMakeLink& request)
{
    BeginName(request.where);
}

void
VerifyingFileClient::EndNames(const FileLookup& request, const FileObjectReply& reply, Time began)
{
    CheckName(request.where, reply, began);
}

void
VerifyingFileClient::EndNames(const FileOpen& request, const FileOpenReply& reply, Time began)
{
    if (!request.how.create)
    {
        CheckName(request.where, reply, began);
        return;
    }
    EndName(request.where, reply, StalenessModel::Meaning(reply.object.octets), began);
}

void
VerifyingFileClient::EndNames(const FileMakeDirectory& request,
                              const FileObjectReply& reply,
                              Time began)
{
    EndName(request.where, reply, StalenessModel::Meaning(reply.object.octets), began);
}

void
VerifyingFileClient::EndNames(const FileMakeSymlink& request,
                              const FileObjectReply& reply,
                              Time began)
{
    EndName(request.where, reply, StalenessModel::Meaning(reply.object.octets), began);
}

void
VerifyingFileClient::EndNames(const FileRemove& request, const FileReply& reply, Time began)
{
    EndName(request.where, reply, StalenessModel::Meaning(), began);
}

void
VerifyingFileClient::EndNames(const FileRemoveDirectory& request,
                              const FileReply& reply,
                              Time began)
{
    EndName(request.where, reply, StalenessModel::Meaning(), began);
}

void
VerifyingFileClient::EndNames(const FileRename& request, const FileReply& reply, Time began)
{
    EndName(request.from, reply, StalenessModel::Meaning(), began);
    EndName(request.to, reply, std::nullopt, began);
}

void
VerifyingFileClient::EndNames(const FileMakeLink& request, const FileReply& reply, Time began)
{
    EndName(request.where, reply, StalenessModel::Meaning(request.file.octets), began);
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

} // namespace ns3::nfsrdma
