/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mounted-files.h"

#include "nfs/types/verifier-number.h"
#include "nfs/v4/client/file-attributes.h"
#include "nfs/v4/client/masks.h"
#include "nfs/v4/protocol/acl.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs4FileClient);

namespace
{

void
TakeObject(const Nfs4TaskReply& result, FileObjectReply& reply)
{
    if (const auto* handle = result.Find<GetfhRes4>())
    {
        reply.object = MakeRef(handle->object);
    }
    if (const auto* got = result.Find<GetattrRes4>())
    {
        reply.attributes = MakeFileAttributes(got->attributes);
        AddNews(reply, reply.object, got->attributes);
    }
}

/// \return what takes the attributes of \p object, which the operation has changed if it is \p own.
auto
TakeNews(const FileRef& object, bool own)
{
    return [object, own](const Nfs4TaskReply& result, auto& reply) {
        if (const auto* got = result.Find<GetattrRes4>())
        {
            AddNews(reply, object, got->attributes, own);
        }
    };
}

Nfs4Name
ToName(const FileName& where)
{
    return {MakeFh(where.dir), where.name};
}

/// With SEQUENCE, PUTFH and GETATTR they are within the eight operations of Linux's sessions.
constexpr uint32_t MAX_DATA_OPERATIONS = 4;

/// What one READ or WRITE carries of a read or write.
struct DataPart
{
    uint64_t offset{0};
    uint64_t address{0};
    uint32_t count{0};
};

/// \return \p count octets as at most \p operations parts of whole pages but for the last.
std::vector<DataPart>
Divide(uint64_t offset, uint64_t address, uint32_t count, uint32_t operations)
{
    constexpr uint32_t PAGE = HostMemory::PAGE_SIZE;
    const uint32_t pages = count / PAGE + (count % PAGE == 0 ? 0 : 1);
    const uint64_t most = std::max<uint64_t>((pages + operations - 1) / operations, 1) * PAGE;
    std::vector<DataPart> parts;
    uint32_t done = 0;
    do
    {
        const auto size = static_cast<uint32_t>(std::min<uint64_t>(most, count - done));
        parts.push_back({offset + done, address + done, size});
        done += size;
    } while (done < count);
    return parts;
}

/// Carries operations out.
struct Nfs4FileCalls
{
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    Nfs4OperationRunner& runner;
    Nfs4OpenFiles& opens;
    uint32_t dataOperations;
    uint64_t& bytesRead;
    uint64_t& bytesWritten;

    void operator()(FileCall<FileGetAttributes>& call) const
    {
        runner.Submit<FileAttributesReply>(
            MakeNfs4Task(false, PutfhArgs4{MakeFh(call.object)}, GetattrArgs4{MakeObjectMask()}),
            TakeFrom<GetattrRes4>(
                [object = call.object](const GetattrRes4& got, FileAttributesReply& reply) {
                    reply.attributes = MakeFileAttributes(got.attributes);
                    AddNews(reply, object, got.attributes);
                }),
            std::move(call.done));
    }

    void operator()(FileCall<FileSetAttributes>& call) const
    {
        const Sattr3& changes = call.changes;
        const auto task = std::make_shared<Nfs4Task>();
        task->cacheThis = true;
        if (changes.size && call.file)
        {
            task->open = Nfs4OpenFile::Of(call.file)->open;
            task->stateidOf = task->open;
        }
        task->build =
            [*this, object = call.object, open = task->open, changes, sent = &task->stateid](
                Compound4Args& compound) {
                SetattrArgs4 args;
                if (open)
                {
                    const auto& client = runner.GetClient();
                    args.stateid = client->GetHeld().SelectStateId(MakeFh(object),
                                                                   OPEN4_SHARE_ACCESS_WRITE,
                                                                   client->HasSessions());
                    *sent = args.stateid;
                }
                args.attributes = MakeSetAttributes(changes);
                compound.Add(PutfhArgs4{MakeFh(object)},
                             std::move(args),
                             GetattrArgs4{MakeObjectMask()});
            };
        const auto run = [*this, task, object = call.object, done = std::move(call.done)] {
            runner.Submit<FileReply>(task, TakeNews(object, true), done);
        };
        if (changes.mode || changes.uid || changes.gid)
        {
            runner.WithoutDelegation(MakeFh(call.object), run);
            return;
        }
        run();
    }

    void operator()(FileCall<FileLookup>& call) const
    {
        runner.Submit<FileObjectReply>(MakeNfs4Task(false,
                                                    PutfhArgs4{MakeFh(call.where.dir)},
                                                    LookupArgs4{call.where.name},
                                                    GetfhArgs4(),
                                                    GetattrArgs4{MakeObjectMask()}),
                                       TakeObject,
                                       std::move(call.done));
    }

    void operator()(FileCall<FileAccess>& call) const
    {
        runner.Submit<FileAccessReply>(
            MakeNfs4Task(false,
                         PutfhArgs4{MakeFh(call.object)},
                         AccessArgs4{call.wanted},
                         GetattrArgs4{MakeConsistencyMask()}),
            [object = call.object](const Nfs4TaskReply& result, FileAccessReply& reply) {
                if (const auto* got = result.Find<AccessRes4>())
                {
                    reply.access = got->access;
                }
                TakeNews(object, false)(result, reply);
            },
            std::move(call.done));
    }

    void operator()(FileCall<FileReadLink>& call) const
    {
        runner.Submit<FileLinkReply>(
            MakeNfs4Task(false, PutfhArgs4{MakeFh(call.symlink)}, ReadlinkArgs4()),
            [*this](const Nfs4TaskReply& result, FileLinkReply& reply) {
                const auto* got = result.Find<ReadlinkRes4>();
                if (got == nullptr)
                {
                    return;
                }
                if (!got->link.reduced)
                {
                    reply.target.assign(got->link.octets.begin(), got->link.octets.end());
                    return;
                }
                reply.target.resize(got->link.length);
                runner.GetClient()->GetHostMemory()->Read(result.message.items.front().address,
                                                          reply.target);
            },
            std::move(call.done));
    }

    void operator()(FileCall<FileOpen>& call) const
    {
        opens.Open(call, std::move(call.done));
    }

    void operator()(FileCall<FileClose>& call) const
    {
        opens.Close(call.file, std::move(call.done));
    }

    void operator()(FileCall<FileRead>& call) const
    {
        const auto task = std::make_shared<Nfs4Task>();
        task->open = Nfs4OpenFile::Of(call.file)->open;
        task->stateidOf = task->open;
        const auto parts = Divide(call.offset, call.address, call.count, dataOperations);
        for (const DataPart& part : parts)
        {
            task->places.push_back({part.count, part.address, true, nullptr});
        }
        task->build =
            [*this, open = task->open, parts, sent = &task->stateid](Compound4Args& compound) {
                *sent = runner.SelectStateId(open, OPEN4_SHARE_ACCESS_READ);
                compound.Add(PutfhArgs4{open->file});
                for (const DataPart& part : parts)
                {
                    compound.Add(ReadArgs4{*sent, part.offset, part.count});
                }
            };
        runner.Submit<FileReadReply>(
            task,
            [*this, parts](const Nfs4TaskReply& result, FileReadReply& reply) {
                TakeRead(parts, result, reply);
            },
            std::move(call.done));
    }

    /// Takes what the READs of \p parts have brought, up to the first that ends short.
    void TakeRead(const std::vector<DataPart>& parts,
                  const Nfs4TaskReply& result,
                  FileReadReply& reply) const
    {
        bool ended = false;
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            const auto* got = result.Find<ReadRes4>(i);
            if (got == nullptr || got->data.length > parts[i].count)
            {
                reply.outcome = RpcOutcome::BAD_REPLY;
                return;
            }
            if (!got->data.reduced)
            {
                runner.GetClient()->GetHostMemory()->Write(parts[i].address, got->data.octets);
            }
            bytesRead += got->data.length;
            if (!ended)
            {
                reply.count += got->data.length;
                reply.eof = got->eof;
                ended = got->data.length < parts[i].count;
            }
        }
    }

    /// Takes what the WRITEs of \p parts have written, up to the first that ends short. \return
    /// false for results that cannot be
    bool TakeWritten(const std::vector<DataPart>& parts,
                     const Nfs4TaskReply& result,
                     FileWriteReply& reply) const
    {
        bool ended = false;
        auto committed = StableHow4::FILE_SYNC;
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            const auto* got = result.Find<WriteRes4>(i);
            if (got == nullptr || got->count > parts[i].count)
            {
                reply.outcome = RpcOutcome::BAD_REPLY;
                return false;
            }
            bytesWritten += got->count;
            if (!ended)
            {
                reply.count += got->count;
                committed = std::min(committed, got->committed);
                reply.verifier = ToNumber(got->verifier);
                ended = got->count < parts[i].count;
            }
        }
        reply.committed = static_cast<StableHow>(committed);
        return true;
    }

    void operator()(FileCall<FileWrite>& call) const
    {
        const auto opened = Nfs4OpenFile::Of(call.file);
        const auto task = std::make_shared<Nfs4Task>();
        task->open = opened->open;
        task->stateidOf = task->open;
        const auto parts = Divide(call.offset, call.address, call.count, dataOperations);
        for (const DataPart& part : parts)
        {
            task->items.push_back({part.address, part.count, true, 0, nullptr});
        }
        task->build = [*this, opened, parts, stable = call.stable, sent = &task->stateid](
                          Compound4Args& compound) {
            const Nfs4Fh& handle = opened->open->file;
            *sent = runner.SelectStateId(opened->open, OPEN4_SHARE_ACCESS_WRITE);
            compound.Add(PutfhArgs4{handle});
            for (const DataPart& part : parts)
            {
                WriteArgs4 args;
                args.stateid = *sent;
                args.offset = part.offset;
                args.stable = static_cast<StableHow4>(stable);
                args.data = Nfs3Data::Reduced(part.count);
                compound.Add(std::move(args));
            }
            if (!opened->direct && !runner.GetClient()->GetHeld().FindDelegation(handle))
            {
                compound.Add(GetattrArgs4{MakeWrittenMask()});
            }
        };
        runner.Submit<FileWriteReply>(
            task,
            [*this, opened, offset = call.offset, parts](const Nfs4TaskReply& result,
                                                         FileWriteReply& reply) {
                if (!TakeWritten(parts, result, reply))
                {
                    return;
                }
                TakeNews(opened->GetObject(), true)(result, reply);
                const auto delegation =
                    runner.GetClient()->GetHeld().FindDelegation(opened->open->file);
                if (delegation && delegation->type == OpenDelegationType4::WRITE)
                {
                    delegation->size = std::max(delegation->size.value_or(0), offset + reply.count);
                    delegation->change = delegation->change.value_or(0) + 1;
                }
            },
            std::move(call.done));
    }

    void operator()(FileCall<FileCommit>& call) const
    {
        runner.Submit<FileCommitReply>(
            MakeNfs4Task(true,
                         PutfhArgs4{Nfs4OpenFile::Of(call.file)->open->file},
                         CommitArgs4{call.offset, call.count}),
            TakeFrom<CommitRes4>([](const CommitRes4& got, FileCommitReply& reply) {
                reply.verifier = ToNumber(got.verifier);
            }),
            std::move(call.done));
    }

    /// CREATE, of what \p args say.
    template <typename Request>
    void Create(FileCall<Request>& call,
                CreateArgs4 args,
                std::vector<RpcDataItem> items = {}) const
    {
        args.name = call.where.name;
        args.attributes = MakeSetAttributes(call.attributes);
        const auto task = MakeNfs4Task(true,
                                       PutfhArgs4{MakeFh(call.where.dir)},
                                       std::move(args),
                                       GetfhArgs4(),
                                       GetattrArgs4{MakeObjectMask()});
        task->items = std::move(items);
        runner.Submit<FileObjectReply>(
            task,
            [dir = call.where.dir](const Nfs4TaskReply& result, FileObjectReply& reply) {
                TakeObject(result, reply);
                if (const auto* got = result.Find<CreateRes4>())
                {
                    AddNews(reply, dir, got->changeInfo);
                }
            },
            std::move(call.done));
    }

    void operator()(FileCall<FileMakeDirectory>& call) const
    {
        CreateArgs4 args;
        args.type = Ftype4::DIR;
        Create(call, std::move(args));
    }

    void operator()(FileCall<FileMakeSymlink>& call) const
    {
        const auto length = static_cast<uint32_t>(call.target.size());
        const auto page =
            std::make_shared<HostBuffer>(runner.GetClient()->GetHostMemory(), std::max(length, 1U));
        page->Write(0, call.target);
        CreateArgs4 args;
        args.type = Ftype4::LNK;
        args.link = Nfs3Data::Reduced(length);
        Create(call, std::move(args), {{page->GetAddress(), length, true, 0, page}});
    }

    void operator()(FileCall<FileMakeNode>& call) const
    {
        CreateArgs4 args;
        args.type = static_cast<Ftype4>(call.type);
        args.device = {call.device.specdata1, call.device.specdata2};
        Create(call, std::move(args));
    }

    void operator()(FileCall<FileRemove>& call) const
    {
        runner.WithoutDelegation(
            ToName(call.where),
            [*this, where = call.where, done = std::move(call.done)] { RemoveName(where, done); });
    }

    void operator()(FileCall<FileRemoveDirectory>& call) const
    {
        RemoveName(call.where, std::move(call.done));
    }

    void RemoveName(const FileName& where, Done<FileReply> done) const
    {
        const Nfs4Name name = ToName(where);
        runner.GetClient()->GetHeld().ForgetName(name);
        runner.Submit<FileReply>(
            MakeNfs4Task(true, PutfhArgs4{name.first}, RemoveArgs4{name.second}),
            TakeFrom<RemoveRes4>([dir = where.dir](const RemoveRes4& got, FileReply& reply) {
                AddNews(reply, dir, got.changeInfo);
            }),
            std::move(done));
    }

    void operator()(FileCall<FileRename>& call) const
    {
        const Nfs4Name from = ToName(call.from);
        const Nfs4Name to = ToName(call.to);
        runner.WithoutDelegation(from, [*this, from, to, done = std::move(call.done)] {
            runner.WithoutDelegation(to, [*this, from, to, done] {
                auto& held = runner.GetClient()->GetHeld();
                held.ForgetName(from);
                held.ForgetName(to);
                runner.Submit<FileReply>(
                    MakeNfs4Task(true,
                                 PutfhArgs4{from.first},
                                 SavefhArgs4(),
                                 PutfhArgs4{to.first},
                                 RenameArgs4{from.second, to.second}),
                    TakeFrom<RenameRes4>([from, to](const RenameRes4& got, FileReply& reply) {
                        AddNews(reply, MakeRef(from.first), got.sourceChangeInfo);
                        AddNews(reply, MakeRef(to.first), got.targetChangeInfo);
                    }),
                    done);
            });
        });
    }

    void operator()(FileCall<FileMakeLink>& call) const
    {
        const auto task = MakeNfs4Task(true,
                                       PutfhArgs4{MakeFh(call.file)},
                                       SavefhArgs4(),
                                       PutfhArgs4{MakeFh(call.where.dir)},
                                       LinkArgs4{call.where.name},
                                       RestorefhArgs4(),
                                       GetattrArgs4{MakeObjectMask()});
        const auto take = [file = call.file, dir = call.where.dir](const Nfs4TaskReply& result,
                                                                   FileReply& reply) {
            TakeNews(file, true)(result, reply);
            if (const auto* got = result.Find<LinkRes4>())
            {
                AddNews(reply, dir, got->changeInfo);
            }
        };
        runner.WithoutDelegation(MakeFh(call.file),
                                 [*this, task, take, done = std::move(call.done)] {
                                     runner.Submit<FileReply>(task, take, done);
                                 });
    }

    void operator()(FileCall<FileList>& call) const
    {
        ReaddirArgs4 args;
        args.cookie = call.cookie;
        args.cookieVerifier = ToVerifier(call.verifier);
        args.dircount = call.count;
        args.maxcount = call.count;
        args.attrRequest = call.plus ? MakeEntryMask() : MakeNameMask();
        runner.Submit<FileListReply>(
            MakeNfs4Task(false, PutfhArgs4{MakeFh(call.dir)}, std::move(args)),
            [plus = call.plus](const Nfs4TaskReply& result, FileListReply& reply) {
                const auto* got = result.Find<ReaddirRes4>();
                if (got == nullptr)
                {
                    reply.outcome = RpcOutcome::BAD_REPLY;
                    return;
                }
                reply.verifier = ToNumber(got->cookieVerifier);
                reply.eof = got->eof;
                for (const DirEntry4& entry : got->entries)
                {
                    FileListReply::Entry made;
                    made.name = entry.name;
                    made.cookie = entry.cookie;
                    made.fileid = entry.attributes.mountedOnFileid.value_or(
                        entry.attributes.fileid.value_or(0));
                    if (plus && entry.attributes.filehandle)
                    {
                        made.object = MakeRef(*entry.attributes.filehandle);
                    }
                    if (plus && entry.attributes.type)
                    {
                        made.attributes = MakeFileAttributes(entry.attributes);
                        made.change = entry.attributes.change.value_or(0);
                    }
                    reply.entries.push_back(std::move(made));
                }
            },
            std::move(call.done));
    }

    void operator()(FileCall<FileGetAcls>& call) const
    {
        runner.Submit<FileAclReply>(
            MakeNfs4Task(false,
                         PutfhArgs4{MakeFh(call.object)},
                         GetattrArgs4{MakeAttrMask({Nfs4Attr::ACL})}),
            [](const Nfs4TaskReply& result, FileAclReply& reply) {
                const auto* got = result.Find<GetattrRes4>();
                if (got == nullptr || !got->attributes.acl)
                {
                    reply.status = static_cast<uint32_t>(Nfs4Status::ATTRNOTSUPP);
                    return;
                }
                const auto& aces = *got->attributes.acl;
                const bool inherits = std::any_of(aces.begin(), aces.end(), [](const NfsAce4& ace) {
                    return (ace.flag & (ACE4_FILE_INHERIT_ACE | ACE4_DIRECTORY_INHERIT_ACE)) != 0;
                });
                const auto lists = MakePosixAcls(aces, inherits);
                if (!lists)
                {
                    reply.status = static_cast<uint32_t>(Nfs4Status::SERVERFAULT);
                    return;
                }
                reply.access = lists->access;
                reply.defaultAcl = lists->defaultAcl;
            },
            std::move(call.done));
    }

    void operator()(FileCall<FileSetAcls>& call) const
    {
        SetattrArgs4 args;
        // On what is no directory, the right to delete a child means nothing.
        args.attributes.acl = MakeNfs4Acl(call.acls, true);
        const auto task = MakeNfs4Task(true, PutfhArgs4{MakeFh(call.object)}, std::move(args));
        runner.WithoutDelegation(MakeFh(call.object), [*this, task, done = std::move(call.done)] {
            runner.Submit<FileReply>(task, nullptr, done);
        });
    }

    void operator()(FileCall<FileGetFileSystem>& call) const
    {
        runner.Submit<FileSystemReply>(
            MakeNfs4Task(false, PutfhArgs4{MakeFh(call.object)}, GetattrArgs4{MakeStatFsMask()}),
            TakeFrom<GetattrRes4>([](const GetattrRes4& got, FileSystemReply& reply) {
                reply.totalBytes = got.attributes.spaceTotal.value_or(0);
                reply.freeBytes = got.attributes.spaceFree.value_or(0);
                reply.totalFiles = got.attributes.filesTotal.value_or(0);
                reply.freeFiles = got.attributes.filesFree.value_or(0);
            }),
            std::move(call.done));
    }
};

} // namespace

TypeId
Nfs4FileClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::Nfs4FileClient")
            .SetParent<FileClient>()
            .SetGroupName("NfsRdma")
            .AddConstructor<Nfs4FileClient>()
            .AddAttribute("OffloadStatusDelay",
                          "Time without CB_OFFLOAD after which OFFLOAD_STATUS asks how an "
                          "asynchronous COPY is (Time; 0: never, as Linux 6.1)",
                          TimeValue(Seconds(7)),
                          MakeTimeAccessor(&Nfs4FileClient::SetOffloadStatusDelay,
                                           &Nfs4FileClient::GetOffloadStatusDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DataOperations",
                          "READs or WRITEs of one COMPOUND, of whole pages each, that carry the "
                          "data of a read or write (RFC 8267 section 6.4; Linux: 1)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Nfs4FileClient::m_dataOperations),
                          MakeUintegerChecker<uint32_t>(1, MAX_DATA_OPERATIONS));
    return tid;
}

void
Nfs4FileClient::DoDispose()
{
    if (const auto& client = m_runner.GetClient())
    {
        client->SetLockNotice(nullptr);
    }
    m_runner.SetClient(nullptr);
    m_locks.Clear();
    FileClient::DoDispose();
}

void
Nfs4FileClient::SetClient(Ptr<Nfs4CompoundClient> client)
{
    m_runner.SetClient(client);
    client->SetLockNotice([this](const CbNotifyLockArgs4& notice) { m_locks.Wake(notice); });
}

uint32_t
Nfs4FileClient::GetTransferSize() const
{
    const uint32_t wanted = FileClient::GetTransferSize();
    const uint32_t most = m_walk.GetMaxTransfer();
    return most == 0 ? wanted : std::min(wanted, most);
}

std::optional<PosixAclPair>
Nfs4FileClient::MapAcls(const PosixAclPair& acls, bool isDirectory) const
{
    return MakePosixAcls(MakeNfs4Acl(acls, true), isDirectory);
}

void
Nfs4FileClient::Mount(Done<FileReply> done)
{
    const auto& client = m_runner.GetClient();
    client->SetLargestTransfer(FileClient::GetTransferSize());
    client->GetManager().Start(
        [this, tracked = m_runner.Track(std::move(done))](RpcOutcome outcome, Nfs4Status status) {
            FileReply reply;
            reply.outcome = outcome;
            reply.status = static_cast<uint32_t>(status);
            if (!reply.IsOk())
            {
                tracked(reply);
                return;
            }
            Walk(tracked);
        });
}

void
Nfs4FileClient::Walk(Done<FileReply> done)
{
    m_walk.Start([this, crashes = GetCrashes(), done = std::move(done)](const FileReply& reply) {
        if (!reply.IsOk() && crashes != GetCrashes())
        {
            Walk(done);
            return;
        }
        done(reply);
    });
}

void
Nfs4FileClient::DoCrash()
{
    m_runner.GetClient()->Crash();
}

void
Nfs4FileClient::DoBoot()
{
    m_runner.GetClient()->Boot();
}

void
Nfs4FileClient::Unmount(Done<FileReply> done)
{
    m_runner.GetClient()->GetManager().Stop(
        [tracked = m_runner.Track(std::move(done))](RpcOutcome outcome, Nfs4Status status) {
            FileReply reply;
            reply.outcome = outcome;
            reply.status = static_cast<uint32_t>(status);
            tracked(reply);
        });
}

bool
Nfs4FileClient::IsDelegated(const FileRef& object) const
{
    const auto& client = m_runner.GetClient();
    const auto delegation =
        client != nullptr ? client->GetHeld().FindDelegation(MakeFh(object)) : nullptr;
    return delegation != nullptr && !delegation->returning;
}

FileLock
Nfs4FileClient::MakeLocalLock(const FileLock& lock) const
{
    FileLock local = lock;
    local.exclusive = true;
    return local;
}

void
Nfs4FileClient::Start(FileRequest&& request)
{
    std::visit(Nfs4FileCalls{m_runner, m_opens, m_dataOperations, m_bytesRead, m_bytesWritten},
               request);
}

} // namespace ns3::nfsrdma
