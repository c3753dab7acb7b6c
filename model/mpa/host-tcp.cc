/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/host-tcp.h"

#include "ns3/ipv4-interface.h"

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
                            "ns3::nfsrdma::HostTcp::LostTracedCallback");
    return tid;
}

IpL4Protocol::RxStatus
HostTcp::Receive(Ptr<Packet> segment, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    const RxStatus status = TcpL4Protocol::Receive(segment, header, interface);
    if (status == RX_CSUM_FAILED)
    {
        NoteLost(segment, Loss::CHECKSUM);
    }
    return status;
}

} // namespace ns3::nfsrdma
