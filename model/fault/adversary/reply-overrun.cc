/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-overrun.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyOverrun);

TypeId
ReplyOverrun::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplyOverrun")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplyOverrun>()
                            .AddAttribute("Octets",
                                          "Octets that are written behind the end of a chunk "
                                          "(octets). Default: little, one is enough.",
                                          UintegerValue(64),
                                          MakeUintegerAccessor(&ReplyOverrun::m_octets),
                                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

ReplyOverrun::ReplyOverrun() = default;
ReplyOverrun::~ReplyOverrun() = default;

std::string
ReplyOverrun::Tamper(SvcRdmaOutgoingReply& reply)
{
    const RpcRdmaChunkLists& offered = reply.offered;
    const bool hasReplyChunk = offered.replyChunk && !offered.replyChunk->empty();
    const bool hasWriteChunk = !offered.writeList.empty() && !offered.writeList.back().empty();
    if (!hasReplyChunk && !hasWriteChunk)
    {
        return {};
    }
    const RpcRdmaSegment& last =
        hasReplyChunk ? offered.replyChunk->back() : offered.writeList.back().back();
    const auto junk = std::make_shared<HostBuffer>(GetHost().device->GetHostMemory(), m_octets);
    reply.held.push_back(junk);
    SendWorkRequest write;
    write.opcode = WorkRequestOpcode::RDMA_WRITE;
    write.elements.push_back({junk->GetAddress(), m_octets});
    write.remoteStag = last.handle;
    write.remoteOffset = last.offset + last.length;
    reply.chain.push_back(std::move(write));
    return hasReplyChunk ? "overruns a Reply chunk" : "overruns a Write chunk";
}

} // namespace ns3::nfsrdma
