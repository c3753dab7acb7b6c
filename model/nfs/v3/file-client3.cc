/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/file-client3.h"

#include "nfs/types/rpc-file-calls.h"
#include "nfs/types/verifier-number.h"

#include <utility>
#include <variant>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs3FileClient);

namespace
{

NfsFh3
ToHandle(const FileRef& object)
{
    return NfsFh3(object.octets);
}

NfsFh3
ToHandle(const OpenFilePtr& file)
{
    return ToHandle(file->GetObject());
}

FileRef
ToFileRef(const NfsFh3& handle)
{
    const ByteSpan octets = handle.AsSpan();
    return {{octets.begin(), octets.end()}};
}

DirOpArgs3
ToDirOp(const FileName& where)
{
    return {ToHandle(where.dir), where.name};
}

/// The mode for the next try, where the server does not support this one.
CreateMode3
WeakenMode(CreateMode3 mode)
{
    return mode == CreateMode3::EXCLUSIVE ? CreateMode3::GUARDED : CreateMode3::UNCHECKED;
}

/// Carries operations out.
struct Nfs3FileCalls
{
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    Ptr<Nfs3Client> nfs;
    Ptr<NfsAcl3Client> acl;

    /// \return what takes results that are wcc_data of \p object.
    static auto TakeWcc(const FileRef& object)
    {
        return [object](const Wcc3Res& result, FileReply& reply) {
            AddNews(reply, object, result.wcc);
        };
    }

    void operator()(FileCall<FileGetAttributes>& call) const
    {
        nfs->Call(Getattr3Args{ToHandle(call.object)},
                  EndFileCall<Getattr3Res>(std::move(call.done),
                                           [object = call.object](const Getattr3Res& result,
                                                                  FileAttributesReply& reply) {
                                               reply.attributes = result.attributes;
                                               if (reply.IsOk())
                                               {
                                                   AddNews(reply, object, result.attributes);
                                               }
                                           }));
    }

    void operator()(FileCall<FileSetAttributes>& call) const
    {
        nfs->Call(Setattr3Args{ToHandle(call.object), call.changes, {}},
                  EndFileCall<Setattr3Res>(std::move(call.done), TakeWcc(call.object)));
    }

    void Lookup(const DirOpArgs3& where, Done<FileObjectReply> done) const
    {
        nfs->Call(Lookup3Args{where},
                  EndFileCall<Lookup3Res>(std::move(done),
                                          [dir = ToFileRef(where.dir)](const Lookup3Res& result,
                                                                       FileObjectReply& reply) {
                                              reply.object = ToFileRef(result.object);
                                              reply.attributes = result.objectAttributes;
                                              AddNews(reply, reply.object, result.objectAttributes);
                                              AddNews(reply, dir, result.dirAttributes);
                                          }));
    }

    void operator()(FileCall<FileLookup>& call) const
    {
        Lookup(ToDirOp(call.where), std::move(call.done));
    }

    void operator()(FileCall<FileAccess>& call) const
    {
        nfs->Call(Access3Args{ToHandle(call.object), call.wanted},
                  EndFileCall<Access3Res>(
                      std::move(call.done),
                      [object = call.object](const Access3Res& result, FileAccessReply& reply) {
                          reply.access = result.access;
                          AddNews(reply, object, result.attributes);
                      }));
    }

    void operator()(FileCall<FileReadLink>& call) const
    {
        nfs->Call(Readlink3Args{ToHandle(call.symlink)},
                  EndFileCall<Readlink3Res>(
                      std::move(call.done),
                      [object = call.symlink](const Readlink3Res& result, FileLinkReply& reply) {
                          AddNews(reply, object, result.attributes);
                          const ByteSpan path = result.path.octets;
                          reply.target.assign(path.begin(), path.end());
                      }));
    }

    void operator()(FileCall<FileOpen>& call) const
    {
        const DirOpArgs3 where = ToDirOp(call.where);
        if (call.how.create)
        {
            Create(where, call.how, call.done);
            return;
        }
        Lookup(where, EndFileOpen(std::move(call.done)));
    }

    void Create(const DirOpArgs3& where,
                const FileOpenHow& how,
                const Done<FileOpenReply>& done) const
    {
        Create3Args args;
        args.where = where;
        args.mode = how.mode;
        args.attributes = how.attributes;
        args.verifier = ToVerifier(how.verifier);
        nfs->Call(
            args,
            [self = *this, where, how, done](const RpcRecord& record, const Create3Res& result) {
                if (result.status == Nfs3Status::NOTSUPP && how.mode != CreateMode3::UNCHECKED)
                {
                    FileOpenHow weaker = how;
                    weaker.mode = WeakenMode(how.mode);
                    self.Create(where, weaker, done);
                    return;
                }
                auto made = MakeFileReply<FileObjectReply>(record, result.status);
                made.attributes = result.attributes;
                TakeMade(where, result, made);
                if (made.IsOk() && !result.object)
                {
                    self.Lookup(where, [self, how, done](const FileObjectReply& found) {
                        self.EndCreate(how, found, done);
                    });
                    return;
                }
                made.object = ToFileRef(result.object.value_or(NfsFh3()));
                self.EndCreate(how, made, done);
            });
    }

    /// What CREATE, MKDIR, ... told of the object and its directory.
    static void TakeMade(const DirOpArgs3& where, const Make3Res& result, FileReply& reply)
    {
        if (result.object)
        {
            AddNews(reply, ToFileRef(*result.object), result.attributes);
        }
        AddNews(reply, ToFileRef(where.dir), result.dirWcc);
    }

    void EndCreate(const FileOpenHow& how,
                   const FileObjectReply& made,
                   const Done<FileOpenReply>& done) const
    {
        if (!made.IsOk() || how.mode != CreateMode3::EXCLUSIVE)
        {
            EndFileOpen(done)(made);
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
        nfs->Call(args, [made, done](const RpcRecord& record, const Setattr3Res& result) {
            FileOpenReply reply;
            static_cast<FileObjectReply&>(reply) = made;
            reply.file = std::make_shared<HandleOpenFile>(made.object);
            reply.outcome = record.outcome;
            reply.status = static_cast<uint32_t>(result.status);
            reply.attributes = result.wcc.after;
            AddNews(reply, made.object, result.wcc);
            done(reply);
        });
    }

    void operator()(FileCall<FileClose>& call) const
    {
        EndFileCallSoon(std::move(call.done));
    }

    void operator()(FileCall<FileRead>& call) const
    {
        nfs->Call(
            Read3Args{ToHandle(call.file), call.offset, call.count},
            call.address,
            EndFileCall<Read3Res>(std::move(call.done),
                                  [file = call.file](const Read3Res& result, FileReadReply& reply) {
                                      reply.count = result.count;
                                      reply.eof = result.eof;
                                      AddNews(reply, file->GetObject(), result.attributes);
                                  }));
    }

    void operator()(FileCall<FileWrite>& call) const
    {
        nfs->Call(Write3Args{ToHandle(call.file), call.offset, call.count, call.stable, {}},
                  call.address,
                  EndFileCall<Write3Res>(
                      std::move(call.done),
                      [file = call.file](const Write3Res& result, FileWriteReply& reply) {
                          AddNews(reply, file->GetObject(), result.wcc);
                          reply.count = result.count;
                          reply.committed = result.committed;
                          reply.verifier = ToNumber(result.verifier);
                      }));
    }

    void operator()(FileCall<FileCommit>& call) const
    {
        nfs->Call(Commit3Args{ToHandle(call.file), call.offset, call.count},
                  EndFileCall<Commit3Res>(
                      std::move(call.done),
                      [file = call.file](const Commit3Res& result, FileCommitReply& reply) {
                          reply.verifier = ToNumber(result.verifier);
                          AddNews(reply, file->GetObject(), result.wcc.after);
                      }));
    }

    /// \return what ends MKDIR, SYMLINK and MKNOD.
    [[nodiscard]] Nfs3Completion<Make3Res> EndMake(const DirOpArgs3& where,
                                                   Done<FileObjectReply> done) const
    {
        return [self = *this, where, done = std::move(done)](const RpcRecord& record,
                                                             const Make3Res& result) {
            auto reply = MakeFileReply<FileObjectReply>(record, result.status);
            if (reply.IsOk() && !result.object)
            {
                self.Lookup(where, done);
                return;
            }
            reply.object = ToFileRef(result.object.value_or(NfsFh3()));
            reply.attributes = result.attributes;
            TakeMade(where, result, reply);
            done(reply);
        };
    }

    void operator()(FileCall<FileMakeDirectory>& call) const
    {
        const DirOpArgs3 where = ToDirOp(call.where);
        nfs->Call(Mkdir3Args{where, call.attributes}, EndMake(where, std::move(call.done)));
    }

    void operator()(FileCall<FileMakeSymlink>& call) const
    {
        const DirOpArgs3 where = ToDirOp(call.where);
        nfs->Call(Symlink3Args{where, call.attributes, Nfs3Data(call.target)},
                  EndMake(where, std::move(call.done)));
    }

    void operator()(FileCall<FileMakeNode>& call) const
    {
        const DirOpArgs3 where = ToDirOp(call.where);
        nfs->Call(Mknod3Args{where, call.type, call.attributes, call.device},
                  EndMake(where, std::move(call.done)));
    }

    void operator()(FileCall<FileRemove>& call) const
    {
        nfs->Call(Remove3Args{ToDirOp(call.where)},
                  EndFileCall<Remove3Res>(std::move(call.done), TakeWcc(call.where.dir)));
    }

    void operator()(FileCall<FileRemoveDirectory>& call) const
    {
        nfs->Call(Rmdir3Args{ToDirOp(call.where)},
                  EndFileCall<Rmdir3Res>(std::move(call.done), TakeWcc(call.where.dir)));
    }

    void operator()(FileCall<FileRename>& call) const
    {
        nfs->Call(
            Rename3Args{ToDirOp(call.from), ToDirOp(call.to)},
            EndFileCall<Rename3Res>(std::move(call.done),
                                    [from = call.from.dir,
                                     to = call.to.dir](const Rename3Res& result, FileReply& reply) {
                                        AddNews(reply, from, result.fromDirWcc);
                                        AddNews(reply, to, result.toDirWcc);
                                    }));
    }

    void operator()(FileCall<FileMakeLink>& call) const
    {
        nfs->Call(
            Link3Args{ToHandle(call.file), ToDirOp(call.where)},
            EndFileCall<Link3Res>(
                std::move(call.done),
                [file = call.file, dir = call.where.dir](const Link3Res& result, FileReply& reply) {
                    WccData changed;
                    changed.after = result.attributes;
                    AddNews(reply, file, changed);
                    AddNews(reply, dir, result.linkDirWcc);
                }));
    }

    void operator()(FileCall<FileList>& call) const
    {
        const NfsFh3 dir = ToHandle(call.dir);
        const Nfs3Verifier verifier = ToVerifier(call.verifier);
        const auto take = [object = call.dir](const auto& result, FileListReply& reply) {
            AddNews(reply, object, result.dirAttributes);
            reply.verifier = ToNumber(result.cookieVerifier);
            reply.eof = result.eof;
            for (const auto& entry : result.entries)
            {
                reply.entries.push_back(MakeEntry(entry));
            }
        };
        if (call.plus)
        {
            nfs->Call(Readdirplus3Args{dir, call.cookie, verifier, call.count, call.count},
                      EndFileCall<Readdirplus3Res>(std::move(call.done), take));
            return;
        }
        nfs->Call(Readdir3Args{dir, call.cookie, verifier, call.count},
                  EndFileCall<Readdir3Res>(std::move(call.done), take));
    }

    static FileListReply::Entry MakeEntry(const Entry3& entry)
    {
        return {entry.name, entry.cookie, entry.fileid, {}, {}, 0};
    }

    static FileListReply::Entry MakeEntry(const EntryPlus3& entry)
    {
        FileListReply::Entry listed{entry.name,
                                    entry.cookie,
                                    entry.fileid,
                                    {},
                                    entry.attributes,
                                    0};
        if (entry.attributes)
        {
            listed.change = MakeChange(entry.attributes->ctime);
        }
        if (entry.handle)
        {
            listed.object = ToFileRef(*entry.handle);
        }
        return listed;
    }

    void operator()(FileCall<FileGetAcls>& call) const
    {
        if (acl == nullptr)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::NOTSUPP);
            return;
        }
        acl->Call(Getacl3Args{ToHandle(call.object), NFS_ACL_MASK},
                  EndFileCall<Getacl3Res>(std::move(call.done), TakeAcls<Getacl3Res>));
    }

    void operator()(FileCall<FileSetAcls>& call) const
    {
        if (acl == nullptr)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::NOTSUPP);
            return;
        }
        acl->Call(MakeSetaclArgs<Setacl3Args>(ToHandle(call.object), call.acls),
                  EndFileCall<Setacl3Res>(
                      std::move(call.done),
                      [object = call.object](const Setacl3Res& result, FileReply& reply) {
                          WccData changed;
                          changed.after = result.attributes;
                          AddNews(reply, object, changed);
                      }));
    }

    void operator()(FileCall<FileGetFileSystem>& call) const
    {
        nfs->Call(Fsstat3Args{ToHandle(call.object)},
                  EndFileCall<Fsstat3Res>(std::move(call.done),
                                          [](const Fsstat3Res& result, FileSystemReply& reply) {
                                              reply.totalBytes = result.tbytes;
                                              reply.freeBytes = result.fbytes;
                                              reply.totalFiles = result.tfiles;
                                              reply.freeFiles = result.ffiles;
                                          }));
    }
};

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

void
Nfs3FileClient::Start(FileRequest&& request)
{
    std::visit(Nfs3FileCalls{m_nfs, m_acl}, request);
}

} // namespace ns3::nfsrdma
