/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/calls2.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(Nfs2Calls);
NS_OBJECT_ENSURE_REGISTERED(NfsAcl2Calls);

namespace
{

DirOp2Args
ToDirOp2(const DirOpArgs3& where)
{
    return {Nfs2Fh(where.dir), where.name};
}

/// \return results with the status of a reply; SERVERFAULT when none came.
template <typename Result>
Result
MakeResult(const RpcRecord& record, Nfs2Status status)
{
    Result result;
    result.status = record.outcome == RpcOutcome::SUCCESS ? static_cast<Nfs3Status>(status)
                                                          : Nfs3Status::SERVERFAULT;
    return result;
}

/// \return the end of a call of whose results there is the status alone.
template <typename Result>
StubCompletion<Status2Res>
EndStatus(Nfs3Completion<Result> completion)
{
    return [completion = std::move(completion)](RpcRecord& record, const Status2Res& got) {
        completion(record, MakeResult<Result>(record, got.status));
    };
}

StubCompletion<DirOp2Res>
EndMake(Nfs3Completion<Make3Res> completion)
{
    return [completion = std::move(completion)](RpcRecord& record, const DirOp2Res& got) {
        auto result = MakeResult<Make3Res>(record, got.status);
        if (result.status == Nfs3Status::OK)
        {
            result.object = NfsFh3(got.object.octets);
            result.attributes = got.attributes.ToFattr3();
        }
        completion(record, result);
    };
}

/// Ends a call that version 2 has not.
template <typename Result>
uint32_t
RefuseSoon(Nfs3Completion<Result> completion)
{
    Simulator::ScheduleNow([completion = std::move(completion)] {
        RpcRecord record;
        Result result;
        result.status = Nfs3Status::NOTSUPP;
        record.programStatus = static_cast<uint32_t>(result.status);
        completion(record, result);
    });
    return 0;
}

} // namespace

TypeId
Nfs2Calls::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::Nfs2Calls")
                            .SetParent<Nfs3Calls>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<Nfs2Calls>();
    return tid;
}

Nfs2Calls::Nfs2Calls() = default;
Nfs2Calls::~Nfs2Calls() = default;

void
Nfs2Calls::DoDispose()
{
    m_client = nullptr;
    m_memory = nullptr;
    Nfs3Calls::DoDispose();
}

void
Nfs2Calls::SetClient(const Ptr<Nfs2Client>& client, const Ptr<HostMemory>& memory)
{
    m_client = client;
    m_memory = memory;
}

uint32_t
Nfs2Calls::Null(Nfs3Completion<Null3Res> completion)
{
    return m_client->Call<Nfs2Null>(
        {},
        [completion = std::move(completion)](RpcRecord& record, const XdrVoid&) {
            completion(record, MakeResult<Null3Res>(record, Nfs2Status::OK));
        });
}

uint32_t
Nfs2Calls::Getattr(const Getattr3Args& args, Nfs3Completion<Getattr3Res> completion)
{
    return m_client->Call<Nfs2Getattr>(
        {Nfs2Fh(args.object)},
        [completion = std::move(completion)](RpcRecord& record, const Attr2Res& got) {
            auto result = MakeResult<Getattr3Res>(record, got.status);
            result.attributes = got.attributes.ToFattr3();
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Setattr(const Setattr3Args& args, Nfs3Completion<Setattr3Res> completion)
{
    return m_client->Call<Nfs2Setattr>(
        {Nfs2Fh(args.object), Sattr2::Make(args.attributes)},
        [completion = std::move(completion)](RpcRecord& record, const Attr2Res& got) {
            auto result = MakeResult<Setattr3Res>(record, got.status);
            if (result.status == Nfs3Status::OK)
            {
                result.wcc.after = got.attributes.ToFattr3();
            }
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Lookup(const Lookup3Args& args, Nfs3Completion<Lookup3Res> completion)
{
    return m_client->Call<Nfs2Lookup>(
        ToDirOp2(args.what),
        [completion = std::move(completion)](RpcRecord& record, const DirOp2Res& got) {
            auto result = MakeResult<Lookup3Res>(record, got.status);
            if (result.status == Nfs3Status::OK)
            {
                result.object = NfsFh3(got.object.octets);
                result.objectAttributes = got.attributes.ToFattr3();
            }
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Access(const Access3Args& /* args */, Nfs3Completion<Access3Res> completion)
{
    return RefuseSoon(std::move(completion));
}

uint32_t
Nfs2Calls::Readlink(const Readlink3Args& args, Nfs3Completion<Readlink3Res> completion)
{
    return m_client->Readlink(
        {Nfs2Fh(args.symlink)},
        [completion = std::move(completion)](RpcRecord& record, const Readlink2Res& got) {
            auto result = MakeResult<Readlink3Res>(record, got.status);
            result.path = got.path;
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Read(const Read3Args& args, uint64_t address, Nfs3Completion<Read3Res> completion)
{
    return m_client->Read(
        {Nfs2Fh(args.file), static_cast<uint32_t>(args.offset), args.count, 0},
        address,
        [offset = args.offset, completion = std::move(completion)](RpcRecord& record,
                                                                   const Read2Res& got) {
            auto result = MakeResult<Read3Res>(record, got.status);
            if (result.status == Nfs3Status::OK)
            {
                result.attributes = got.attributes.ToFattr3();
                result.count = got.data.length;
                result.eof = offset + result.count >= got.attributes.size;
                result.data = got.data;
            }
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Write(const Write3Args& args, uint64_t address, Nfs3Completion<Write3Res> completion)
{
    Write2Args sent;
    sent.file = Nfs2Fh(args.file);
    sent.offset = static_cast<uint32_t>(args.offset);
    sent.data.length = args.count;
    return m_client->Write(
        sent,
        address,
        [count = args.count, completion = std::move(completion)](RpcRecord& record,
                                                                 const Attr2Res& got) {
            auto result = MakeResult<Write3Res>(record, got.status);
            if (result.status == Nfs3Status::OK)
            {
                result.wcc.after = got.attributes.ToFattr3();
                result.count = count;
            }
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Create(const Create3Args& args, Nfs3Completion<Create3Res> completion)
{
    return m_client->Call<Nfs2Create>({ToDirOp2(args.where), Sattr2::Make(args.attributes)},
                                      EndMake(std::move(completion)));
}

uint32_t
Nfs2Calls::Mkdir(const Mkdir3Args& args, Nfs3Completion<Mkdir3Res> completion)
{
    return m_client->Call<Nfs2Mkdir>({ToDirOp2(args.where), Sattr2::Make(args.attributes)},
                                     EndMake(std::move(completion)));
}

uint32_t
Nfs2Calls::Symlink(const Symlink3Args& args, Nfs3Completion<Symlink3Res> completion)
{
    const ByteSpan path = args.path.octets;
    const auto buffer = std::make_shared<HostBuffer>(m_memory, std::max<uint64_t>(path.size(), 1));
    buffer->Write(0, path);
    Symlink2Args sent;
    sent.where = ToDirOp2(args.where);
    sent.path.length = static_cast<uint32_t>(path.size());
    sent.attributes = Sattr2::Make(args.attributes);
    return m_client->Symlink(
        sent,
        buffer->GetAddress(),
        [buffer, end = EndStatus(std::move(completion))](RpcRecord& record, const Status2Res& got) {
            end(record, got);
        });
}

uint32_t
Nfs2Calls::Mknod(const Mknod3Args& args, Nfs3Completion<Mknod3Res> completion)
{
    return m_client->Call<Nfs2Create>(
        {ToDirOp2(args.where), Sattr2::MakeNode(args.type, args.spec, args.attributes)},
        EndMake(std::move(completion)));
}

uint32_t
Nfs2Calls::Remove(const Remove3Args& args, Nfs3Completion<Remove3Res> completion)
{
    return m_client->Call<Nfs2Remove>(ToDirOp2(args.object), EndStatus(std::move(completion)));
}

uint32_t
Nfs2Calls::Rmdir(const Rmdir3Args& args, Nfs3Completion<Rmdir3Res> completion)
{
    return m_client->Call<Nfs2Rmdir>(ToDirOp2(args.object), EndStatus(std::move(completion)));
}

uint32_t
Nfs2Calls::Rename(const Rename3Args& args, Nfs3Completion<Rename3Res> completion)
{
    return m_client->Call<Nfs2Rename>({ToDirOp2(args.from), ToDirOp2(args.to)},
                                      EndStatus(std::move(completion)));
}

uint32_t
Nfs2Calls::Link(const Link3Args& args, Nfs3Completion<Link3Res> completion)
{
    return m_client->Call<Nfs2Link>({Nfs2Fh(args.file), ToDirOp2(args.link)},
                                    EndStatus(std::move(completion)));
}

uint32_t
Nfs2Calls::Readdir(const Readdir3Args& args, Nfs3Completion<Readdir3Res> completion)
{
    return m_client->Readdir(
        {Nfs2Fh(args.dir), static_cast<uint32_t>(args.cookie), args.count},
        [completion = std::move(completion)](RpcRecord& record, const Readdir2Res& got) {
            auto result = MakeResult<Readdir3Res>(record, got.status);
            for (const Entry2& entry : got.entries)
            {
                result.entries.push_back({entry.fileid, entry.name, entry.cookie});
            }
            result.eof = got.eof;
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Readdirplus(const Readdirplus3Args& /* args */,
                       Nfs3Completion<Readdirplus3Res> completion)
{
    return RefuseSoon(std::move(completion));
}

uint32_t
Nfs2Calls::Fsstat(const Fsstat3Args& args, Nfs3Completion<Fsstat3Res> completion)
{
    return m_client->Call<Nfs2Statfs>(
        {Nfs2Fh(args.fsroot)},
        [completion = std::move(completion)](RpcRecord& record, const Statfs2Res& got) {
            auto result = MakeResult<Fsstat3Res>(record, got.status);
            result.tbytes = uint64_t{got.blocks} * got.bsize;
            result.fbytes = uint64_t{got.bfree} * got.bsize;
            result.abytes = uint64_t{got.bavail} * got.bsize;
            completion(record, result);
        });
}

uint32_t
Nfs2Calls::Fsinfo(const Fsinfo3Args& /* args */, Nfs3Completion<Fsinfo3Res> completion)
{
    return RefuseSoon(std::move(completion));
}

uint32_t
Nfs2Calls::Pathconf(const Pathconf3Args& /* args */, Nfs3Completion<Pathconf3Res> completion)
{
    return RefuseSoon(std::move(completion));
}

uint32_t
Nfs2Calls::Commit(const Commit3Args& /* args */, Nfs3Completion<Commit3Res> completion)
{
    return RefuseSoon(std::move(completion));
}

TypeId
NfsAcl2Calls::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NfsAcl2Calls")
                            .SetParent<NfsAcl3Calls>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NfsAcl2Calls>();
    return tid;
}

NfsAcl2Calls::NfsAcl2Calls() = default;
NfsAcl2Calls::~NfsAcl2Calls() = default;

void
NfsAcl2Calls::DoDispose()
{
    m_client = nullptr;
    NfsAcl3Calls::DoDispose();
}

void
NfsAcl2Calls::SetClient(const Ptr<NfsAcl2Client>& client)
{
    m_client = client;
}

uint32_t
NfsAcl2Calls::Null(Nfs3Completion<Null3Res> completion)
{
    return m_client->Null([completion = std::move(completion)](RpcRecord& record, const XdrVoid&) {
        completion(record, MakeResult<Null3Res>(record, Nfs2Status::OK));
    });
}

uint32_t
NfsAcl2Calls::Getacl(const Getacl3Args& args, Nfs3Completion<Getacl3Res> completion)
{
    return m_client->Getacl(
        {Nfs2Fh(args.object), args.mask},
        [completion = std::move(completion)](RpcRecord& record, const Getacl2Res& got) {
            auto result = MakeResult<Getacl3Res>(record, got.status);
            if (result.status == Nfs3Status::OK)
            {
                result.attributes = got.attributes.ToFattr3();
                result.mask = got.mask;
                result.access = got.access;
                result.defaultAcl = got.defaultAcl;
            }
            completion(record, result);
        });
}

uint32_t
NfsAcl2Calls::Setacl(const Setacl3Args& args, Nfs3Completion<Setacl3Res> completion)
{
    return m_client->Setacl(
        {Nfs2Fh(args.object), args.mask, args.access, args.defaultAcl},
        [completion = std::move(completion)](RpcRecord& record, const Attr2Res& got) {
            auto result = MakeResult<Setacl3Res>(record, got.status);
            if (result.status == Nfs3Status::OK)
            {
                result.attributes = got.attributes.ToFattr3();
            }
            completion(record, result);
        });
}

} // namespace ns3::nfsrdma
