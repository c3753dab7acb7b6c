/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-false-credits.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyFalseCredits);

TypeId
ReplyFalseCredits::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplyFalseCredits")
                            .SetParent<RogueResponder>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplyFalseCredits>()
                            .AddAttribute("Credits",
                                          "Credits granted (count). Default: none at all.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&ReplyFalseCredits::m_credits),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

ReplyFalseCredits::ReplyFalseCredits() = default;
ReplyFalseCredits::~ReplyFalseCredits() = default;

std::string
ReplyFalseCredits::Tamper(SvcRdmaOutgoingReply& reply)
{
    constexpr std::size_t CREDIT = 8;
    auto& octets = reply.sends.front().octets;
    for (std::size_t i = 0; i < sizeof(m_credits); ++i)
    {
        octets[CREDIT + i] = static_cast<uint8_t>(m_credits >> (24 - 8 * i));
    }
    return "grants " + std::to_string(m_credits) + " credits";
}

} // namespace ns3::nfsrdma
