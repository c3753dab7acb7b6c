/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-black-hole.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyBlackHole);

TypeId
ReplyBlackHole::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplyBlackHole")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplyBlackHole>();
    return tid;
}

ReplyBlackHole::ReplyBlackHole() = default;
ReplyBlackHole::~ReplyBlackHole() = default;

std::string
ReplyBlackHole::Tamper(SvcRdmaOutgoingReply& reply)
{
    reply.sends.clear();
    return "sends no reply";
}

} // namespace ns3::nfsrdma
