/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/malformed-replies.h"

#include "fault/adversary/header-spoiler.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MalformedReplies);

TypeId
MalformedReplies::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::MalformedReplies")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<MalformedReplies>();
    return tid;
}

MalformedReplies::MalformedReplies() = default;
MalformedReplies::~MalformedReplies() = default;

std::string
MalformedReplies::Tamper(SvcRdmaOutgoingReply& reply)
{
    const HeaderSpoiler spoiler(
        [this](uint32_t bound) { return GetRandom().GetInteger(0, bound - 1); });
    return spoiler.Spoil(reply.sends.front().octets, reply.headerLength);
}

} // namespace ns3::nfsrdma
