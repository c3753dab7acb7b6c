/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/acl-server2.h"

#include "nfs/store/files.h"
#include "nfs/types/xdr-size.h"
#include "nfs/v3/acl-lists.h"
#include "nfs/v3/acl-server3.h"
#include "rpc/service-times.h"

#include "ns3/abort.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsAcl2Server);

namespace
{

bool
IsTooLong(const NfsAcl& access, const NfsAcl& defaultAcl)
{
    return GetXdrSize(access) + GetXdrSize(defaultAcl) > NfsAcl3Server::MAX_LIST_OCTETS;
}

} // namespace

TypeId
NfsAcl2Server::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NfsAcl2Server")
                            .SetParent<RpcProgram>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NfsAcl2Server>();
    return tid;
}

void
NfsAcl2Server::DoDispose()
{
    m_store = nullptr;
    m_storage = nullptr;
    RpcProgram::DoDispose();
}

void
NfsAcl2Server::SetFileStore(Ptr<FileStore> store)
{
    m_store = store;
    m_sizes = Nfs2HandleSizes::Of(*store);
    NS_ABORT_MSG_UNLESS(m_sizes.Fit(), "NFS version 2 has handles of 32 octets");
}

uint32_t
NfsAcl2Server::GetProgram() const
{
    return NFSACL_PROGRAM;
}

uint32_t
NfsAcl2Server::GetVersion() const
{
    return NFSACL_V2;
}

void
NfsAcl2Server::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    const auto procedure = static_cast<NfsAcl2Procedure>(call->header.procedure);
    auto reply = std::make_shared<RpcServerReply>(Serve(*call));
    if (!m_storage || procedure == NfsAcl2Procedure::NULLPROC ||
        reply->status != RpcAcceptStatus::SUCCESS)
    {
        done(std::move(*reply));
        return;
    }
    const auto leave = [reply, done = std::move(done)] { done(std::move(*reply)); };
    StorageTask task;
    task.work = procedure == NfsAcl2Procedure::SETACL ? StorageWork::METADATA_CHANGE
                                                      : StorageWork::METADATA;
    m_storage->Do(task, RpcServiceTimes::Around(call->message.times, leave));
}

Fattr2
NfsAcl2Server::GetAttributes(InodeNumber number) const
{
    return Fattr2::Make(m_store->Get(number).attributes, FILE_BLOCK_SIZE);
}

RpcServerReply
NfsAcl2Server::Serve(const RpcServerCall& call)
{
    switch (static_cast<NfsAcl2Procedure>(call.header.procedure))
    {
    case NfsAcl2Procedure::NULLPROC:
        return ServeStub<AclNull2>(call, [](const XdrVoid&) { return XdrVoid(); });
    case NfsAcl2Procedure::GETACL: {
        const auto args = DecodeStubCall<AclGetacl2>(call);
        if (!args)
        {
            return RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS);
        }
        const Getacl2Res results = Get(*args);
        return IsTooLong(results.access, results.defaultAcl)
                   ? RefuseStubCall(RpcAcceptStatus::SYSTEM_ERR)
                   : EncodeStubReply(results);
    }
    case NfsAcl2Procedure::SETACL: {
        const auto args = DecodeStubCall<AclSetacl2>(call);
        if (args && IsTooLong(args->access, args->defaultAcl))
        {
            return RefuseStubCall(RpcAcceptStatus::SYSTEM_ERR);
        }
        const auto results = args ? Set(call, *args) : std::nullopt;
        return results ? EncodeStubReply(*results) : RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS);
    }
    case NfsAcl2Procedure::GETATTR:
        return ServeStub<AclGetattr2>(call, [this](const Handle2Args& args) {
            const auto object = Resolve(args.object);
            return object ? Attr2Res{Nfs2Status::OK, GetAttributes(*object)}
                          : Attr2Res{ToNfs2Status(object.error()), {}};
        });
    case NfsAcl2Procedure::ACCESS:
        return ServeStub<AclAccess2>(call, [this, &call](const Access2Args& args) {
            const auto object = Resolve(args.object);
            if (!object)
            {
                return Access2Res{ToNfs2Status(object.error()), {}, 0};
            }
            const auto who = FileCredential::FromCall(call.header);
            return Access2Res{Nfs2Status::OK,
                              GetAttributes(*object),
                              m_store->GetAttributes().CheckAccess(*object, args.access, who)};
        });
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

Getacl2Res
NfsAcl2Server::Get(const Getacl2Args& args) const
{
    Getacl2Res results;
    const auto object = Resolve(args.object);
    if (!object || (args.mask & ~NFS_ACL_MASK) != 0)
    {
        results.status = object ? Nfs2Status::INVAL : ToNfs2Status(object.error());
        return results;
    }
    results.attributes = GetAttributes(*object);
    GiveAcls(*m_store, *object, args.mask, results);
    return results;
}

std::optional<Attr2Res>
NfsAcl2Server::Set(const RpcServerCall& call, const Setacl2Args& args)
{
    const auto acls = TakeSetAcls(args);
    if (!acls)
    {
        return std::nullopt;
    }
    const auto object = Resolve(args.object);
    if (!object)
    {
        return Attr2Res{ToNfs2Status(object.error()), {}};
    }
    const Nfs3Status status =
        m_store->GetAttributes().SetAcls(*object,
                                         acls->access,
                                         acls->defaultAcl,
                                         FileCredential::FromCall(call.header));
    return Attr2Res{ToNfs2Status(status), GetAttributes(*object)};
}

} // namespace ns3::nfsrdma
