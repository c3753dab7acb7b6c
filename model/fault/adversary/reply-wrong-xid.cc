/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-wrong-xid.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyWrongXid);

TypeId
ReplyWrongXid::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplyWrongXid")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplyWrongXid>();
    return tid;
}

ReplyWrongXid::ReplyWrongXid() = default;
ReplyWrongXid::~ReplyWrongXid() = default;

std::string
ReplyWrongXid::Tamper(SvcRdmaOutgoingReply& reply)
{
    auto& octets = reply.sends.front().octets;
    const uint32_t xid = reply.xid ^ (1U << GetRandom().GetInteger(0, 31));
    const auto put = [&octets, xid](std::size_t at) {
        for (std::size_t i = 0; i < sizeof(xid); ++i)
        {
            octets[at + i] = static_cast<uint8_t>(xid >> (24 - 8 * i));
        }
    };
    put(0);
    if (octets.size() >= reply.headerLength + sizeof(xid))
    {
        put(reply.headerLength);
    }
    return "answers under a wrong XID";
}

} // namespace ns3::nfsrdma
