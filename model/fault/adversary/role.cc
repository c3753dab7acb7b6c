/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/role.h"

#include "ns3/simulator.h"

#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(AdversaryRole);

std::string
AdversaryHost::GetPeerName(IpAddress peer) const
{
    const auto found = peers.find(peer);
    if (found != peers.end())
    {
        return found->second;
    }
    std::ostringstream text;
    text << peer;
    return text.str();
}

TypeId
AdversaryRole::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::AdversaryRole")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Start",
                          "When the role begins to break rules (Time). Default: at once.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&AdversaryRole::m_start),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Stop",
                          "When it stops (Time); 0: with the work of all clients. Default: 0.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&AdversaryRole::m_stop),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("RuleBroken",
                            "A rule is broken: what was done, to which host.",
                            MakeTraceSourceAccessor(&AdversaryRole::m_ruleBrokenTrace),
                            "ns3::nfsrdma::AdversaryRole::RuleBrokenTracedCallback");
    return tid;
}

void
AdversaryRole::DoDispose()
{
    m_startEvent.Cancel();
    m_stopEvent.Cancel();
    m_host = AdversaryHost();
    Object::DoDispose();
}

void
AdversaryRole::Begin()
{
    m_startEvent = Simulator::Schedule(m_start, &AdversaryRole::StartNow, this);
    if (m_stop.IsStrictlyPositive())
    {
        m_stopEvent = Simulator::Schedule(m_stop, &AdversaryRole::End, this);
    }
}

void
AdversaryRole::StartNow()
{
    m_active = true;
    DoStart();
}

void
AdversaryRole::End()
{
    m_startEvent.Cancel();
    m_stopEvent.Cancel();
    if (m_active)
    {
        m_active = false;
        DoStop();
    }
}

void
AdversaryRole::NoteBroken(const std::string& what, const std::string& peer)
{
    ++m_broken;
    m_ruleBrokenTrace(what, peer);
}

} // namespace ns3::nfsrdma
