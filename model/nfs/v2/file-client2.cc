/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/file-client2.h"

#include "nfs/types/acl-file-calls.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs2FileClient);

namespace
{

/// A file is open when its handle is known.
class Nfs2OpenFile : public OpenFile
{
  public:
    explicit Nfs2OpenFile(FileRef object)
        : m_object(std::move(object))
    {
    }

    const FileRef& GetObject() const override
    {
        return m_object;
    }

  private:
    FileRef m_object;
};

FileRef
ToFileRef(const Nfs2Fh& handle)
{
    return {{handle.octets.begin(), handle.octets.end()}};
}

template <typename Reply>
Reply
MakeReply(const RpcRecord& record, Nfs2Status status)
{
    Reply reply;
    reply.outcome = record.outcome;
    reply.status = static_cast<uint32_t>(status);
    reply.repeated = record.transmissions > 1;
    return reply;
}

template <typename Reply>
Reply
MakeFailure(Nfs3Status status)
{
    Reply reply;
    reply.status = static_cast<uint32_t>(status);
    return reply;
}

uint32_t
WeighAccess(const Fattr3& attributes, const FileCredential& who, uint32_t wanted)
{
    uint32_t access = 0;
    if (MayAccess(attributes, who, MAY_READ))
    {
        access |= ACCESS3_READ;
    }
    if (MayAccess(attributes, who, MAY_WRITE))
    {
        access |=
            ACCESS3_MODIFY | ACCESS3_EXTEND | (attributes.type == Ftype3::DIR ? ACCESS3_DELETE : 0);
    }
    if (MayAccess(attributes, who, MAY_EXECUTE))
    {
        access |= attributes.type == Ftype3::DIR ? ACCESS3_LOOKUP : ACCESS3_EXECUTE;
    }
    return access & wanted;
}

} // namespace

Nfs2Fh
Nfs2FileClient::ToHandle(const FileRef& object)
{
    return Nfs2Fh(NfsFh3(
        ByteSpan(object.octets).first(std::min<std::size_t>(object.octets.size(), NFS2_FHSIZE))));
}

TypeId
Nfs2FileClient::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::Nfs2FileClient")
                            .SetParent<FileClient>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<Nfs2FileClient>()
                            .AddAttribute("Acls",
                                          "Whether access lists go by NFSACL version 2. Default: "
                                          "no, as Linux's client, which has none over NFSv2.",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&Nfs2FileClient::m_acls),
                                          MakeBooleanChecker());
    return tid;
}

Nfs2FileClient::Nfs2FileClient() = default;
Nfs2FileClient::~Nfs2FileClient() = default;

void
Nfs2FileClient::DoDispose()
{
    m_nfs = nullptr;
    m_acl = nullptr;
    m_memory = nullptr;
    FileClient::DoDispose();
}

void
Nfs2FileClient::SetClient(Ptr<Nfs2Client> nfs)
{
    m_nfs = nfs;
}

void
Nfs2FileClient::SetHostMemory(Ptr<HostMemory> memory)
{
    m_memory = memory;
}

void
Nfs2FileClient::SetCredential(const FileCredential& credential)
{
    m_credential = credential;
}

uint32_t
Nfs2FileClient::GetTransferSize() const
{
    return std::min(FileClient::GetTransferSize(), NFS2_MAXDATA);
}

uint32_t
Nfs2FileClient::GetPending() const
{
    return m_pending;
}

template <typename Reply>
FileClient::Done<Reply>
Nfs2FileClient::Track(Done<Reply> done)
{
    ++m_pending;
    return [self = Ptr<Nfs2FileClient>(this), done = std::move(done)](const Reply& reply) {
        --self->m_pending;
        done(reply);
    };
}

template <typename Reply>
void
Nfs2FileClient::EndSoon(const Reply& reply, Done<Reply> done)
{
    Simulator::ScheduleNow([reply, tracked = Track<Reply>(std::move(done))] { tracked(reply); });
}

StubCompletion<Status2Res>
Nfs2FileClient::Finish(Done<FileReply> done)
{
    return [tracked = Track<FileReply>(std::move(done))](const RpcRecord& record,
                                                         const Status2Res& result) {
        tracked(MakeReply<FileReply>(record, result.status));
    };
}

StubCompletion<DirOp2Res>
Nfs2FileClient::FinishObject(Done<FileObjectReply> done)
{
    return [done = std::move(done)](const RpcRecord& record, const DirOp2Res& result) {
        auto reply = MakeReply<FileObjectReply>(record, result.status);
        reply.object = ToFileRef(result.object);
        reply.attributes = result.attributes.ToFattr3();
        done(reply);
    };
}

void
Nfs2FileClient::Mount(Done<FileReply> done)
{
    EndSoon(FileReply(), std::move(done));
}

void
Nfs2FileClient::Unmount(Done<FileReply> done)
{
    EndSoon(FileReply(), std::move(done));
}

void
Nfs2FileClient::GetAttributes(const FileRef& object, Done<FileAttributesReply> done)
{
    m_nfs->Call<Nfs2Getattr>({ToHandle(object)},
                             [tracked = Track<FileAttributesReply>(std::move(
                                  done))](const RpcRecord& record, const Attr2Res& result) {
                                 auto reply = MakeReply<FileAttributesReply>(record, result.status);
                                 reply.attributes = result.attributes.ToFattr3();
                                 tracked(reply);
                             });
}

void
Nfs2FileClient::SetAttributes(const FileRef& object,
                              const std::shared_ptr<OpenFile>& /* file */,
                              const Sattr3& changes,
                              Done<FileReply> done)
{
    if (changes.size && *changes.size > MAX_FILE_SIZE)
    {
        EndSoon(MakeFailure<FileReply>(Nfs3Status::FBIG), std::move(done));
        return;
    }
    m_nfs->Call<Nfs2Setattr>({ToHandle(object), Sattr2::Make(changes)},
                             [tracked = Track<FileReply>(std::move(done))](const RpcRecord& record,
                                                                           const Attr2Res& result) {
                                 tracked(MakeReply<FileReply>(record, result.status));
                             });
}

void
Nfs2FileClient::Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done)
{
    m_nfs->Call<Nfs2Lookup>({ToHandle(dir), name},
                            FinishObject(Track<FileObjectReply>(std::move(done))));
}

void
Nfs2FileClient::Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done)
{
    m_nfs->Call<Nfs2Getattr>(
        {ToHandle(object)},
        [who = m_credential, wanted, tracked = Track<FileAccessReply>(std::move(done))](
            const RpcRecord& record,
            const Attr2Res& result) {
            auto reply = MakeReply<FileAccessReply>(record, result.status);
            reply.access = WeighAccess(result.attributes.ToFattr3(), who, wanted);
            tracked(reply);
        });
}

void
Nfs2FileClient::ReadLink(const FileRef& symlink, Done<FileLinkReply> done)
{
    m_nfs->Readlink({ToHandle(symlink)},
                    [tracked = Track<FileLinkReply>(std::move(done))](const RpcRecord& record,
                                                                      const Readlink2Res& result) {
                        auto reply = MakeReply<FileLinkReply>(record, result.status);
                        const ByteSpan path = result.path.octets;
                        reply.target.assign(path.begin(), path.end());
                        tracked(reply);
                    });
}

void
Nfs2FileClient::Open(const FileRef& dir,
                     const std::string& name,
                     const FileOpenHow& how,
                     Done<FileOpenReply> done)
{
    const auto tracked = Track<FileOpenReply>(std::move(done));
    const DirOp2Args where{ToHandle(dir), name};
    const Create2Args create{where, Sattr2::Make(how.attributes)};
    if (how.create && how.mode == CreateMode3::UNCHECKED)
    {
        Create(create, tracked);
        return;
    }
    m_nfs->Call<Nfs2Lookup>(where,
                            FinishObject([self = Ptr<Nfs2FileClient>(this), how, create, tracked](
                                             const FileObjectReply& found) {
                                const bool isMissing =
                                    found.outcome == RpcOutcome::SUCCESS &&
                                    found.status == static_cast<uint32_t>(Nfs2Status::NOENT);
                                if (how.create && isMissing)
                                {
                                    self->Create(create, tracked);
                                    return;
                                }
                                FileOpenReply reply;
                                static_cast<FileObjectReply&>(reply) = found;
                                if (how.create && found.IsOk())
                                {
                                    reply.status = static_cast<uint32_t>(Nfs2Status::EXIST);
                                }
                                if (reply.IsOk())
                                {
                                    reply.file = std::make_shared<Nfs2OpenFile>(found.object);
                                }
                                tracked(reply);
                            }));
}

void
Nfs2FileClient::Create(const Create2Args& args, const Done<FileOpenReply>& done)
{
    m_nfs->Call<Nfs2Create>(args, FinishObject([done](const FileObjectReply& made) {
                                FileOpenReply reply;
                                static_cast<FileObjectReply&>(reply) = made;
                                if (reply.IsOk())
                                {
                                    reply.file = std::make_shared<Nfs2OpenFile>(made.object);
                                }
                                done(reply);
                            }));
}

void
Nfs2FileClient::Close(const std::shared_ptr<OpenFile>& /* file */, Done<FileReply> done)
{
    EndSoon(FileReply(), std::move(done));
}

void
Nfs2FileClient::Read(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     uint32_t count,
                     uint64_t address,
                     Done<FileReadReply> done)
{
    if (offset >= MAX_FILE_SIZE)
    {
        FileReadReply reply;
        reply.eof = true;
        EndSoon(reply, std::move(done));
        return;
    }
    const auto within = static_cast<uint32_t>(std::min<uint64_t>(count, MAX_FILE_SIZE - offset));
    m_nfs->Read({ToHandle(file->GetObject()),
                 static_cast<uint32_t>(offset),
                 std::min(within, NFS2_MAXDATA),
                 0},
                address,
                [offset, tracked = Track<FileReadReply>(std::move(done))](const RpcRecord& record,
                                                                          const Read2Res& result) {
                    auto reply = MakeReply<FileReadReply>(record, result.status);
                    reply.count = result.data.length;
                    reply.eof = offset + reply.count >= result.attributes.size;
                    tracked(reply);
                });
}

void
Nfs2FileClient::Write(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      uint32_t count,
                      uint64_t address,
                      StableHow /* stable */,
                      Done<FileWriteReply> done)
{
    if (offset > MAX_FILE_SIZE || count > MAX_FILE_SIZE - offset)
    {
        EndSoon(MakeFailure<FileWriteReply>(Nfs3Status::FBIG), std::move(done));
        return;
    }
    Write2Args args;
    args.file = ToHandle(file->GetObject());
    args.offset = static_cast<uint32_t>(offset);
    args.data.length = std::min(count, NFS2_MAXDATA);
    m_nfs->Write(args,
                 address,
                 [sent = args.data.length,
                  tracked = Track<FileWriteReply>(std::move(done))](const RpcRecord& record,
                                                                    const Attr2Res& result) {
                     auto reply = MakeReply<FileWriteReply>(record, result.status);
                     reply.count = sent;
                     reply.committed = StableHow::FILE_SYNC;
                     tracked(reply);
                 });
}

void
Nfs2FileClient::Commit(const std::shared_ptr<OpenFile>& /* file */,
                       uint64_t /* offset */,
                       uint32_t /* count */,
                       Done<FileCommitReply> done)
{
    EndSoon(FileCommitReply(), std::move(done));
}

void
Nfs2FileClient::MakeDirectory(const FileRef& dir,
                              const std::string& name,
                              const Sattr3& attributes,
                              Done<FileObjectReply> done)
{
    m_nfs->Call<Nfs2Mkdir>({{ToHandle(dir), name}, Sattr2::Make(attributes)},
                           FinishObject(Track<FileObjectReply>(std::move(done))));
}

void
Nfs2FileClient::MakeSymlink(const FileRef& dir,
                            const std::string& name,
                            ByteSpan target,
                            const Sattr3& attributes,
                            Done<FileObjectReply> done)
{
    if (target.size() > NFS2_MAXPATHLEN)
    {
        EndSoon(MakeFailure<FileObjectReply>(Nfs3Status::NAMETOOLONG), std::move(done));
        return;
    }
    Symlink2Args args;
    args.where = {ToHandle(dir), name};
    args.path.length = static_cast<uint32_t>(target.size());
    args.attributes = Sattr2::Make(attributes);
    const auto path = std::make_shared<HostBuffer>(m_memory, std::max<uint64_t>(target.size(), 1));
    path->Write(0, target);
    m_nfs->Symlink(args,
                   path->GetAddress(),
                   [self = Ptr<Nfs2FileClient>(this),
                    path,
                    where = args.where,
                    tracked = Track<FileObjectReply>(std::move(done))](const RpcRecord& record,
                                                                       const Status2Res& result) {
                       const auto reply = MakeReply<FileObjectReply>(record, result.status);
                       if (!reply.IsOk())
                       {
                           tracked(reply);
                           return;
                       }
                       self->m_nfs->Call<Nfs2Lookup>(where, FinishObject(tracked));
                   });
}

void
Nfs2FileClient::MakeNode(const FileRef& dir,
                         const std::string& name,
                         Ftype3 type,
                         SpecData3 device,
                         const Sattr3& attributes,
                         Done<FileObjectReply> done)
{
    const Create2Args args{{ToHandle(dir), name}, Sattr2::MakeNode(type, device, attributes)};
    m_nfs->Call<Nfs2Create>(args, FinishObject(Track<FileObjectReply>(std::move(done))));
}

void
Nfs2FileClient::Remove(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    m_nfs->Call<Nfs2Remove>({ToHandle(dir), name}, Finish(std::move(done)));
}

void
Nfs2FileClient::RemoveDirectory(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    m_nfs->Call<Nfs2Rmdir>({ToHandle(dir), name}, Finish(std::move(done)));
}

void
Nfs2FileClient::Rename(const FileRef& fromDir,
                       const std::string& fromName,
                       const FileRef& toDir,
                       const std::string& toName,
                       Done<FileReply> done)
{
    m_nfs->Call<Nfs2Rename>({{ToHandle(fromDir), fromName}, {ToHandle(toDir), toName}},
                            Finish(std::move(done)));
}

void
Nfs2FileClient::Link(const FileRef& file,
                     const FileRef& dir,
                     const std::string& name,
                     Done<FileReply> done)
{
    m_nfs->Call<Nfs2Link>({ToHandle(file), {ToHandle(dir), name}}, Finish(std::move(done)));
}

void
Nfs2FileClient::List(const FileRef& dir,
                     uint64_t cookie,
                     uint64_t /* verifier */,
                     uint32_t count,
                     bool /* plus */,
                     Done<FileListReply> done)
{
    m_nfs->Readdir(
        {ToHandle(dir), static_cast<uint32_t>(cookie), std::min(count, NFS2_MAXDATA)},
        [tracked = Track<FileListReply>(std::move(done))](const RpcRecord& record,
                                                          const Readdir2Res& result) {
            auto reply = MakeReply<FileListReply>(record, result.status);
            reply.eof = result.eof;
            for (const Entry2& entry : result.entries)
            {
                reply.entries.push_back({entry.name, entry.cookie, entry.fileid, {}, {}});
            }
            tracked(reply);
        });
}

void
Nfs2FileClient::GetFileSystem(const FileRef& object, Done<FileSystemReply> done)
{
    m_nfs->Call<Nfs2Statfs>({ToHandle(object)},
                            [tracked = Track<FileSystemReply>(std::move(
                                 done))](const RpcRecord& record, const Statfs2Res& result) {
                                auto reply = MakeReply<FileSystemReply>(record, result.status);
                                reply.totalBytes = uint64_t{result.blocks} * result.bsize;
                                reply.freeBytes = uint64_t{result.bfree} * result.bsize;
                                tracked(reply);
                            });
}

void
Nfs2FileClient::SetAclClient(Ptr<NfsAcl2Client> acl)
{
    m_acl = acl;
}

bool
Nfs2FileClient::HasAcls() const
{
    return m_acls && m_acl != nullptr;
}

void
Nfs2FileClient::GetAcls(const FileRef& object, Done<FileAclReply> done)
{
    if (!HasAcls())
    {
        EndSoon(MakeFailure<FileAclReply>(Nfs3Status::NOTSUPP), std::move(done));
        return;
    }
    m_acl->Getacl({ToHandle(object), NFS_ACL_MASK},
                  [tracked = Track<FileAclReply>(std::move(done))](const RpcRecord& record,
                                                                   const Getacl2Res& result) {
                      FileAclReply reply;
                      reply.outcome = record.outcome;
                      reply.status = static_cast<uint32_t>(result.status);
                      TakeAcls(reply, result);
                      tracked(reply);
                  });
}

void
Nfs2FileClient::SetAcls(const FileRef& object,
                        const PosixAcl& access,
                        const PosixAcl& defaultAcl,
                        Done<FileReply> done)
{
    if (!HasAcls())
    {
        EndSoon(MakeFailure<FileReply>(Nfs3Status::NOTSUPP), std::move(done));
        return;
    }
    m_acl->Setacl(MakeSetaclArgs<Setacl2Args>(ToHandle(object), access, defaultAcl),
                  [tracked = Track<FileReply>(std::move(done))](const RpcRecord& record,
                                                                const Attr2Res& result) {
                      FileReply reply;
                      reply.outcome = record.outcome;
                      reply.status = static_cast<uint32_t>(result.status);
                      tracked(reply);
                  });
}

} // namespace ns3::nfsrdma
