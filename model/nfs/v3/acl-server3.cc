/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/acl-server3.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsAcl3Server);

namespace
{

RpcServerReply
Refuse(RpcAcceptStatus status)
{
    RpcServerReply reply;
    reply.status = status;
    return reply;
}

template <typename Results>
RpcServerReply
EncodeReply(const Results& results)
{
    XdrWriter writer;
    EncodeXdr(writer, results);
    RpcServerReply reply;
    reply.results.octets = writer.Take();
    return reply;
}

/// nfsacl_size: both lists, a missing or minimal access list counted as four entries.
uint32_t
GetListOctets(std::size_t access, std::size_t defaultAcl)
{
    constexpr uint32_t BASE = 16;
    constexpr uint32_t ENTRY = 12;
    constexpr std::size_t MINIMUM = 4;
    const std::size_t entries =
        std::max(access, MINIMUM) + (defaultAcl == 0 ? 0 : std::max(defaultAcl, MINIMUM));
    return BASE + ENTRY * static_cast<uint32_t>(entries);
}

} // namespace

TypeId
NfsAcl3Server::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NfsAcl3Server")
                            .SetParent<RpcProgram>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NfsAcl3Server>();
    return tid;
}

NfsAcl3Server::NfsAcl3Server() = default;
NfsAcl3Server::~NfsAcl3Server() = default;

void
NfsAcl3Server::DoDispose()
{
    m_store = nullptr;
    m_storage = nullptr;
    RpcProgram::DoDispose();
}

void
NfsAcl3Server::SetFileStore(Ptr<FileStore> store)
{
    m_store = store;
}

void
NfsAcl3Server::SetStorage(Ptr<ServerStorage> storage)
{
    m_storage = storage;
}

uint32_t
NfsAcl3Server::GetProgram() const
{
    return NFSACL_PROGRAM;
}

uint32_t
NfsAcl3Server::GetVersion() const
{
    return NFSACL_V3;
}

uint64_t
NfsAcl3Server::GetCalls(NfsAcl3Procedure procedure) const
{
    return m_calls.at(static_cast<uint32_t>(procedure));
}

void
NfsAcl3Server::Dispatch(std::shared_ptr<RpcServerCall> call, Done done)
{
    Answer answer = Carry(*call);
    if (answer.reply.status != RpcAcceptStatus::PROC_UNAVAIL &&
        answer.reply.status != RpcAcceptStatus::GARBAGE_ARGS)
    {
        ++m_calls.at(call->header.procedure);
    }
    if (!answer.work || !m_storage)
    {
        done(std::move(answer.reply));
        return;
    }
    auto leave = [reply = std::make_shared<RpcServerReply>(std::move(answer.reply)),
                  done = std::move(done)] { done(std::move(*reply)); };
    StorageTask task;
    task.work = *answer.work;
    m_storage->Do(task, std::move(leave));
}

NfsAcl3Server::Answer
NfsAcl3Server::Carry(const RpcServerCall& call) const
{
    if (call.header.procedure >= NFSACL3_PROCEDURES)
    {
        return {Refuse(RpcAcceptStatus::PROC_UNAVAIL), std::nullopt};
    }
    if (!call.message.items.empty())
    {
        return {Refuse(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    const ByteSpan octets(call.message.octets);
    XdrReader reader(octets.subspan(call.argumentsPosition));
    switch (static_cast<NfsAcl3Procedure>(call.header.procedure))
    {
    case NfsAcl3Procedure::GETACL:
        return Get(reader);
    case NfsAcl3Procedure::SETACL:
        return Set(call, reader);
    case NfsAcl3Procedure::NULLPROC:
        break;
    }
    return {};
}

NfsAcl3Server::Answer
NfsAcl3Server::Get(XdrReader& reader) const
{
    const auto args = DecodeXdr<Getacl3Args>(reader);
    if (!args)
    {
        return {Refuse(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    Getacl3Res results;
    const auto object = m_store->Resolve(args->object);
    if (!object)
    {
        results.status = object.error();
        return {EncodeReply(results), StorageWork::METADATA};
    }
    const Inode& inode = m_store->Get(*object);
    results.attributes = inode.attributes;
    if ((args->mask & ~NFS_ACL_MASK) != 0)
    {
        results.status = Nfs3Status::INVAL;
        return {EncodeReply(results), StorageWork::METADATA};
    }
    results.mask = args->mask;
    const bool access = (args->mask & (NFS_ACL | NFS_ACLCNT)) != 0;
    const bool defaults = (args->mask & (NFS_DFACL | NFS_DFACLCNT)) != 0;
    const auto make = [&inode,
                       mask = args->mask](const PosixAcl& acl, uint32_t bit, uint32_t flag) {
        return NfsAcl::Make(acl,
                            inode.attributes.uid,
                            inode.attributes.gid,
                            (mask & bit) != 0,
                            flag);
    };
    results.access =
        make(access ? m_store->GetAttributes().GetAccessAcl(*object) : PosixAcl(), NFS_ACL, 0);
    results.defaultAcl = make(defaults ? inode.defaultAcl : PosixAcl(), NFS_DFACL, NFS_ACL_DEFAULT);
    if (GetListOctets(results.access.entries.size(), results.defaultAcl.entries.size()) >
        MAX_LIST_OCTETS)
    {
        return {Refuse(RpcAcceptStatus::SYSTEM_ERR), StorageWork::METADATA};
    }
    return {EncodeReply(results), StorageWork::METADATA};
}

NfsAcl3Server::Answer
NfsAcl3Server::Set(const RpcServerCall& call, XdrReader& reader) const
{
    const auto args = DecodeXdr<Setacl3Args>(reader);
    if (!args)
    {
        return {Refuse(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    if (GetListOctets(args->access.entries.size(), args->defaultAcl.entries.size()) >
        MAX_LIST_OCTETS)
    {
        return {Refuse(RpcAcceptStatus::SYSTEM_ERR), std::nullopt};
    }
    const auto convert = [mask = args->mask](const NfsAcl& acl, uint32_t bit) {
        return (mask & bit) != 0 ? acl.ToPosixAcl() : PosixAcl();
    };
    const auto access = convert(args->access, NFS_ACL);
    const auto defaults = convert(args->defaultAcl, NFS_DFACL);
    if (!access || !defaults)
    {
        return {Refuse(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    Setacl3Res results;
    const auto object = m_store->Resolve(args->object);
    if (!object)
    {
        results.status = object.error();
        return {EncodeReply(results), StorageWork::METADATA};
    }
    results.status = m_store->GetAttributes().SetAcls(*object,
                                                      *access,
                                                      *defaults,
                                                      FileCredential::FromCall(call.header));
    results.attributes = m_store->Get(*object).attributes;
    const bool changed = results.status == Nfs3Status::OK;
    return {EncodeReply(results), changed ? StorageWork::METADATA_CHANGE : StorageWork::METADATA};
}

} // namespace ns3::nfsrdma
