/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-stale-invalidation.h"

#include "ns3/string.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyStaleInvalidation);

TypeId
ReplyStaleInvalidation::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplyStaleInvalidation")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplyStaleInvalidation>()
                            .AddAttribute("Tag",
                                          "Which STag: stale, of an earlier call; random. Default: "
                                          "stale.",
                                          StringValue("stale"),
                                          MakeStringAccessor(&ReplyStaleInvalidation::m_tag),
                                          MakeStringChecker());
    return tid;
}

ReplyStaleInvalidation::ReplyStaleInvalidation() = default;
ReplyStaleInvalidation::~ReplyStaleInvalidation() = default;

void
ReplyStaleInvalidation::DoDispose()
{
    m_earlier.clear();
    RogueResponder::DoDispose();
}

void
ReplyStaleInvalidation::Watch(const SvcRdmaOutgoingReply& reply)
{
    const RpcRdmaChunkLists& offered = reply.offered;
    if (offered.replyChunk && !offered.replyChunk->empty())
    {
        m_earlier[reply.client] = offered.replyChunk->front().handle;
    }
    else if (!offered.writeList.empty() && !offered.writeList.front().empty())
    {
        m_earlier[reply.client] = offered.writeList.front().front().handle;
    }
    else if (!offered.readList.empty())
    {
        m_earlier[reply.client] = offered.readList.front().target.handle;
    }
}

std::string
ReplyStaleInvalidation::Tamper(SvcRdmaOutgoingReply& reply)
{
    const auto earlier = m_earlier.find(reply.client);
    if (m_tag == "stale" && earlier == m_earlier.end())
    {
        return {};
    }
    reply.sends.front().invalidates =
        m_tag == "stale" ? earlier->second : GetRandom().GetInteger(1, UINT32_MAX);
    return "invalidates an STag that is not the call's";
}

} // namespace ns3::nfsrdma
