/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/file-client3.h"

#include "nfs/types/acl-file-calls.h"
#include "nfs/types/verifier-number.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs3FileClient);

namespace
{

/// A file is open when its handle is known.
class Nfs3OpenFile : public OpenFile
{
  public:
    explicit Nfs3OpenFile(FileRef object)
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

NfsFh3
ToHandle(const FileRef& object)
{
    return NfsFh3(object.octets);
}

NfsFh3
ToHandle(const std::shared_ptr<OpenFile>& file)
{
    return ToHandle(file->GetObject());
}

FileRef
ToFileRef(const NfsFh3& handle)
{
    const ByteSpan octets = handle.AsSpan();
    return {{octets.begin(), octets.end()}};
}

template <typename Reply>
Reply
MakeReply(const RpcRecord& record, Nfs3Status status)
{
    Reply reply;
    reply.outcome = record.outcome;
    reply.status = static_cast<uint32_t>(status);
    reply.repeated = record.transmissions > 1;
    return reply;
}

/// The mode for the next try, where the server does not support this one.
CreateMode3
WeakenMode(CreateMode3 mode)
{
    return mode == CreateMode3::EXCLUSIVE ? CreateMode3::GUARDED : CreateMode3::UNCHECKED;
}

} // namespace

TypeId
Nfs3FileClient::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::Nfs3FileClient")
                            .SetParent<FileClient>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<Nfs3FileClient>();
    return tid;
}

Nfs3FileClient::Nfs3FileClient() = default;
Nfs3FileClient::~Nfs3FileClient() = default;

void
Nfs3FileClient::DoDispose()
{
    m_nfs = nullptr;
    m_acl = nullptr;
    FileClient::DoDispose();
}

void
Nfs3FileClient::SetClients(const Ptr<Nfs3Client>& nfs, const Ptr<NfsAcl3Client>& acl)
{
    m_nfs = nfs;
    m_acl = acl;
}

uint32_t
Nfs3FileClient::GetPending() const
{
    return m_pending;
}

template <typename Reply>
FileClient::Done<Reply>
Nfs3FileClient::Track(Done<Reply> done)
{
    ++m_pending;
    return [self = Ptr<Nfs3FileClient>(this), done = std::move(done)](const Reply& reply) {
        --self->m_pending;
        done(reply);
    };
}

template <typename Reply>
void
Nfs3FileClient::EndSoon(const Reply& reply, Done<Reply> done)
{
    Simulator::ScheduleNow([reply, tracked = Track<Reply>(std::move(done))] { tracked(reply); });
}

template <typename Result>
Nfs3Completion<Result>
Nfs3FileClient::Finish(Done<FileReply> done)
{
    return [tracked = Track<FileReply>(std::move(done))](const RpcRecord& record,
                                                         const Result& result) {
        tracked(MakeReply<FileReply>(record, result.status));
    };
}

void
Nfs3FileClient::Mount(Done<FileReply> done)
{
    EndSoon(FileReply(), std::move(done));
}

void
Nfs3FileClient::Unmount(Done<FileReply> done)
{
    EndSoon(FileReply(), std::move(done));
}

void
Nfs3FileClient::GetAttributes(const FileRef& object, Done<FileAttributesReply> done)
{
    m_nfs->Getattr({ToHandle(object)},
                   [tracked = Track<FileAttributesReply>(
                        std::move(done))](const RpcRecord& record, const Getattr3Res& result) {
                       auto reply = MakeReply<FileAttributesReply>(record, result.status);
                       reply.attributes = result.attributes;
                       tracked(reply);
                   });
}

void
Nfs3FileClient::SetAttributes(const FileRef& object,
                              const std::shared_ptr<OpenFile>& /* file */,
                              const Sattr3& changes,
                              Done<FileReply> done)
{
    m_nfs->Setattr({ToHandle(object), changes, {}}, Finish<Setattr3Res>(std::move(done)));
}

void
Nfs3FileClient::LookupUntracked(const DirOpArgs3& where, const Done<FileObjectReply>& done)
{
    m_nfs->Lookup({where}, [done](const RpcRecord& record, const Lookup3Res& result) {
        auto reply = MakeReply<FileObjectReply>(record, result.status);
        reply.object = ToFileRef(result.object);
        reply.attributes = result.objectAttributes;
        done(reply);
    });
}

void
Nfs3FileClient::Lookup(const FileRef& dir, const std::string& name, Done<FileObjectReply> done)
{
    LookupUntracked({ToHandle(dir), name}, Track<FileObjectReply>(std::move(done)));
}

void
Nfs3FileClient::Access(const FileRef& object, uint32_t wanted, Done<FileAccessReply> done)
{
    m_nfs->Access({ToHandle(object), wanted},
                  [tracked = Track<FileAccessReply>(std::move(done))](const RpcRecord& record,
                                                                      const Access3Res& result) {
                      auto reply = MakeReply<FileAccessReply>(record, result.status);
                      reply.access = result.access;
                      tracked(reply);
                  });
}

void
Nfs3FileClient::ReadLink(const FileRef& symlink, Done<FileLinkReply> done)
{
    m_nfs->Readlink({ToHandle(symlink)},
                    [tracked = Track<FileLinkReply>(std::move(done))](const RpcRecord& record,
                                                                      const Readlink3Res& result) {
                        auto reply = MakeReply<FileLinkReply>(record, result.status);
                        const ByteSpan path = result.path.octets;
                        reply.target.assign(path.begin(), path.end());
                        tracked(reply);
                    });
}

void
Nfs3FileClient::Open(const FileRef& dir,
                     const std::string& name,
                     const FileOpenHow& how,
                     Done<FileOpenReply> done)
{
    const DirOpArgs3 where{ToHandle(dir), name};
    const auto tracked = Track<FileOpenReply>(std::move(done));
    if (how.create)
    {
        Create(where, how, tracked);
        return;
    }
    LookupUntracked(where, [tracked](const FileObjectReply& found) {
        FileOpenReply reply;
        static_cast<FileObjectReply&>(reply) = found;
        if (reply.IsOk())
        {
            reply.file = std::make_shared<Nfs3OpenFile>(found.object);
        }
        tracked(reply);
    });
}

void
Nfs3FileClient::Create(const DirOpArgs3& where,
                       const FileOpenHow& how,
                       const Done<FileOpenReply>& done)
{
    Create3Args args;
    args.where = where;
    args.mode = how.mode;
    args.attributes = how.attributes;
    args.verifier = ToVerifier(how.verifier);
    m_nfs->Create(
        args,
        [self = Ptr<Nfs3FileClient>(this), where, how, done](const RpcRecord& record,
                                                             const Create3Res& result) {
            if (result.status == Nfs3Status::NOTSUPP && how.mode != CreateMode3::UNCHECKED)
            {
                FileOpenHow weaker = how;
                weaker.mode = WeakenMode(how.mode);
                self->Create(where, weaker, done);
                return;
            }
            auto made = MakeReply<FileObjectReply>(record, result.status);
            made.attributes = result.attributes;
            if (made.IsOk() && !result.object)
            {
                self->LookupUntracked(where, [self, how, done](const FileObjectReply& found) {
                    self->EndCreate(how, found, done);
                });
                return;
            }
            made.object = ToFileRef(result.object.value_or(NfsFh3()));
            self->EndCreate(how, made, done);
        });
}

void
Nfs3FileClient::EndCreate(const FileOpenHow& how,
                          const FileObjectReply& made,
                          const Done<FileOpenReply>& done)
{
    FileOpenReply reply;
    static_cast<FileObjectReply&>(reply) = made;
    if (!reply.IsOk())
    {
        done(reply);
        return;
    }
    reply.file = std::make_shared<Nfs3OpenFile>(made.object);
    if (how.mode != CreateMode3::EXCLUSIVE)
    {
        done(reply);
        return;
    }
    // The server may keep the verifier in the times.
    Setattr3Args args{ToHandle(made.object), how.attributes, {}};
    for (auto* time : {&args.attributes.atime, &args.attributes.mtime})
    {
        if (time->how == TimeHow::DONT_CHANGE)
        {
            time->how = TimeHow::SET_TO_SERVER_TIME;
        }
    }
    m_nfs->Setattr(args, [reply, done](const RpcRecord& record, const Setattr3Res& result) mutable {
        reply.outcome = record.outcome;
        reply.status = static_cast<uint32_t>(result.status);
        reply.attributes = result.wcc.after;
        done(reply);
    });
}

void
Nfs3FileClient::Close(const std::shared_ptr<OpenFile>& /* file */, Done<FileReply> done)
{
    EndSoon(FileReply(), std::move(done));
}

void
Nfs3FileClient::Read(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     uint32_t count,
                     uint64_t address,
                     Done<FileReadReply> done)
{
    m_nfs->Read({ToHandle(file), offset, count},
                address,
                [tracked = Track<FileReadReply>(std::move(done))](const RpcRecord& record,
                                                                  const Read3Res& result) {
                    auto reply = MakeReply<FileReadReply>(record, result.status);
                    reply.count = result.count;
                    reply.eof = result.eof;
                    tracked(reply);
                });
}

void
Nfs3FileClient::Write(const std::shared_ptr<OpenFile>& file,
                      uint64_t offset,
                      uint32_t count,
                      uint64_t address,
                      StableHow stable,
                      Done<FileWriteReply> done)
{
    m_nfs->Write({ToHandle(file), offset, count, stable, {}},
                 address,
                 [tracked = Track<FileWriteReply>(std::move(done))](const RpcRecord& record,
                                                                    const Write3Res& result) {
                     auto reply = MakeReply<FileWriteReply>(record, result.status);
                     reply.count = result.count;
                     reply.committed = result.committed;
                     reply.verifier = ToNumber(result.verifier);
                     tracked(reply);
                 });
}

void
Nfs3FileClient::Commit(const std::shared_ptr<OpenFile>& file,
                       uint64_t offset,
                       uint32_t count,
                       Done<FileCommitReply> done)
{
    m_nfs->Commit({ToHandle(file), offset, count},
                  [tracked = Track<FileCommitReply>(std::move(done))](const RpcRecord& record,
                                                                      const Commit3Res& result) {
                      auto reply = MakeReply<FileCommitReply>(record, result.status);
                      reply.verifier = ToNumber(result.verifier);
                      tracked(reply);
                  });
}

Nfs3Completion<Make3Res>
Nfs3FileClient::FinishMake(const DirOpArgs3& where, Done<FileObjectReply> done)
{
    return [self = Ptr<Nfs3FileClient>(this),
            where,
            tracked = Track<FileObjectReply>(std::move(done))](const RpcRecord& record,
                                                               const Make3Res& result) {
        auto reply = MakeReply<FileObjectReply>(record, result.status);
        if (reply.IsOk() && !result.object)
        {
            self->LookupUntracked(where, tracked);
            return;
        }
        reply.object = ToFileRef(result.object.value_or(NfsFh3()));
        reply.attributes = result.attributes;
        tracked(reply);
    };
}

void
Nfs3FileClient::MakeDirectory(const FileRef& dir,
                              const std::string& name,
                              const Sattr3& attributes,
                              Done<FileObjectReply> done)
{
    const DirOpArgs3 where{ToHandle(dir), name};
    m_nfs->Mkdir({where, attributes}, FinishMake(where, std::move(done)));
}

void
Nfs3FileClient::MakeSymlink(const FileRef& dir,
                            const std::string& name,
                            ByteSpan target,
                            const Sattr3& attributes,
                            Done<FileObjectReply> done)
{
    const DirOpArgs3 where{ToHandle(dir), name};
    m_nfs->Symlink({where, attributes, Nfs3Data(target)}, FinishMake(where, std::move(done)));
}

void
Nfs3FileClient::MakeNode(const FileRef& dir,
                         const std::string& name,
                         Ftype3 type,
                         SpecData3 device,
                         const Sattr3& attributes,
                         Done<FileObjectReply> done)
{
    const DirOpArgs3 where{ToHandle(dir), name};
    m_nfs->Mknod({where, type, attributes, device}, FinishMake(where, std::move(done)));
}

void
Nfs3FileClient::Remove(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    m_nfs->Remove({{ToHandle(dir), name}}, Finish<Remove3Res>(std::move(done)));
}

void
Nfs3FileClient::RemoveDirectory(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    m_nfs->Rmdir({{ToHandle(dir), name}}, Finish<Rmdir3Res>(std::move(done)));
}

void
Nfs3FileClient::Rename(const FileRef& fromDir,
                       const std::string& fromName,
                       const FileRef& toDir,
                       const std::string& toName,
                       Done<FileReply> done)
{
    m_nfs->Rename({{ToHandle(fromDir), fromName}, {ToHandle(toDir), toName}},
                  Finish<Rename3Res>(std::move(done)));
}

void
Nfs3FileClient::Link(const FileRef& file,
                     const FileRef& dir,
                     const std::string& name,
                     Done<FileReply> done)
{
    m_nfs->Link({ToHandle(file), {ToHandle(dir), name}}, Finish<Link3Res>(std::move(done)));
}

void
Nfs3FileClient::List(const FileRef& dir,
                     uint64_t cookie,
                     uint64_t verifier,
                     uint32_t count,
                     bool plus,
                     Done<FileListReply> done)
{
    const auto tracked = Track<FileListReply>(std::move(done));
    if (!plus)
    {
        m_nfs->Readdir(
            {ToHandle(dir), cookie, ToVerifier(verifier), count},
            [tracked](const RpcRecord& record, const Readdir3Res& result) {
                auto reply = MakeReply<FileListReply>(record, result.status);
                reply.verifier = ToNumber(result.cookieVerifier);
                reply.eof = result.eof;
                for (const auto& entry : result.entries)
                {
                    reply.entries.push_back({entry.name, entry.cookie, entry.fileid, {}, {}});
                }
                tracked(reply);
            });
        return;
    }
    m_nfs->Readdirplus({ToHandle(dir), cookie, ToVerifier(verifier), count, count},
                       [tracked](const RpcRecord& record, const Readdirplus3Res& result) {
                           auto reply = MakeReply<FileListReply>(record, result.status);
                           reply.verifier = ToNumber(result.cookieVerifier);
                           reply.eof = result.eof;
                           for (const auto& entry : result.entries)
                           {
                               FileListReply::Entry listed{entry.name,
                                                           entry.cookie,
                                                           entry.fileid,
                                                           {},
                                                           entry.attributes};
                               if (entry.handle)
                               {
                                   listed.object = ToFileRef(*entry.handle);
                               }
                               reply.entries.push_back(std::move(listed));
                           }
                           tracked(reply);
                       });
}

void
Nfs3FileClient::GetAcls(const FileRef& object, Done<FileAclReply> done)
{
    if (m_acl == nullptr)
    {
        FileAclReply reply;
        reply.status = static_cast<uint32_t>(Nfs3Status::NOTSUPP);
        EndSoon(reply, std::move(done));
        return;
    }
    m_acl->Getacl({ToHandle(object), NFS_ACL_MASK},
                  [tracked = Track<FileAclReply>(std::move(done))](const RpcRecord& record,
                                                                   const Getacl3Res& result) {
                      auto reply = MakeReply<FileAclReply>(record, result.status);
                      TakeAcls(reply, result);
                      tracked(reply);
                  });
}

void
Nfs3FileClient::SetAcls(const FileRef& object,
                        const PosixAcl& access,
                        const PosixAcl& defaultAcl,
                        Done<FileReply> done)
{
    if (m_acl == nullptr)
    {
        FileReply reply;
        reply.status = static_cast<uint32_t>(Nfs3Status::NOTSUPP);
        EndSoon(reply, std::move(done));
        return;
    }
    const auto args = MakeSetaclArgs<Setacl3Args>(ToHandle(object), access, defaultAcl);
    m_acl->Setacl(args, Finish<Setacl3Res>(std::move(done)));
}

void
Nfs3FileClient::GetFileSystem(const FileRef& object, Done<FileSystemReply> done)
{
    m_nfs->Fsstat({ToHandle(object)},
                  [tracked = Track<FileSystemReply>(std::move(done))](const RpcRecord& record,
                                                                      const Fsstat3Res& result) {
                      auto reply = MakeReply<FileSystemReply>(record, result.status);
                      reply.totalBytes = result.tbytes;
                      reply.freeBytes = result.fbytes;
                      reply.totalFiles = result.tfiles;
                      reply.freeFiles = result.ffiles;
                      tracked(reply);
                  });
}

} // namespace ns3::nfsrdma
