/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/acl-client2.h"

#include "nfs/types/reply-parts.h"
#include "nfs/types/xdr-size.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsAcl2Client);

namespace
{

/// Two lists without entries.
constexpr uint32_t EMPTY_LISTS = 16;

} // namespace

TypeId
NfsAcl2Client::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NfsAcl2Client")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NfsAcl2Client>();
    return tid;
}

void
NfsAcl2Client::DoDispose()
{
    m_client = nullptr;
    m_memory = nullptr;
    Object::DoDispose();
}

void
NfsAcl2Client::SetRpcClient(Ptr<RpcClient> client)
{
    m_client = client;
    m_client->SetProgram(NFSACL_PROGRAM, NFSACL_V2);
}

RpcReplyEstimate
NfsAcl2Client::EstimateReply(NfsAcl2Procedure procedure)
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE;
    switch (procedure)
    {
    case NfsAcl2Procedure::NULLPROC:
        break;
    case NfsAcl2Procedure::GETACL:
        estimate.head += GetLeastXdrSize<Getacl2Res>() - EMPTY_LISTS;
        estimate.items.push_back({GETACL_ROOM, 0, false});
        estimate.bounded = false;
        break;
    case NfsAcl2Procedure::SETACL:
    case NfsAcl2Procedure::GETATTR:
        estimate.head += GetLeastXdrSize<Attr2Res>();
        break;
    case NfsAcl2Procedure::ACCESS:
        estimate.head += GetLeastXdrSize<Access2Res>();
        break;
    }
    estimate.minimum = estimate.head + (estimate.items.empty() ? 0 : EMPTY_LISTS);
    return estimate;
}

uint32_t
NfsAcl2Client::Getacl(const Getacl2Args& args, StubCompletion<Getacl2Res> completion)
{
    RpcReplyEstimate estimate = EstimateReply(NfsAcl2Procedure::GETACL);
    const auto pages = std::make_shared<HostBuffer>(m_memory, GETACL_ROOM);
    estimate.items.front().address = pages->GetAddress();
    estimate.items.front().owner = pages;
    return CallStub<AclGetacl2>(
        *m_client,
        args,
        [pages, completion = std::move(completion)](RpcRecord& record, const Getacl2Res& results) {
            completion(record, results);
        },
        std::move(estimate));
}

} // namespace ns3::nfsrdma
