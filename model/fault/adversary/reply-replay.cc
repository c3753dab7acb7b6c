/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/reply-replay.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplyReplay);

TypeId
ReplyReplay::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ReplyReplay")
            .SetParent<RogueResponder>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ReplyReplay>()
            .AddAttribute("Copies",
                          "Times that a reply is sent again (count). Default: once.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ReplyReplay::m_copies),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

ReplyReplay::ReplyReplay() = default;
ReplyReplay::~ReplyReplay() = default;

void
ReplyReplay::DoDispose()
{
    m_earlier.clear();
    RogueResponder::DoDispose();
}

void
ReplyReplay::Watch(const SvcRdmaOutgoingReply& reply)
{
    if (!reply.sends.empty())
    {
        m_earlier[reply.client] = reply.sends.front().octets;
    }
}

std::string
ReplyReplay::Tamper(SvcRdmaOutgoingReply& reply)
{
    const auto earlier = m_earlier.find(reply.client);
    const bool old = earlier != m_earlier.end() && GetRandom().GetInteger(0, 1) == 1;
    const ByteVector copy = old ? earlier->second : reply.sends.front().octets;
    for (uint32_t i = 0; i < m_copies; ++i)
    {
        reply.sends.push_back({copy, std::nullopt});
    }
    return old ? "sends an old reply again" : "sends a reply twice";
}

} // namespace ns3::nfsrdma
