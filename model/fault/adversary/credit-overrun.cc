/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/credit-overrun.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(CreditOverrun);

TypeId
CreditOverrun::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::CreditOverrun")
                            .SetParent<RogueRequester>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<CreditOverrun>()
                            .AddAttribute("Burst",
                                          "Calls sent at once (count). Default: far more than "
                                          "Linux's server grants.",
                                          UintegerValue(256),
                                          MakeUintegerAccessor(&CreditOverrun::m_burst),
                                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

CreditOverrun::CreditOverrun() = default;
CreditOverrun::~CreditOverrun() = default;

void
CreditOverrun::Act(RogueConnection& connection)
{
    constexpr uint32_t INLINE = 1024;
    Readdirplus3Args args;
    args.dir = GetHost().baitDirectory;
    args.dircount = INLINE;
    args.maxcount = INLINE;
    uint32_t sent = 0;
    while (sent < m_burst && connection.Send(MakeCall(TakeXid(), args)))
    {
        ++sent;
    }
    NoteDone("sends " + std::to_string(sent) + " calls at once");
}

} // namespace ns3::nfsrdma
