/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/rogue-responder.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RogueResponder);

TypeId
RogueResponder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RogueResponder")
            .SetParent<AdversaryRole>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Probability",
                          "Of a reply to be tampered with (0 to 1). Default: one in a hundred.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&RogueResponder::m_probability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Count",
                          "Rules broken at most (count); 0: any number. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RogueResponder::m_count),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Victim",
                          "Host whose replies are tampered with; all: those of every host. "
                          "Default: all.",
                          StringValue("all"),
                          MakeStringAccessor(&RogueResponder::m_victim),
                          MakeStringChecker());
    return tid;
}

RogueResponder::RogueResponder()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
RogueResponder::DoDispose()
{
    DoStop();
    AdversaryRole::DoDispose();
}

int64_t
RogueResponder::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
RogueResponder::DoStart()
{
    m_server = GetHost().server;
    m_server->AddReplyFilter(this);
}

void
RogueResponder::DoStop()
{
    if (m_server)
    {
        m_server->RemoveReplyFilter(this);
        m_server = nullptr;
    }
}

void
RogueResponder::Filter(SvcRdmaOutgoingReply& reply)
{
    const std::string peer = GetHost().GetPeerName(reply.client);
    const bool chosen = (m_victim == "all" || m_victim == peer) &&
                        (m_count == 0 || GetBroken() < m_count) && !reply.sends.empty() &&
                        m_random->GetValue() < m_probability;
    if (chosen)
    {
        if (const std::string what = Tamper(reply); !what.empty())
        {
            NoteBroken(what, peer);
        }
    }
    Watch(reply);
}

} // namespace ns3::nfsrdma
