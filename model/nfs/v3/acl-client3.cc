/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/acl-client3.h"

#include "nfs/types/reply-parts.h"
#include "nfs/types/xdr-size.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsAcl3Client);

namespace
{

/// NFS_ACL_INLINE_BUFSIZE: two lists of five entries.
constexpr uint32_t INLINE_OCTETS = 136;
constexpr uint32_t MASK = 4;

template <typename Args>
RpcArguments
MakeArguments(const Args& args)
{
    XdrWriter writer;
    EncodeXdr(writer, args);
    RpcArguments arguments;
    arguments.octets = writer.Take();
    return arguments;
}

} // namespace

TypeId
NfsAcl3Client::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NfsAcl3Client")
                            .SetParent<NfsAcl3Calls>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NfsAcl3Client>();
    return tid;
}

void
NfsAcl3Client::DoDispose()
{
    m_client = nullptr;
    m_memory = nullptr;
    NfsAcl3Calls::DoDispose();
}

void
NfsAcl3Client::SetRpcClient(Ptr<RpcClient> client)
{
    m_client = client;
    m_client->SetProgram(NFSACL_PROGRAM, NFSACL_V3);
}

RpcReplyEstimate
NfsAcl3Client::EstimateReply(NfsAcl3Procedure procedure)
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE;
    switch (procedure)
    {
    case NfsAcl3Procedure::NULLPROC:
        break;
    case NfsAcl3Procedure::GETACL:
        estimate.head += GetFilledXdrSize<Setacl3Res>() + MASK + INLINE_OCTETS;
        estimate.items.push_back({GETACL_ROOM, 0, false});
        estimate.tail = ITEM_PADDING_ROOM;
        estimate.bounded = false;
        break;
    case NfsAcl3Procedure::SETACL:
        estimate.head += GetFilledXdrSize<Setacl3Res>();
        break;
    }
    return estimate;
}

template <typename Args>
uint32_t
NfsAcl3Client::Send(Nfs3Call<Args>& call,
                    RpcArguments&& arguments,
                    RpcReplyEstimate&& estimate,
                    std::shared_ptr<HostBuffer> kept)
{
    using Result = typename Args::Result;
    return m_client->Call(static_cast<uint32_t>(Args::PROCEDURE),
                          std::move(arguments),
                          std::move(estimate),
                          [self = Ptr<NfsAcl3Client>(this),
                           kept = std::move(kept),
                           completion = std::move(call.completion)](RpcRecord& record,
                                                                    const RpcReceivedMessage&,
                                                                    XdrReader& reader) {
                              Result result;
                              result.status = Nfs3Status::SERVERFAULT;
                              if (record.outcome == RpcOutcome::SUCCESS)
                              {
                                  auto decoded = DecodeXdr<Result>(reader);
                                  if (decoded)
                                  {
                                      result = std::move(*decoded);
                                      record.programStatus = static_cast<uint32_t>(result.status);
                                  }
                                  else
                                  {
                                      record.outcome = RpcOutcome::BAD_REPLY;
                                  }
                              }
                              if (completion)
                              {
                                  completion(record, result);
                              }
                          });
}

uint32_t
NfsAcl3Client::Start(Request&& request)
{
    return std::visit([this](auto& call) { return Submit(call); }, request);
}

uint32_t
NfsAcl3Client::Submit(Nfs3Call<AclNull3Args>& call)
{
    return Send(call, {}, EstimateReply(NfsAcl3Procedure::NULLPROC), nullptr);
}

uint32_t
NfsAcl3Client::Submit(Nfs3Call<Getacl3Args>& call)
{
    RpcReplyEstimate estimate = EstimateReply(NfsAcl3Procedure::GETACL);
    auto pages = std::make_shared<HostBuffer>(m_memory, GETACL_ROOM);
    estimate.items.front().address = pages->GetAddress();
    estimate.items.front().owner = pages;
    return Send(call, MakeArguments(call.args), std::move(estimate), std::move(pages));
}

uint32_t
NfsAcl3Client::Submit(Nfs3Call<Setacl3Args>& call)
{
    RpcArguments arguments = MakeArguments(call.args);
    const uint32_t lists = GetXdrSize(call.args.access) + GetXdrSize(call.args.defaultAcl);
    std::shared_ptr<HostBuffer> pages;
    if (lists > INLINE_OCTETS)
    {
        const auto first = static_cast<uint32_t>(arguments.octets.size()) - lists;
        pages = std::make_shared<HostBuffer>(m_memory, lists);
        pages->Write(0, ByteSpan(arguments.octets).subspan(first));
        arguments.octets.resize(first);
        arguments.items.push_back({pages->GetAddress(), lists, false, first, nullptr});
    }
    return Send(call,
                std::move(arguments),
                EstimateReply(NfsAcl3Procedure::SETACL),
                std::move(pages));
}

} // namespace ns3::nfsrdma
