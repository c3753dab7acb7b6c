/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-interface.h"

#include "link/ethernet-numbers.h"

#include "ns3/ethernet-header.h"

#include <array>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetInterface);

TypeId
EthernetInterface::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EthernetInterface").SetParent<NetDevice>().SetGroupName("NfsRdma");
    return tid;
}

void
EthernetInterface::DoDispose()
{
    m_node = nullptr;
    m_stage = nullptr;
    m_steering = SteeringCallback();
    m_receiveCallback = NetDevice::ReceiveCallback();
    m_promiscuousCallback = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

bool
EthernetInterface::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& destination,
                            uint16_t protocol)
{
    EthernetHeader header(false);
    header.SetSource(Mac48Address::ConvertFrom(source));
    header.SetDestination(Mac48Address::ConvertFrom(destination));
    header.SetLengthType(protocol);
    packet->AddHeader(header);
    return SendFrame(packet);
}

NetDevice::PacketType
EthernetInterface::Classify(const Ptr<const Packet>& frame) const
{
    std::array<uint8_t, ETHERNET_ADDRESS_SIZE> octets{};
    frame->CopyData(octets.data(), octets.size());
    Mac48Address destination;
    destination.CopyFrom(octets.data());
    if (destination == m_address)
    {
        return PACKET_HOST;
    }
    if (destination.IsBroadcast())
    {
        return PACKET_BROADCAST;
    }
    return destination.IsGroup() ? PACKET_MULTICAST : PACKET_OTHERHOST;
}

void
EthernetInterface::DeliverAbove(const Ptr<Packet>& frame, PacketType type)
{
    const bool isForHost = type != PACKET_OTHERHOST;
    if (isForHost && !m_steering.IsNull() && m_steering(frame))
    {
        return;
    }
    EthernetHeader header(false);
    frame->RemoveHeader(header);
    if (!m_promiscuousCallback.IsNull())
    {
        m_promiscuousCallback(this,
                              isForHost ? frame->Copy() : frame,
                              header.GetLengthType(),
                              header.GetSource(),
                              header.GetDestination(),
                              type);
    }
    if (isForHost && !m_receiveCallback.IsNull())
    {
        m_receiveCallback(this, frame, header.GetLengthType(), header.GetSource());
    }
}

} // namespace ns3::nfsrdma
