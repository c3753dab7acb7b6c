/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/file-client2.h"

#include "nfs/types/rpc-file-calls.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs2FileClient);

namespace
{

FileRef
ToFileRef(const Nfs2Fh& handle)
{
    return {{handle.octets.begin(), handle.octets.end()}};
}

Nfs2Fh
ToHandle2(const FileRef& object)
{
    return Nfs2Fh(NfsFh3(
        ByteSpan(object.octets).first(std::min<std::size_t>(object.octets.size(), NFS2_FHSIZE))));
}

DirOp2Args
ToDirOp2(const FileName& where)
{
    return {ToHandle2(where.dir), where.name};
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

/// Carries operations out.
struct Nfs2FileCalls
{
    template <typename Reply>
    using Done = FileClient::Done<Reply>;

    Ptr<Nfs2Client> nfs;
    Ptr<NfsAcl2Client> acl; ///< Null: access lists cannot be asked for.
    Ptr<HostMemory> memory;
    FileCredential credential;

    /// An operation that takes no RPC.
    template <typename Request>
    void operator()(FileCall<Request>& call) const
    {
        EndFileCallSoon(std::move(call.done));
    }

    static void TakeAttributes(FileReply& reply, const FileRef& object, const Fattr2& attributes)
    {
        if (reply.IsOk())
        {
            AddNews(reply, object, attributes.ToFattr3());
        }
    }

    /// \return what takes attrstat of an operation that has changed \p object.
    static auto TakeChanged(const FileRef& object)
    {
        return [object](const Attr2Res& result, FileReply& reply) {
            WccData changed;
            if (reply.IsOk())
            {
                changed.after = result.attributes.ToFattr3();
            }
            AddNews(reply, object, changed);
        };
    }

    /// \return \p done, told that the directories have changed.
    template <typename Reply>
    static Done<Reply> WithChanged(std::vector<FileRef> directories, Done<Reply> done)
    {
        return [directories = std::move(directories), done = std::move(done)](const Reply& got) {
            Reply reply = got;
            for (const FileRef& directory : directories)
            {
                AddUntoldNews(reply, directory);
            }
            done(reply);
        };
    }

    void operator()(FileCall<FileGetAttributes>& call) const
    {
        nfs->Call<Nfs2Getattr>(
            {ToHandle2(call.object)},
            EndFileCall<Attr2Res>(
                std::move(call.done),
                [object = call.object](const Attr2Res& result, FileAttributesReply& reply) {
                    reply.attributes = result.attributes.ToFattr3();
                    TakeAttributes(reply, object, result.attributes);
                }));
    }

    void operator()(FileCall<FileSetAttributes>& call) const
    {
        const Sattr3& changes = call.changes;
        if (changes.size && *changes.size > Nfs2FileClient::MAX_FILE_SIZE)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::FBIG);
            return;
        }
        nfs->Call<Nfs2Setattr>(
            {ToHandle2(call.object), Sattr2::Make(changes)},
            EndFileCall<Attr2Res, FileReply>(std::move(call.done), TakeChanged(call.object)));
    }

    /// \return what ends an operation that finds or makes an object.
    [[nodiscard]] static StubCompletion<DirOp2Res> EndObject(Done<FileObjectReply> done)
    {
        return EndFileCall<DirOp2Res>(std::move(done),
                                      [](const DirOp2Res& result, FileObjectReply& reply) {
                                          reply.object = ToFileRef(result.object);
                                          reply.attributes = result.attributes.ToFattr3();
                                          TakeAttributes(reply, reply.object, result.attributes);
                                      });
    }

    void operator()(FileCall<FileLookup>& call) const
    {
        nfs->Call<Nfs2Lookup>(ToDirOp2(call.where), EndObject(std::move(call.done)));
    }

    void operator()(FileCall<FileAccess>& call) const
    {
        nfs->Call<Nfs2Getattr>(
            {ToHandle2(call.object)},
            EndFileCall<Attr2Res>(std::move(call.done),
                                  [who = credential, wanted = call.wanted, object = call.object](
                                      const Attr2Res& result,
                                      FileAccessReply& reply) {
                                      reply.access =
                                          WeighAccess(result.attributes.ToFattr3(), who, wanted);
                                      TakeAttributes(reply, object, result.attributes);
                                  }));
    }

    void operator()(FileCall<FileReadLink>& call) const
    {
        nfs->Readlink(
            {ToHandle2(call.symlink)},
            EndFileCall<Readlink2Res>(std::move(call.done),
                                      [](const Readlink2Res& result, FileLinkReply& reply) {
                                          const ByteSpan path = result.path.octets;
                                          reply.target.assign(path.begin(), path.end());
                                      }));
    }

    void operator()(FileCall<FileOpen>& call) const
    {
        const DirOp2Args where = ToDirOp2(call.where);
        const Create2Args create{where, Sattr2::Make(call.how.attributes)};
        if (call.how.create && call.how.mode == CreateMode3::UNCHECKED)
        {
            nfs->Call<Nfs2Create>(
                create,
                EndObject(EndFileOpen(WithChanged({call.where.dir}, std::move(call.done)))));
            return;
        }
        nfs->Call<Nfs2Lookup>(
            where,
            EndObject([self = *this,
                       creates = call.how.create,
                       create,
                       dir = call.where.dir,
                       done = std::move(call.done)](const FileObjectReply& found) {
                const bool isMissing = found.outcome == RpcOutcome::SUCCESS &&
                                       found.status == static_cast<uint32_t>(Nfs2Status::NOENT);
                if (creates && isMissing)
                {
                    self.nfs->Call<Nfs2Create>(create,
                                               EndObject(EndFileOpen(WithChanged({dir}, done))));
                    return;
                }
                FileObjectReply reply = found;
                if (creates && found.IsOk())
                {
                    reply.status = static_cast<uint32_t>(Nfs2Status::EXIST);
                }
                EndFileOpen(done)(reply);
            }));
    }

    void operator()(FileCall<FileRead>& call) const
    {
        const uint64_t offset = call.offset;
        if (offset >= Nfs2FileClient::MAX_FILE_SIZE)
        {
            FileReadReply reply;
            reply.eof = true;
            EndFileCallSoon(std::move(call.done), std::move(reply));
            return;
        }
        const auto within = static_cast<uint32_t>(
            std::min<uint64_t>(call.count, Nfs2FileClient::MAX_FILE_SIZE - offset));
        nfs->Read({ToHandle2(call.file->GetObject()),
                   static_cast<uint32_t>(offset),
                   std::min(within, NFS2_MAXDATA),
                   0},
                  call.address,
                  EndFileCall<Read2Res>(
                      std::move(call.done),
                      [offset, file = call.file](const Read2Res& result, FileReadReply& reply) {
                          reply.count = result.data.length;
                          TakeAttributes(reply, file->GetObject(), result.attributes);
                          reply.eof = offset + reply.count >= result.attributes.size;
                      }));
    }

    void operator()(FileCall<FileWrite>& call) const
    {
        constexpr uint64_t MOST = Nfs2FileClient::MAX_FILE_SIZE;
        if (call.offset > MOST || call.count > MOST - call.offset)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::FBIG);
            return;
        }
        Write2Args args;
        args.file = ToHandle2(call.file->GetObject());
        args.offset = static_cast<uint32_t>(call.offset);
        args.data.length = std::min(call.count, NFS2_MAXDATA);
        nfs->Write(args,
                   call.address,
                   EndFileCall<Attr2Res>(
                       std::move(call.done),
                       [sent = args.data.length, file = call.file](const Attr2Res& result,
                                                                   FileWriteReply& reply) {
                           TakeChanged(file->GetObject())(result, reply);
                           reply.count = sent;
                           reply.committed = StableHow::FILE_SYNC;
                       }));
    }

    void operator()(FileCall<FileMakeDirectory>& call) const
    {
        nfs->Call<Nfs2Mkdir>({ToDirOp2(call.where), Sattr2::Make(call.attributes)},
                             EndObject(WithChanged({call.where.dir}, std::move(call.done))));
    }

    void operator()(FileCall<FileMakeSymlink>& call) const
    {
        const auto& target = call.target;
        if (target.size() > NFS2_MAXPATHLEN)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::NAMETOOLONG);
            return;
        }
        Symlink2Args args;
        args.where = ToDirOp2(call.where);
        args.path.length = static_cast<uint32_t>(target.size());
        args.attributes = Sattr2::Make(call.attributes);
        const auto path =
            std::make_shared<HostBuffer>(memory, std::max<uint64_t>(target.size(), 1));
        path->Write(0, target);
        nfs->Symlink(
            args,
            path->GetAddress(),
            [nfs = nfs,
             path,
             where = args.where,
             done = WithChanged({call.where.dir}, std::move(call.done))](const RpcRecord& record,
                                                                         const Status2Res& result) {
                const auto reply = MakeFileReply<FileObjectReply>(record, result.status);
                if (!reply.IsOk())
                {
                    done(reply);
                    return;
                }
                nfs->Call<Nfs2Lookup>(where, EndObject(done));
            });
    }

    void operator()(FileCall<FileMakeNode>& call) const
    {
        nfs->Call<Nfs2Create>(
            {ToDirOp2(call.where), Sattr2::MakeNode(call.type, call.device, call.attributes)},
            EndObject(WithChanged({call.where.dir}, std::move(call.done))));
    }

    void operator()(FileCall<FileRemove>& call) const
    {
        nfs->Call<Nfs2Remove>(
            ToDirOp2(call.where),
            EndFileCall<Status2Res>(WithChanged({call.where.dir}, std::move(call.done))));
    }

    void operator()(FileCall<FileRemoveDirectory>& call) const
    {
        nfs->Call<Nfs2Rmdir>(
            ToDirOp2(call.where),
            EndFileCall<Status2Res>(WithChanged({call.where.dir}, std::move(call.done))));
    }

    void operator()(FileCall<FileRename>& call) const
    {
        nfs->Call<Nfs2Rename>({ToDirOp2(call.from), ToDirOp2(call.to)},
                              EndFileCall<Status2Res>(
                                  WithChanged({call.from.dir, call.to.dir}, std::move(call.done))));
    }

    void operator()(FileCall<FileMakeLink>& call) const
    {
        nfs->Call<Nfs2Link>({ToHandle2(call.file), ToDirOp2(call.where)},
                            EndFileCall<Status2Res>(
                                WithChanged({call.where.dir, call.file}, std::move(call.done))));
    }

    void operator()(FileCall<FileList>& call) const
    {
        nfs->Readdir({ToHandle2(call.dir),
                      static_cast<uint32_t>(call.cookie),
                      std::min(call.count, NFS2_MAXDATA)},
                     EndFileCall<Readdir2Res>(
                         std::move(call.done),
                         [](const Readdir2Res& result, FileListReply& reply) {
                             reply.eof = result.eof;
                             for (const Entry2& entry : result.entries)
                             {
                                 reply.entries.push_back(
                                     {entry.name, entry.cookie, entry.fileid, {}, {}, 0});
                             }
                         }));
    }

    void operator()(FileCall<FileGetFileSystem>& call) const
    {
        nfs->Call<Nfs2Statfs>(
            {ToHandle2(call.object)},
            EndFileCall<Statfs2Res>(std::move(call.done),
                                    [](const Statfs2Res& result, FileSystemReply& reply) {
                                        reply.totalBytes = uint64_t{result.blocks} * result.bsize;
                                        reply.freeBytes = uint64_t{result.bfree} * result.bsize;
                                    }));
    }

    void operator()(FileCall<FileGetAcls>& call) const
    {
        if (acl == nullptr)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::NOTSUPP);
            return;
        }
        acl->Getacl({ToHandle2(call.object), NFS_ACL_MASK},
                    EndFileCall<Getacl2Res>(std::move(call.done), TakeAcls<Getacl2Res>));
    }

    void operator()(FileCall<FileSetAcls>& call) const
    {
        if (acl == nullptr)
        {
            FailFileCallSoon(std::move(call.done), Nfs3Status::NOTSUPP);
            return;
        }
        // What sets all says truly that it failed, how often it may be sent.
        acl->Call<AclSetacl2>(
            MakeSetaclArgs<Setacl2Args>(ToHandle2(call.object), call.acls),
            EndFileCall<Attr2Res>(std::move(call.done),
                                  [object = call.object](const Attr2Res& result, FileReply& reply) {
                                      TakeChanged(object)(result, reply);
                                      reply.repeated = false;
                                  }));
    }
};

} // namespace

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

void
Nfs2FileClient::DoDispose()
{
    m_nfs = nullptr;
    m_acl = nullptr;
    m_memory = nullptr;
    FileClient::DoDispose();
}

uint32_t
Nfs2FileClient::GetTransferSize() const
{
    return std::min(FileClient::GetTransferSize(), NFS2_MAXDATA);
}

void
Nfs2FileClient::Start(FileRequest&& request)
{
    std::visit(Nfs2FileCalls{m_nfs, m_acls ? m_acl : nullptr, m_memory, m_credential}, request);
}

} // namespace ns3::nfsrdma
