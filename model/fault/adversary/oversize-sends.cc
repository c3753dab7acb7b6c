/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/oversize-sends.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(OversizeSends);

TypeId
OversizeSends::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::OversizeSends")
                            .SetParent<RogueRequester>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<OversizeSends>()
                            .AddAttribute("Octets",
                                          "Of a Send beyond what the server takes (octets). "
                                          "Default: one word.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&OversizeSends::m_octets),
                                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

OversizeSends::OversizeSends() = default;
OversizeSends::~OversizeSends() = default;

void
OversizeSends::Act(RogueConnection& connection)
{
    ByteVector call = MakeCall(TakeXid(), Getattr3Args{GetHost().baitFile});
    call.resize(connection.GetServerReceiveSize() + m_octets);
    if (connection.Send(call))
    {
        NoteDone("sends a message that is too long");
    }
}

} // namespace ns3::nfsrdma
