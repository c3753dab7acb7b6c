/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mounted-files.h"

#include "nfs/v4/client/file-attributes.h"
#include "nfs/v4/client/masks.h"
#include "nfs/v4/client/mounted-files-run.h"
#include "nfs/v4/protocol/acl.h"

#include <algorithm>
#include <cstring>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs4FileClient);

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
                          MakeTimeAccessor(&Nfs4FileClient::m_offloadStatusDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Nfs4FileClient::Nfs4FileClient() = default;
Nfs4FileClient::~Nfs4FileClient() = default;

void
Nfs4FileClient::DoDispose()
{
    if (m_client)
    {
        m_client->SetLockNotice(nullptr);
    }
    m_client = nullptr;
    m_lockQueues.clear();
    m_lockWaits.clear();
    FileClient::DoDispose();
}

void
Nfs4FileClient::SetClient(Ptr<Nfs4CompoundClient> client)
{
    m_client = client;
    m_client->SetLockNotice([this](const CbNotifyLockArgs4& notice) { WakeLockWaits(notice); });
}

Ptr<Nfs4CompoundClient>
Nfs4FileClient::GetClient() const
{
    return m_client;
}

uint64_t
Nfs4FileClient::GetBytesRead() const
{
    return m_bytesRead;
}

uint64_t
Nfs4FileClient::GetBytesWritten() const
{
    return m_bytesWritten;
}

const FileRef&
Nfs4FileClient::GetRoot() const
{
    return m_root;
}

uint32_t
Nfs4FileClient::GetPending() const
{
    return m_pending;
}

Nfs4TaskPtr
Nfs4FileClient::MakeTask(Builder build, bool cacheThis)
{
    auto task = std::make_shared<Nfs4Task>();
    task->build = std::move(build);
    task->cacheThis = cacheThis;
    return task;
}

void
Nfs4FileClient::TakeNothing(const Nfs4TaskReply& /* result */, FileReply& /* reply */)
{
}

void
Nfs4FileClient::TakeObject(const Nfs4TaskReply& result, FileObjectReply& reply)
{
    if (const auto* handle = result.Find<GetfhRes4>())
    {
        reply.object = MakeRef(handle->object);
    }
    if (const auto* attributes = result.Find<GetattrRes4>())
    {
        reply.attributes = MakeFileAttributes(attributes->attributes);
    }
}

void
Nfs4FileClient::WithoutDelegation(const Nfs4Fh& file, std::function<void()> next)
{
    const auto delegation = m_client->GetHeld().FindDelegation(file);
    if (!delegation)
    {
        next();
        return;
    }
    m_client->ReturnDelegation(delegation, std::move(next));
}

void
Nfs4FileClient::WithoutDelegation(const Nfs4Name& name, std::function<void()> next)
{
    const auto delegation = m_client->GetHeld().FindByName(name, 0);
    if (!delegation)
    {
        next();
        return;
    }
    m_client->ReturnDelegation(delegation, std::move(next));
}

void
Nfs4FileClient::GetAttributes(const FileRef& object, Done<FileAttributesReply> done)
{
    const auto task = MakeTask(
        [object](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        false);
    Run<FileAttributesReply>(
        task,
        [](const Nfs4TaskReply& result, FileAttributesReply& reply) {
            if (const auto* got = result.Find<GetattrRes4>())
            {
                reply.attributes = MakeFileAttributes(got->attributes);
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::SetAttributes(const FileRef& object,
                              const std::shared_ptr<OpenFile>& file,
                              const Sattr3& changes,
                              Done<FileReply> done)
{
    const auto sent = std::make_shared<Nfs4StateId>();
    const auto task = MakeTask(
        [this, object, file, changes, sent](Compound4Args& compound) {
            SetattrArgs4 args;
            if (changes.size && file)
            {
                args.stateid = m_client->GetHeld().SelectStateId(MakeFh(object),
                                                                 OPEN4_SHARE_ACCESS_WRITE,
                                                                 m_client->HasSessions());
                *sent = args.stateid;
            }
            args.attributes = MakeSetAttributes(changes);
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(std::move(args));
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        true);
    if (changes.size && file)
    {
        task->open = ToOpenFile(file)->GetOpen();
        task->older = MakeOlder(task->open, sent);
    }
    const auto run = [this, task, tracked = Track(std::move(done))] {
        Run<FileReply>(task, TakeNothing, tracked);
    };
    if (changes.mode || changes.uid || changes.gid)
    {
        WithoutDelegation(MakeFh(object), run);
        return;
    }
    run();
}

void
Nfs4FileClient::Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done)
{
    const auto task = MakeTask(
        [dir, name](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(dir)});
            compound.ops.emplace_back(LookupArgs4{name});
            compound.ops.emplace_back(GetfhArgs4());
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        false);
    Run<FileObjectReply>(task, TakeObject, Track(std::move(done)));
}

void
Nfs4FileClient::Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done)
{
    const auto task = MakeTask(
        [object, wanted](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(AccessArgs4{wanted});
            compound.ops.emplace_back(GetattrArgs4{MakeConsistencyMask()});
        },
        false);
    Run<FileAccessReply>(
        task,
        [](const Nfs4TaskReply& result, FileAccessReply& reply) {
            if (const auto* got = result.Find<AccessRes4>())
            {
                reply.access = got->access;
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::ReadLink(const FileRef& symlink, Done<FileLinkReply> done)
{
    const auto task = MakeTask(
        [symlink](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(symlink)});
            compound.ops.emplace_back(ReadlinkArgs4());
        },
        false);
    Run<FileLinkReply>(
        task,
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
            m_client->GetHostMemory()->Read(result.message.items.front().address, reply.target);
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::Read(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     uint32_t count,
                     uint64_t address,
                     Done<FileReadReply> done)
{
    const auto opened = ToOpenFile(file);
    const auto sent = std::make_shared<Nfs4StateId>();
    const auto task = MakeTask(
        [this, opened, offset, count, sent](Compound4Args& compound) {
            const auto& handle = opened->GetOpen()->file;
            *sent = m_client->GetHeld().SelectStateId(handle,
                                                      OPEN4_SHARE_ACCESS_READ,
                                                      m_client->HasSessions());
            compound.ops.emplace_back(PutfhArgs4{handle});
            compound.ops.emplace_back(ReadArgs4{*sent, offset, count});
        },
        false);
    task->open = opened->GetOpen();
    task->older = MakeOlder(task->open, sent);
    task->places.push_back({count, address, true, nullptr});
    Run<FileReadReply>(
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
                m_client->GetHostMemory()->Write(address, got->data.octets);
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::Write(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      uint32_t count,
                      uint64_t address,
                      StableHow stable,
                      Done<FileWriteReply> done)
{
    const auto opened = ToOpenFile(file);
    const auto sent = std::make_shared<Nfs4StateId>();
    const auto task = MakeTask(
        [this, opened, offset, count, stable, sent](Compound4Args& compound) {
            const auto& handle = opened->GetOpen()->file;
            auto& held = m_client->GetHeld();
            WriteArgs4 args;
            args.stateid =
                held.SelectStateId(handle, OPEN4_SHARE_ACCESS_WRITE, m_client->HasSessions());
            *sent = args.stateid;
            args.offset = offset;
            args.stable = static_cast<StableHow4>(stable);
            args.data = Nfs3Data::Reduced(count);
            compound.ops.emplace_back(PutfhArgs4{handle});
            compound.ops.emplace_back(args);
            if (!opened->IsDirect() && !held.FindDelegation(handle))
            {
                compound.ops.emplace_back(GetattrArgs4{MakeWrittenMask()});
            }
        },
        false);
    task->open = opened->GetOpen();
    task->older = MakeOlder(task->open, sent);
    task->items.push_back({address, count, true, 0, nullptr});
    Run<FileWriteReply>(
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
            const auto delegation = m_client->GetHeld().FindDelegation(opened->GetOpen()->file);
            if (delegation && delegation->type == OpenDelegationType4::WRITE)
            {
                delegation->size = std::max(delegation->size.value_or(0), offset + got->count);
                delegation->change = delegation->change.value_or(0) + 1;
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::Commit(const std::shared_ptr<OpenFile>& file,
                       uint64_t offset,
                       uint32_t count,
                       Done<FileCommitReply> done)
{
    const auto opened = ToOpenFile(file);
    const auto task = MakeTask(
        [opened, offset, count](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{opened->GetOpen()->file});
            compound.ops.emplace_back(CommitArgs4{offset, count});
        },
        true);
    Run<FileCommitReply>(
        task,
        [](const Nfs4TaskReply& result, FileCommitReply& reply) {
            if (const auto* got = result.Find<CommitRes4>())
            {
                reply.verifier = ToNumber(got->verifier);
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::List(const FileRef& dir,
                     uint64_t cookie,
                     uint64_t verifier,
                     uint32_t count,
                     bool plus,
                     Done<FileListReply> done)
{
    const auto task = MakeTask(
        [dir, cookie, verifier, count, plus](Compound4Args& compound) {
            ReaddirArgs4 args;
            args.cookie = cookie;
            args.cookieVerifier = ToVerifier(verifier);
            args.dircount = count;
            args.maxcount = count;
            args.attrRequest = plus ? MakeEntryMask() : MakeNameMask();
            compound.ops.emplace_back(PutfhArgs4{MakeFh(dir)});
            compound.ops.emplace_back(std::move(args));
        },
        false);
    Run<FileListReply>(
        task,
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
        Track(std::move(done)));
}

void
Nfs4FileClient::GetAcls(const FileRef& object, Done<FileAclReply> done)
{
    const auto task = MakeTask(
        [object](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(GetattrArgs4{MakeAttrMask({Nfs4Attr::ACL})});
        },
        false);
    Run<FileAclReply>(
        task,
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
        Track(std::move(done)));
}

void
Nfs4FileClient::SetAcls(const FileRef& object,
                        const PosixAcl& access,
                        const PosixAcl& defaultAcl,
                        Done<FileReply> done)
{
    const auto task = MakeTask(
        [object, access, defaultAcl](Compound4Args& compound) {
            SetattrArgs4 args;
            // On what is no directory, the right to delete a child means nothing.
            args.attributes.acl = MakeNfs4Acl({access, defaultAcl}, true);
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(std::move(args));
        },
        true);
    WithoutDelegation(MakeFh(object), [this, task, tracked = Track(std::move(done))] {
        Run<FileReply>(task, TakeNothing, tracked);
    });
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
Nfs4FileClient::GetFileSystem(const FileRef& object, Done<FileSystemReply> done)
{
    const auto task = MakeTask(
        [object](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(GetattrArgs4{MakeStatFsMask()});
        },
        false);
    Run<FileSystemReply>(
        task,
        [](const Nfs4TaskReply& result, FileSystemReply& reply) {
            if (const auto* got = result.Find<GetattrRes4>())
            {
                reply.totalBytes = got->attributes.spaceTotal.value_or(0);
                reply.freeBytes = got->attributes.spaceFree.value_or(0);
                reply.totalFiles = got->attributes.filesTotal.value_or(0);
                reply.freeFiles = got->attributes.filesFree.value_or(0);
            }
        },
        Track(std::move(done)));
}

} // namespace ns3::nfsrdma
