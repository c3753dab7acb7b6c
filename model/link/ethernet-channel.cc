/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"

#include "link/ethernet-net-device.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetChannel);

TypeId
EthernetChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EthernetChannel")
            .SetParent<Channel>()
            .SetGroupName("NfsRdma")
            .AddConstructor<EthernetChannel>()
            .AddAttribute("Delay",
                          "Propagation delay from end to end (s). Default: 10 m of cable at "
                          "5 ns per metre.",
                          TimeValue(NanoSeconds(50)),
                          MakeTimeAccessor(&EthernetChannel::m_delay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
EthernetChannel::Attach(Ptr<EthernetNetDevice> device)
{
    NS_ABORT_MSG_IF(m_attached == m_ends.size(), "an EthernetChannel has two ends");
    m_ends[m_attached++] = device;
}

void
EthernetChannel::Transmit(const EthernetNetDevice& from, Ptr<Packet> frame, Time lastOctet)
{
    const std::size_t end = FindEnd(from);
    m_given[end] += frame->GetSize();
    Simulator::ScheduleWithContext(m_ends[1 - end]->GetNode()->GetId(),
                                   lastOctet + m_delay,
                                   &EthernetChannel::Deliver,
                                   this,
                                   end,
                                   frame);
}

void
EthernetChannel::TakeBack(const EthernetNetDevice& from, uint32_t octets)
{
    m_given[FindEnd(from)] -= octets;
}

void
EthernetChannel::Deliver(std::size_t from, Ptr<Packet> frame)
{
    if (m_ends[from]->TakeBack(frame))
    {
        return;
    }
    m_given[from] -= frame->GetSize();
    m_ends[1 - from]->Receive(frame);
}

bool
EthernetChannel::IsComplete() const
{
    return m_attached == m_ends.size();
}

Ptr<NetDevice>
EthernetChannel::GetDevice(std::size_t i) const
{
    return m_ends.at(i);
}

void
EthernetChannel::DoDispose()
{
    m_ends = {};
    m_attached = 0;
    Channel::DoDispose();
}

} // namespace ns3::nfsrdma
