/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mounted-files.h"

#include "nfs/types/verifier-number.h"
#include "nfs/v4/client/file-attributes.h"
#include "nfs/v4/client/masks.h"
#include "nfs/v4/protocol/acl.h"

#include <algorithm>
#include <utility>

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
    }
}

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
                          MakeTimeChecker(Time(0)));
    return tid;
}

Nfs4FileClient::Nfs4FileClient() = default;
Nfs4FileClient::~Nfs4FileClient() = default;

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

Ptr<Nfs4CompoundClient>
Nfs4FileClient::GetClient() const
{
    return m_runner.GetClient();
}

void
Nfs4FileClient::SetExport(const std::string& path)
{
    m_walk.SetExport(path);
}

const FileRef&
Nfs4FileClient::GetRoot() const
{
    return m_walk.GetRoot();
}

uint64_t
Nfs4FileClient::GetBytesRead() const
{
    return m_bytesRead + m_ranges.GetBytesRead();
}

uint64_t
Nfs4FileClient::GetBytesWritten() const
{
    return m_bytesWritten;
}

Nfs4LockCalls&
Nfs4FileClient::GetLocks()
{
    return m_locks;
}

Nfs4RangeCalls&
Nfs4FileClient::GetRanges()
{
    return m_ranges;
}

Nfs4XattrCalls&
Nfs4FileClient::GetXattrs()
{
    return m_xattrs;
}

void
Nfs4FileClient::SetOffloadStatusDelay(Time delay)
{
    m_ranges.SetOffloadStatusDelay(delay);
}

Time
Nfs4FileClient::GetOffloadStatusDelay() const
{
    return m_ranges.GetOffloadStatusDelay();
}

uint32_t
Nfs4FileClient::GetPending() const
{
    return m_runner.GetPending();
}

uint32_t
Nfs4FileClient::GetTransferSize() const
{
    const uint32_t wanted = FileClient::GetTransferSize();
    const uint32_t most = m_walk.GetMaxTransfer();
    return most == 0 ? wanted : std::min(wanted, most);
}

bool
Nfs4FileClient::KeepsOpenState() const
{
    return true;
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
            m_walk.Start(tracked);
        });
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

void
Nfs4FileClient::Open(const FileRef& dir,
                     const std::string& name,
                     const FileOpenHow& how,
                     Done<FileOpenReply> done)
{
    m_opens.Open(dir, name, how, std::move(done));
}

void
Nfs4FileClient::Close(const std::shared_ptr<OpenFile>& file, Done<FileReply> done)
{
    m_opens.Close(file, std::move(done));
}

bool
Nfs4FileClient::IsLockShared(const FileLock& /* lock */) const
{
    return true;
}

FileLock
Nfs4FileClient::MakeLocalLock(const FileLock& lock) const
{
    FileLock local = lock;
    local.exclusive = true;
    return local;
}

void
Nfs4FileClient::DoLock(const std::shared_ptr<OpenFile>& file,
                       const FileLock& lock,
                       bool wait,
                       Done<FileLockReply> done)
{
    m_locks.LockFile(file, lock, wait, std::move(done));
}

void
Nfs4FileClient::DoUnlock(const std::shared_ptr<OpenFile>& file,
                         const FileLock& lock,
                         Done<FileLockReply> done)
{
    m_locks.UnlockFile(file, lock, std::move(done));
}

void
Nfs4FileClient::DoTestLock(const std::shared_ptr<OpenFile>& file,
                           const FileLock& lock,
                           Done<FileLockReply> done)
{
    m_locks.TestFile(file, lock, std::move(done));
}

void
Nfs4FileClient::GetAttributes(const FileRef& object, Done<FileAttributesReply> done)
{
    m_runner.Run<FileAttributesReply>(
        MakeNfs4Task(false, PutfhArgs4{MakeFh(object)}, GetattrArgs4{MakeObjectMask()}),
        TakeFrom<GetattrRes4>([](const GetattrRes4& got, FileAttributesReply& reply) {
            reply.attributes = MakeFileAttributes(got.attributes);
        }),
        std::move(done));
}

void
Nfs4FileClient::SetAttributes(const FileRef& object,
                              const std::shared_ptr<OpenFile>& file,
                              const Sattr3& changes,
                              Done<FileReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->cacheThis = true;
    if (changes.size && file)
    {
        task->open = Nfs4OpenFile::Of(file)->open;
        task->stateidOf = task->open;
    }
    task->build = [this, object, open = task->open, changes, sent = &task->stateid](
                      Compound4Args& compound) {
        SetattrArgs4 args;
        if (open)
        {
            const auto& client = m_runner.GetClient();
            args.stateid = client->GetHeld().SelectStateId(MakeFh(object),
                                                           OPEN4_SHARE_ACCESS_WRITE,
                                                           client->HasSessions());
            *sent = args.stateid;
        }
        args.attributes = MakeSetAttributes(changes);
        compound.Add(PutfhArgs4{MakeFh(object)}, std::move(args), GetattrArgs4{MakeObjectMask()});
    };
    const auto run = [this, task, tracked = m_runner.Track(std::move(done))] {
        m_runner.Submit<FileReply>(task, nullptr, tracked);
    };
    if (changes.mode || changes.uid || changes.gid)
    {
        m_runner.WithoutDelegation(MakeFh(object), run);
        return;
    }
    run();
}

void
Nfs4FileClient::Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done)
{
    m_runner.Run<FileObjectReply>(MakeNfs4Task(false,
                                               PutfhArgs4{MakeFh(dir)},
                                               LookupArgs4{name},
                                               GetfhArgs4(),
                                               GetattrArgs4{MakeObjectMask()}),
                                  TakeObject,
                                  std::move(done));
}

void
Nfs4FileClient::Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done)
{
    m_runner.Run<FileAccessReply>(
        MakeNfs4Task(false,
                     PutfhArgs4{MakeFh(object)},
                     AccessArgs4{wanted},
                     GetattrArgs4{MakeConsistencyMask()}),
        TakeFrom<AccessRes4>(
            [](const AccessRes4& got, FileAccessReply& reply) { reply.access = got.access; }),
        std::move(done));
}

void
Nfs4FileClient::ReadLink(const FileRef& symlink, Done<FileLinkReply> done)
{
    m_runner.Run<FileLinkReply>(
        MakeNfs4Task(false, PutfhArgs4{MakeFh(symlink)}, ReadlinkArgs4()),
        [this](const Nfs4TaskReply& result, FileLinkReply& reply) {
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
            m_runner.GetClient()->GetHostMemory()->Read(result.message.items.front().address,
                                                        reply.target);
        },
        std::move(done));
}

void
Nfs4FileClient::Read(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     uint32_t count,
                     uint64_t address,
                     Done<FileReadReply> done)
{
    const auto task = std::make_shared<Nfs4Task>();
    task->open = Nfs4OpenFile::Of(file)->open;
    task->stateidOf = task->open;
    task->places.push_back({count, address, true, nullptr});
    task->build =
        [this, open = task->open, offset, count, sent = &task->stateid](Compound4Args& compound) {
            *sent = m_runner.SelectStateId(open, OPEN4_SHARE_ACCESS_READ);
            compound.Add(PutfhArgs4{open->file}, ReadArgs4{*sent, offset, count});
        };
    m_runner.Run<FileReadReply>(
        task,
        [this, count, address](const Nfs4TaskReply& result, FileReadReply& reply) {
            const auto* got = result.Find<ReadRes4>();
            if (got == nullptr || got->data.length > count)
            {
                reply.outcome = RpcOutcome::BAD_REPLY;
                return;
            }
            reply.count = got->data.length;
            m_bytesRead += reply.count;
            reply.eof = got->eof;
            if (!got->data.reduced)
            {
                m_runner.GetClient()->GetHostMemory()->Write(address, got->data.octets);
            }
        },
        std::move(done));
}

void
Nfs4FileClient::Write(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      uint32_t count,
                      uint64_t address,
                      StableHow stable,
                      Done<FileWriteReply> done)
{
    const auto opened = Nfs4OpenFile::Of(file);
    const auto task = std::make_shared<Nfs4Task>();
    task->open = opened->open;
    task->stateidOf = task->open;
    task->items.push_back({address, count, true, 0, nullptr});
    task->build =
        [this, opened, offset, count, stable, sent = &task->stateid](Compound4Args& compound) {
            const Nfs4Fh& handle = opened->open->file;
            WriteArgs4 args;
            args.stateid = m_runner.SelectStateId(opened->open, OPEN4_SHARE_ACCESS_WRITE);
            *sent = args.stateid;
            args.offset = offset;
            args.stable = static_cast<StableHow4>(stable);
            args.data = Nfs3Data::Reduced(count);
            compound.Add(PutfhArgs4{handle}, std::move(args));
            if (!opened->direct && !m_runner.GetClient()->GetHeld().FindDelegation(handle))
            {
                compound.Add(GetattrArgs4{MakeWrittenMask()});
            }
        };
    m_runner.Run<FileWriteReply>(
        task,
        [this, opened, offset, count](const Nfs4TaskReply& result, FileWriteReply& reply) {
            const auto* got = result.Find<WriteRes4>();
            if (got == nullptr || got->count > count)
            {
                reply.outcome = RpcOutcome::BAD_REPLY;
                return;
            }
            reply.count = got->count;
            m_bytesWritten += reply.count;
            reply.committed = static_cast<StableHow>(got->committed);
            reply.verifier = ToNumber(got->verifier);
            const auto delegation =
                m_runner.GetClient()->GetHeld().FindDelegation(opened->open->file);
            if (delegation && delegation->type == OpenDelegationType4::WRITE)
            {
                delegation->size = std::max(delegation->size.value_or(0), offset + got->count);
                delegation->change = delegation->change.value_or(0) + 1;
            }
        },
        std::move(done));
}

void
Nfs4FileClient::Commit(const std::shared_ptr<OpenFile>& file,
                       uint64_t offset,
                       uint32_t count,
                       Done<FileCommitReply> done)
{
    m_runner.Run<FileCommitReply>(
        MakeNfs4Task(true,
                     PutfhArgs4{Nfs4OpenFile::Of(file)->open->file},
                     CommitArgs4{offset, count}),
        TakeFrom<CommitRes4>([](const CommitRes4& got, FileCommitReply& reply) {
            reply.verifier = ToNumber(got.verifier);
        }),
        std::move(done));
}

void
Nfs4FileClient::Create(const FileRef& dir,
                       CreateArgs4 args,
                       const std::string& name,
                       const Sattr3& attributes,
                       std::vector<RpcDataItem> items,
                       Done<FileObjectReply> done)
{
    args.name = name;
    args.attributes = MakeSetAttributes(attributes);
    const auto task = MakeNfs4Task(true,
                                   PutfhArgs4{MakeFh(dir)},
                                   std::move(args),
                                   GetfhArgs4(),
                                   GetattrArgs4{MakeObjectMask()});
    task->items = std::move(items);
    m_runner.Run<FileObjectReply>(task, TakeObject, std::move(done));
}

void
Nfs4FileClient::MakeDirectory(const FileRef& dir,
                              const std::string& name,
                              const Sattr3& attributes,
                              Done<FileObjectReply> done)
{
    CreateArgs4 args;
    args.type = Ftype4::DIR;
    Create(dir, std::move(args), name, attributes, {}, std::move(done));
}

void
Nfs4FileClient::MakeSymlink(const FileRef& dir,
                            const std::string& name,
                            ByteSpan target,
                            const Sattr3& attributes,
                            Done<FileObjectReply> done)
{
    const auto length = static_cast<uint32_t>(target.size());
    const auto page =
        std::make_shared<HostBuffer>(m_runner.GetClient()->GetHostMemory(), std::max(length, 1U));
    page->Write(0, target);
    CreateArgs4 args;
    args.type = Ftype4::LNK;
    args.link = Nfs3Data::Reduced(length);
    Create(dir,
           std::move(args),
           name,
           attributes,
           {{page->GetAddress(), length, true, 0, page}},
           std::move(done));
}

void
Nfs4FileClient::MakeNode(const FileRef& dir,
                         const std::string& name,
                         Ftype3 type,
                         SpecData3 device,
                         const Sattr3& attributes,
                         Done<FileObjectReply> done)
{
    CreateArgs4 args;
    args.type = static_cast<Ftype4>(type);
    args.device = {device.specdata1, device.specdata2};
    Create(dir, std::move(args), name, attributes, {}, std::move(done));
}

void
Nfs4FileClient::Remove(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    m_runner.WithoutDelegation(Nfs4Name{MakeFh(dir), name},
                               [this, dir, name, tracked = m_runner.Track(std::move(done))] {
                                   RemoveName(dir, name, tracked);
                               });
}

void
Nfs4FileClient::RemoveDirectory(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    RemoveName(dir, name, m_runner.Track(std::move(done)));
}

void
Nfs4FileClient::RemoveName(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    m_runner.GetClient()->GetHeld().ForgetName({MakeFh(dir), name});
    m_runner.Submit<FileReply>(MakeNfs4Task(true, PutfhArgs4{MakeFh(dir)}, RemoveArgs4{name}),
                               nullptr,
                               std::move(done));
}

void
Nfs4FileClient::Rename(const FileRef& fromDir,
                       const std::string& fromName,
                       const FileRef& toDir,
                       const std::string& toName,
                       Done<FileReply> done)
{
    const Nfs4Name from{MakeFh(fromDir), fromName};
    const Nfs4Name to{MakeFh(toDir), toName};
    m_runner.WithoutDelegation(from, [this, from, to, tracked = m_runner.Track(std::move(done))] {
        m_runner.WithoutDelegation(to, [this, from, to, tracked] {
            auto& held = m_runner.GetClient()->GetHeld();
            held.ForgetName(from);
            held.ForgetName(to);
            m_runner.Submit<FileReply>(MakeNfs4Task(true,
                                                    PutfhArgs4{from.first},
                                                    SavefhArgs4(),
                                                    PutfhArgs4{to.first},
                                                    RenameArgs4{from.second, to.second}),
                                       nullptr,
                                       tracked);
        });
    });
}

void
Nfs4FileClient::Link(const FileRef& file,
                     const FileRef& dir,
                     const std::string& name,
                     Done<FileReply> done)
{
    const auto task = MakeNfs4Task(true,
                                   PutfhArgs4{MakeFh(file)},
                                   SavefhArgs4(),
                                   PutfhArgs4{MakeFh(dir)},
                                   LinkArgs4{name},
                                   RestorefhArgs4(),
                                   GetattrArgs4{MakeObjectMask()});
    m_runner.WithoutDelegation(MakeFh(file),
                               [this, task, tracked = m_runner.Track(std::move(done))] {
                                   m_runner.Submit<FileReply>(task, nullptr, tracked);
                               });
}

void
Nfs4FileClient::List(const FileRef& dir,
                     uint64_t cookie,
                     uint64_t verifier,
                     uint32_t count,
                     bool plus,
                     Done<FileListReply> done)
{
    ReaddirArgs4 args;
    args.cookie = cookie;
    args.cookieVerifier = ToVerifier(verifier);
    args.dircount = count;
    args.maxcount = count;
    args.attrRequest = plus ? MakeEntryMask() : MakeNameMask();
    m_runner.Run<FileListReply>(
        MakeNfs4Task(false, PutfhArgs4{MakeFh(dir)}, std::move(args)),
        [plus](const Nfs4TaskReply& result, FileListReply& reply) {
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
                made.fileid =
                    entry.attributes.mountedOnFileid.value_or(entry.attributes.fileid.value_or(0));
                if (plus && entry.attributes.filehandle)
                {
                    made.object = MakeRef(*entry.attributes.filehandle);
                }
                if (plus && entry.attributes.type)
                {
                    made.attributes = MakeFileAttributes(entry.attributes);
                }
                reply.entries.push_back(std::move(made));
            }
        },
        std::move(done));
}

void
Nfs4FileClient::GetAcls(const FileRef& object, Done<FileAclReply> done)
{
    m_runner.Run<FileAclReply>(
        MakeNfs4Task(false,
                     PutfhArgs4{MakeFh(object)},
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
        std::move(done));
}

void
Nfs4FileClient::SetAcls(const FileRef& object,
                        const PosixAcl& access,
                        const PosixAcl& defaultAcl,
                        Done<FileReply> done)
{
    SetattrArgs4 args;
    // On what is no directory, the right to delete a child means nothing.
    args.attributes.acl = MakeNfs4Acl({access, defaultAcl}, true);
    const auto task = MakeNfs4Task(true, PutfhArgs4{MakeFh(object)}, std::move(args));
    m_runner.WithoutDelegation(MakeFh(object),
                               [this, task, tracked = m_runner.Track(std::move(done))] {
                                   m_runner.Submit<FileReply>(task, nullptr, tracked);
                               });
}

void
Nfs4FileClient::GetFileSystem(const FileRef& object, Done<FileSystemReply> done)
{
    m_runner.Run<FileSystemReply>(
        MakeNfs4Task(false, PutfhArgs4{MakeFh(object)}, GetattrArgs4{MakeStatFsMask()}),
        TakeFrom<GetattrRes4>([](const GetattrRes4& got, FileSystemReply& reply) {
            reply.totalBytes = got.attributes.spaceTotal.value_or(0);
            reply.freeBytes = got.attributes.spaceFree.value_or(0);
            reply.totalFiles = got.attributes.filesTotal.value_or(0);
            reply.freeFiles = got.attributes.filesFree.value_or(0);
        }),
        std::move(done));
}

} // namespace ns3::nfsrdma
