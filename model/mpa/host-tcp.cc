/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/host-tcp.h"

#include "mpa/tcp-header-start.h"

#include "ns3/ipv4-interface.h"
#include "ns3/ipv6-interface.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(HostTcp);

TypeId
HostTcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::HostTcp")
            .SetParent<TcpL4Protocol>()
            .SetGroupName("NfsRdma")
            .AddConstructor<HostTcp>()
            .AddTraceSource("Lost",
                            "A segment that has arrived was thrown away, for a reason.",
                            MakeTraceSourceAccessor(&HostTcp::m_lost),
                            "ns3::nfsrdma::HostTcp::LostTracedCallback")
            .AddTraceSource("Held",
                            "Octets that senders hold until they are acknowledged: before, now.",
                            MakeTraceSourceAccessor(&HostTcp::m_held),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("Waiting",
                            "Octets that receivers hold, for users or behind a gap: before, now.",
                            MakeTraceSourceAccessor(&HostTcp::m_waiting),
                            "ns3::TracedValueCallback::Uint64");
    return tid;
}

TcpCounters
HostTcp::GetCounters() const
{
    TcpCounters all = m_counters;
    if (m_engine != nullptr)
    {
        all.fastRetransmits += m_engine->fastRetransmits;
        all.timerRetransmits += m_engine->timerRetransmits;
        all.timeouts += m_engine->timeouts;
        all.fastRecoveries += m_engine->recoveries;
        all.probes += m_engine->windowProbes;
        all.mtuProbesPassed += m_engine->mtuProbesPassed;
        all.mtuProbesFailed += m_engine->mtuProbesFailed;
        all.outOfOrder += m_engine->outOfOrder;
        all.repeatedOctets += m_engine->repeatedOctets;
        all.echoes += m_engine->ecnEchoes;
        all.reductions += m_engine->ecnReductions;
        all.peerWindowLimited += m_engine->peerWindowLimited;
        all.congestionWindowLimited += m_engine->congestionWindowLimited;
    }
    return all;
}

IpL4Protocol::RxStatus
HostTcp::Receive(Ptr<Packet> segment, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    const bool hasOctets = TcpHeaderStart(*segment).payload > 0;
    return CountArrival(segment,
                        hasOctets,
                        header.GetEcn() == Ipv4Header::ECN_CE,
                        TcpL4Protocol::Receive(segment, header, interface));
}

IpL4Protocol::RxStatus
HostTcp::Receive(Ptr<Packet> segment, const Ipv6Header& header, Ptr<Ipv6Interface> interface)
{
    const bool hasOctets = TcpHeaderStart(*segment).payload > 0;
    return CountArrival(segment,
                        hasOctets,
                        header.GetEcn() == Ipv6Header::ECN_CE,
                        TcpL4Protocol::Receive(segment, header, interface));
}

IpL4Protocol::RxStatus
HostTcp::CountArrival(const Ptr<Packet>& segment, bool hasOctets, bool marked, RxStatus status)
{
    if (status == RX_CSUM_FAILED)
    {
        NoteLost(segment, Loss::CHECKSUM);
        return status;
    }
    m_counters.segmentsReceived += hasOctets ? 1 : 0;
    m_counters.marked += marked ? 1 : 0;
    return status;
}

} // namespace ns3::nfsrdma
