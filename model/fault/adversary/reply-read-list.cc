/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-read-list.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyReadList);

TypeId
ReplyReadList::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplyReadList")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplyReadList>();
    return tid;
}

ReplyReadList::ReplyReadList() = default;
ReplyReadList::~ReplyReadList() = default;

std::string
ReplyReadList::Tamper(SvcRdmaOutgoingReply& reply)
{
    constexpr std::size_t LISTS = RpcRdmaFixedHeader::SIZE;
    constexpr uint32_t ANYTHING = 8192;
    ByteVector list(sizeof(uint32_t) + RpcRdmaReadSegment::SIZE);
    ByteWriter writer(list);
    writer.WriteU32(1);
    writer.WriteU32(4 * GetRandom().GetInteger(0, 16));
    writer.WriteU32(GetRandom().GetInteger(1, UINT32_MAX));
    writer.WriteU32(GetRandom().GetInteger(1, ANYTHING));
    writer.WriteU64(0);
    auto& octets = reply.sends.front().octets;
    octets.insert(octets.begin() + LISTS, list.begin(), list.end());
    return "replies with a Read list";
}

} // namespace ns3::nfsrdma
