/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/acl-server3.h"

#include "nfs/types/rpc-stub.h"
#include "nfs/v3/acl-lists.h"
#include "rpc/service-times.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsAcl3Server);

namespace
{

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

void
NfsAcl3Server::DoDispose()
{
    m_store = nullptr;
    m_storage = nullptr;
    RpcProgram::DoDispose();
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
    m_storage->Do(task, RpcServiceTimes::Around(call->message.times, std::move(leave)));
}

NfsAcl3Server::Answer
NfsAcl3Server::Carry(const RpcServerCall& call) const
{
    if (call.header.procedure >= NFSACL3_PROCEDURES)
    {
        return {RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL), std::nullopt};
    }
    if (!call.message.items.empty())
    {
        return {RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
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
        return {RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    Getacl3Res results;
    const auto object = m_store->Resolve(args->object);
    if (!object)
    {
        results.status = object.error();
        return {EncodeStubReply(results), StorageWork::METADATA};
    }
    results.attributes = m_store->Get(*object).attributes;
    if ((args->mask & ~NFS_ACL_MASK) != 0)
    {
        results.status = Nfs3Status::INVAL;
        return {EncodeStubReply(results), StorageWork::METADATA};
    }
    GiveAcls(*m_store, *object, args->mask, results);
    if (GetListOctets(results.access.entries.size(), results.defaultAcl.entries.size()) >
        MAX_LIST_OCTETS)
    {
        return {RefuseStubCall(RpcAcceptStatus::SYSTEM_ERR), StorageWork::METADATA};
    }
    return {EncodeStubReply(results), StorageWork::METADATA};
}

NfsAcl3Server::Answer
NfsAcl3Server::Set(const RpcServerCall& call, XdrReader& reader) const
{
    const auto args = DecodeXdr<Setacl3Args>(reader);
    if (!args)
    {
        return {RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    if (GetListOctets(args->access.entries.size(), args->defaultAcl.entries.size()) >
        MAX_LIST_OCTETS)
    {
        return {RefuseStubCall(RpcAcceptStatus::SYSTEM_ERR), std::nullopt};
    }
    const auto acls = TakeSetAcls(*args);
    if (!acls)
    {
        return {RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS), std::nullopt};
    }
    Setacl3Res results;
    const auto object = m_store->Resolve(args->object);
    if (!object)
    {
        results.status = object.error();
        return {EncodeStubReply(results), StorageWork::METADATA};
    }
    results.status = m_store->GetAttributes().SetAcls(*object,
                                                      acls->access,
                                                      acls->defaultAcl,
                                                      FileCredential::FromCall(call.header));
    results.attributes = m_store->Get(*object).attributes;
    const bool changed = results.status == Nfs3Status::OK;
    return {EncodeStubReply(results),
            changed ? StorageWork::METADATA_CHANGE : StorageWork::METADATA};
}

} // namespace ns3::nfsrdma
