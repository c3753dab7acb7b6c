/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/flow/ethernet-flow-probe.h"

#include "ns3/ethernet-header.h"
#include "ns3/flow-monitor.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/packet.h"
#include "ns3/tag.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetFlowProbe);

namespace
{

/// What a frame carries from the probe that has seen it first.
class EthernetFlowTag : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::nfsrdma::EthernetFlowTag")
                                .SetParent<Tag>()
                                .SetGroupName("NfsRdma")
                                .AddConstructor<EthernetFlowTag>();
        return tid;
    }

    [[nodiscard]] TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    [[nodiscard]] uint32_t GetSerializedSize() const override
    {
        return 3 * sizeof(uint32_t);
    }

    void Serialize(TagBuffer buffer) const override
    {
        buffer.WriteU32(flow);
        buffer.WriteU32(packet);
        buffer.WriteU32(size);
    }

    void Deserialize(TagBuffer buffer) override
    {
        flow = buffer.ReadU32();
        packet = buffer.ReadU32();
        size = buffer.ReadU32();
    }

    void Print(std::ostream& stream) const override
    {
        stream << "FlowId=" << flow << " PacketId=" << packet << " PacketSize=" << size;
    }

    uint32_t flow{0};
    uint32_t packet{0};
    uint32_t size{0}; ///< Octets of the IP packet.
};

/// \return whether a probe of the host's IP has seen the packet in \p frame.
bool
IsSeenByIp(const Packet& frame)
{
    auto tags = frame.GetByteTagIterator();
    while (tags.HasNext())
    {
        const auto name = tags.Next().GetTypeId().GetName();
        if (name == "ns3::Ipv4FlowProbeTag" || name == "ns3::Ipv6FlowProbeTag")
        {
            return true;
        }
    }
    return false;
}

/// \return a packet of the first octets of \p frame, without what ns-3 knows of them.
Ptr<Packet>
CopyHead(const Packet& frame)
{
    constexpr uint32_t HEAD = 160;
    std::array<uint8_t, HEAD> octets{};
    const uint32_t length = frame.CopyData(octets.data(), octets.size());
    return Create<Packet>(octets.data(), length);
}

/// Header, then the ports.
constexpr uint32_t PORTS_SIZE = 4;

std::optional<EthernetFlowTag>
Classify(Ipv4FlowClassifier& ipv4, Ipv6FlowClassifier& ipv6, const Packet& frame)
{
    const Ptr<Packet> head = CopyHead(frame);
    EthernetHeader ethernet(false);
    if (head->GetSize() < ethernet.GetSerializedSize())
    {
        return std::nullopt;
    }
    head->RemoveHeader(ethernet);
    EthernetFlowTag tag;
    bool isOfFlow = false;
    if (ethernet.GetLengthType() == Ipv4L3Protocol::PROT_NUMBER &&
        head->GetSize() >= Ipv4Header().GetSerializedSize() + PORTS_SIZE)
    {
        Ipv4Header header;
        head->RemoveHeader(header);
        isOfFlow = ipv4.Classify(header, head, &tag.flow, &tag.packet);
        tag.size = header.GetSerializedSize() + header.GetPayloadSize();
    }
    else if (ethernet.GetLengthType() == Ipv6L3Protocol::PROT_NUMBER &&
             head->GetSize() >= Ipv6Header().GetSerializedSize() + PORTS_SIZE)
    {
        Ipv6Header header;
        head->RemoveHeader(header);
        isOfFlow = ipv6.Classify(header, head, &tag.flow, &tag.packet);
        tag.size = header.GetSerializedSize() + header.GetPayloadLength();
    }
    return isOfFlow ? std::optional(tag) : std::nullopt;
}

} // namespace

TypeId
EthernetFlowProbe::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EthernetFlowProbe").SetParent<FlowProbe>().SetGroupName("NfsRdma");
    return tid;
}

EthernetFlowProbe::EthernetFlowProbe(Ptr<FlowMonitor> monitor,
                                     Ptr<Ipv4FlowClassifier> ipv4,
                                     Ptr<Ipv6FlowClassifier> ipv6,
                                     Ptr<EthernetNetDevice> device)
    : FlowProbe(monitor),
      m_ipv4(ipv4),
      m_ipv6(ipv6),
      m_device(device)
{
    m_device->TraceConnectWithoutContext("MacTx", MakeCallback(&EthernetFlowProbe::NoteSent, this));
    m_device->TraceConnectWithoutContext("MacRx",
                                         MakeCallback(&EthernetFlowProbe::NoteReceived, this));
    m_device->TraceConnectWithoutContext("MacTxDrop",
                                         MakeCallback(&EthernetFlowProbe::NoteDropped, this));
}

void
EthernetFlowProbe::DoDispose()
{
    m_device->TraceDisconnectWithoutContext("MacTx",
                                            MakeCallback(&EthernetFlowProbe::NoteSent, this));
    m_device->TraceDisconnectWithoutContext("MacRx",
                                            MakeCallback(&EthernetFlowProbe::NoteReceived, this));
    m_device->TraceDisconnectWithoutContext("MacTxDrop",
                                            MakeCallback(&EthernetFlowProbe::NoteDropped, this));
    m_device = nullptr;
    m_ipv4 = nullptr;
    m_ipv6 = nullptr;
    FlowProbe::DoDispose();
}

void
EthernetFlowProbe::NoteSent(Ptr<const Packet> frame)
{
    EthernetFlowTag tag;
    if (frame->PeekPacketTag(tag) || IsSeenByIp(*frame))
    {
        return;
    }
    if (const auto found = Classify(*m_ipv4, *m_ipv6, *frame))
    {
        frame->AddPacketTag(*found);
        m_flowMonitor->ReportFirstTx(this, found->flow, found->packet, found->size);
    }
}

void
EthernetFlowProbe::NoteReceived(Ptr<const Packet> frame)
{
    EthernetFlowTag tag;
    if (frame->PeekPacketTag(tag))
    {
        m_flowMonitor->ReportLastRx(this, tag.flow, tag.packet, tag.size);
    }
}

void
EthernetFlowProbe::NoteDropped(Ptr<const Packet> frame)
{
    EthernetFlowTag tag;
    if (frame->PeekPacketTag(tag))
    {
        m_flowMonitor->ReportDrop(this, tag.flow, tag.packet, tag.size, DROP_DEVICE);
    }
}

} // namespace ns3::nfsrdma
