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

/// \return the end of a call whose results \p fill makes of good ones.
template <typename Got, typename Result, typename Fill>
StubCompletion<Got>
End(Nfs3Completion<Result>& completion, Fill fill)
{
    return [completion = std::move(completion), fill = std::move(fill)](RpcRecord& record,
                                                                        const Got& got) {
        auto result = MakeResult<Result>(record, got.status);
        if (result.status == Nfs3Status::OK)
        {
            fill(got, result);
        }
        completion(record, result);
    };
}

/// \return the end of a call of whose results there is the status alone.
template <typename Result>
StubCompletion<Status2Res>
EndStatus(Nfs3Completion<Result>& completion)
{
    return End<Status2Res>(completion, [](const Status2Res&, Result&) {});
}

template <typename Result>
StubCompletion<XdrVoid>
EndNull(Nfs3Completion<Result>& completion)
{
    return [completion = std::move(completion)](RpcRecord& record, const XdrVoid&) {
        completion(record, MakeResult<Result>(record, Nfs2Status::OK));
    };
}

StubCompletion<DirOp2Res>
EndMake(Nfs3Completion<Make3Res>& completion)
{
    return End<DirOp2Res>(completion, [](const DirOp2Res& got, Make3Res& result) {
        result.object = NfsFh3(got.object.octets);
        result.attributes = got.attributes.ToFattr3();
    });
}

/// Submits the call of version 2 for each of version 3.
struct Nfs2Submission
{
    Ptr<Nfs2Client> client;
    Ptr<HostMemory> memory;

    /// Ends a call that version 2 has not.
    template <typename Args>
    uint32_t operator()(Nfs3Call<Args>& call) const
    {
        Simulator::ScheduleNow([completion = std::move(call.completion)] {
            RpcRecord record;
            typename Args::Result result;
            result.status = Nfs3Status::NOTSUPP;
            record.programStatus = static_cast<uint32_t>(result.status);
            completion(record, result);
        });
        return 0;
    }

    uint32_t operator()(Nfs3Call<Null3Args>& call) const
    {
        return client->Call<Nfs2Null>({}, EndNull(call.completion));
    }

    uint32_t operator()(Nfs3Call<Getattr3Args>& call) const
    {
        return client->Call<Nfs2Getattr>(
            {Nfs2Fh(call.args.object)},
            End<Attr2Res>(call.completion, [](const Attr2Res& got, Getattr3Res& result) {
                result.attributes = got.attributes.ToFattr3();
            }));
    }

    uint32_t operator()(Nfs3Call<Setattr3Args>& call) const
    {
        return client->Call<Nfs2Setattr>(
            {Nfs2Fh(call.args.object), Sattr2::Make(call.args.attributes)},
            End<Attr2Res>(call.completion, [](const Attr2Res& got, Setattr3Res& result) {
                result.wcc.after = got.attributes.ToFattr3();
            }));
    }

    uint32_t operator()(Nfs3Call<Lookup3Args>& call) const
    {
        return client->Call<Nfs2Lookup>(
            ToDirOp2(call.args.what),
            End<DirOp2Res>(call.completion, [](const DirOp2Res& got, Lookup3Res& result) {
                result.object = NfsFh3(got.object.octets);
                result.objectAttributes = got.attributes.ToFattr3();
            }));
    }

    uint32_t operator()(Nfs3Call<Readlink3Args>& call) const
    {
        return client->Readlink(
            {Nfs2Fh(call.args.symlink)},
            End<Readlink2Res>(call.completion, [](const Readlink2Res& got, Readlink3Res& result) {
                result.path = got.path;
            }));
    }

    uint32_t operator()(Nfs3Call<Read3Args>& call) const
    {
        const auto& args = call.args;
        return client->Read(
            {Nfs2Fh(args.file), static_cast<uint32_t>(args.offset), args.count, 0},
            call.address,
            End<Read2Res>(call.completion,
                          [offset = args.offset](const Read2Res& got, Read3Res& result) {
                              result.attributes = got.attributes.ToFattr3();
                              result.count = got.data.length;
                              result.eof = offset + result.count >= got.attributes.size;
                              result.data = got.data;
                          }));
    }

    uint32_t operator()(Nfs3Call<Write3Args>& call) const
    {
        Write2Args sent;
        sent.file = Nfs2Fh(call.args.file);
        sent.offset = static_cast<uint32_t>(call.args.offset);
        sent.data.length = call.args.count;
        return client->Write(
            sent,
            call.address,
            End<Attr2Res>(call.completion,
                          [count = call.args.count](const Attr2Res& got, Write3Res& result) {
                              result.wcc.after = got.attributes.ToFattr3();
                              result.count = count;
                          }));
    }

    uint32_t operator()(Nfs3Call<Create3Args>& call) const
    {
        return client->Call<Nfs2Create>(
            {ToDirOp2(call.args.where), Sattr2::Make(call.args.attributes)},
            EndMake(call.completion));
    }

    uint32_t operator()(Nfs3Call<Mkdir3Args>& call) const
    {
        return client->Call<Nfs2Mkdir>(
            {ToDirOp2(call.args.where), Sattr2::Make(call.args.attributes)},
            EndMake(call.completion));
    }

    uint32_t operator()(Nfs3Call<Symlink3Args>& call) const
    {
        const ByteSpan path = call.args.path.octets;
        const auto buffer =
            std::make_shared<HostBuffer>(memory, std::max<uint64_t>(path.size(), 1));
        buffer->Write(0, path);
        Symlink2Args sent;
        sent.where = ToDirOp2(call.args.where);
        sent.path.length = static_cast<uint32_t>(path.size());
        sent.attributes = Sattr2::Make(call.args.attributes);
        return client->Symlink(
            sent,
            buffer->GetAddress(),
            End<Status2Res>(call.completion, [buffer](const Status2Res&, Symlink3Res&) {}));
    }

    uint32_t operator()(Nfs3Call<Mknod3Args>& call) const
    {
        const auto& args = call.args;
        return client->Call<Nfs2Create>(
            {ToDirOp2(args.where), Sattr2::MakeNode(args.type, args.spec, args.attributes)},
            EndMake(call.completion));
    }

    uint32_t operator()(Nfs3Call<Remove3Args>& call) const
    {
        return client->Call<Nfs2Remove>(ToDirOp2(call.args.object), EndStatus(call.completion));
    }

    uint32_t operator()(Nfs3Call<Rmdir3Args>& call) const
    {
        return client->Call<Nfs2Rmdir>(ToDirOp2(call.args.object), EndStatus(call.completion));
    }

    uint32_t operator()(Nfs3Call<Rename3Args>& call) const
    {
        return client->Call<Nfs2Rename>({ToDirOp2(call.args.from), ToDirOp2(call.args.to)},
                                        EndStatus(call.completion));
    }

    uint32_t operator()(Nfs3Call<Link3Args>& call) const
    {
        return client->Call<Nfs2Link>({Nfs2Fh(call.args.file), ToDirOp2(call.args.link)},
                                      EndStatus(call.completion));
    }

    uint32_t operator()(Nfs3Call<Readdir3Args>& call) const
    {
        const auto& args = call.args;
        return client->Readdir(
            {Nfs2Fh(args.dir), static_cast<uint32_t>(args.cookie), args.count},
            End<Readdir2Res>(call.completion, [](const Readdir2Res& got, Readdir3Res& result) {
                for (const Entry2& entry : got.entries)
                {
                    result.entries.push_back({entry.fileid, entry.name, entry.cookie});
                }
                result.eof = got.eof;
            }));
    }

    uint32_t operator()(Nfs3Call<Fsstat3Args>& call) const
    {
        return client->Call<Nfs2Statfs>(
            {Nfs2Fh(call.args.fsroot)},
            End<Statfs2Res>(call.completion, [](const Statfs2Res& got, Fsstat3Res& result) {
                result.tbytes = uint64_t{got.blocks} * got.bsize;
                result.fbytes = uint64_t{got.bfree} * got.bsize;
                result.abytes = uint64_t{got.bavail} * got.bsize;
            }));
    }
};

/// The same for NFSACL.
struct NfsAcl2Submission
{
    Ptr<NfsAcl2Client> client;

    uint32_t operator()(Nfs3Call<AclNull3Args>& call) const
    {
        return client->Call<AclNull2>({}, EndNull(call.completion));
    }

    uint32_t operator()(Nfs3Call<Getacl3Args>& call) const
    {
        return client->Getacl(
            {Nfs2Fh(call.args.object), call.args.mask},
            End<Getacl2Res>(call.completion, [](const Getacl2Res& got, Getacl3Res& result) {
                result.attributes = got.attributes.ToFattr3();
                result.mask = got.mask;
                result.access = got.access;
                result.defaultAcl = got.defaultAcl;
            }));
    }

    uint32_t operator()(Nfs3Call<Setacl3Args>& call) const
    {
        const auto& args = call.args;
        return client->Call<AclSetacl2>(
            {Nfs2Fh(args.object), args.mask, args.access, args.defaultAcl},
            End<Attr2Res>(call.completion, [](const Attr2Res& got, Setacl3Res& result) {
                result.attributes = got.attributes.ToFattr3();
            }));
    }
};

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
Nfs2Calls::Start(Request&& request)
{
    return std::visit(Nfs2Submission{m_client, m_memory}, request);
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

void
NfsAcl2Calls::DoDispose()
{
    m_client = nullptr;
    NfsAcl3Calls::DoDispose();
}

uint32_t
NfsAcl2Calls::Start(Request&& request)
{
    return std::visit(NfsAcl2Submission{m_client}, request);
}

} // namespace ns3::nfsrdma
