/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "link/lacp-port.h"
#include "link/lacpdu.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

/// What is heard changes a port by the rules alone.
void
CheckPort(const Lacpdu& pdu)
{
    LacpPortInfo actor = pdu.partner;
    actor.state = LacpPortInfo::ACTIVITY | LacpPortInfo::AGGREGATION;
    LacpPort port(actor);
    Time now;
    port.SetEnabled(true, now);
    port.Receive(pdu, now);
    std::size_t sent = 0;
    constexpr std::size_t MOST = 200;
    for (std::size_t i = 0; i < MOST && port.GetNext() < Seconds(100); ++i)
    {
        now = std::max(now, port.GetNext());
        port.Advance(now);
        sent += port.TakePdu(now) ? 1 : 0;
        FuzzExpect(!port.Distributes() || port.Collects());
        FuzzExpect(!port.Collects() || port.GetPartner().Has(LacpPortInfo::SYNC));
        FuzzExpect(port.Collects() == port.GetActor().Has(LacpPortInfo::COLLECTING));
    }
    FuzzExpect(now >= Seconds(90));
    FuzzExpect(sent > 0);
}

} // namespace

/// Input: a frame.
void
FuzzOne(ByteSpan input)
{
    const auto pdu = Lacpdu::Decode(input);
    if (!pdu)
    {
        return;
    }
    FuzzExpect(Lacpdu::IsSlowProtocol(input));
    std::array<uint8_t, Lacpdu::SIZE> octets{};
    pdu->Encode(octets);
    const auto again = Lacpdu::Decode(octets);
    FuzzExpect(again && again->actor.IsLike(pdu->actor, 0xff) &&
               again->partner.IsLike(pdu->partner, 0xff) && again->source == pdu->source &&
               again->collectorDelay == pdu->collectorDelay);
    CheckPort(*pdu);
}

} // namespace ns3::nfsrdma
