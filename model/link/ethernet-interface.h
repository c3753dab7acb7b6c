/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_INTERFACE_H
#define NFSRDMA_LINK_ETHERNET_INTERFACE_H

#include "link/frame-stage.h"

#include "ns3/callback.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

namespace ns3::nfsrdma
{

/**
 * \brief What a host's IP, and an adapter's protocol engine beside it, send and receive frames by:
 * a port (EthernetNetDevice), or several ports as one (BondNetDevice).
 */
class EthernetInterface : public NetDevice
{
  public:
    static TypeId GetTypeId();

    /// Whether an adapter's own protocol engine takes a frame that is addressed to this interface,
    /// whole and with its Ethernet header; the host's stack gets it otherwise.
    using SteeringCallback = Callback<bool, Ptr<Packet>>;

    /// Steers frames for this host past its stack, after the captures and MacRx; null: none.
    void SetSteeringCallback(SteeringCallback callback)
    {
        m_steering = callback;
    }

    /// Sends \p frame, which already has its Ethernet header; \return false when it was dropped.
    bool SendFrame(Ptr<Packet> frame)
    {
        return SendFrameAt(frame, Simulator::Now());
    }

    /// As SendFrame(); \p frame arrives at the queue at \p arrives, now or later, and not before
    /// what was given earlier.
    bool SendFrameAt(const Ptr<Packet>& frame, Time arrives)
    {
        return m_stage ? m_stage->Send(*this, frame, arrives) : SendBeneath(frame, arrives);
    }

    /// As SendFrameAt(), past the stage.
    virtual bool SendBeneath(Ptr<Packet> frame, Time arrives) = 0;

    /// Puts \p stage between the host and the port; null: none. It lessens GetMtu().
    void SetFrameStage(const Ptr<FrameStage>& stage)
    {
        m_stage = stage;
    }

    [[nodiscard]] const Ptr<FrameStage>& GetFrameStage() const
    {
        return m_stage;
    }

    /// Gives \p frame, with its Ethernet header, to the protocol engine beside the stack, if it is
    /// for this host, or to the stack: it has passed the stage.
    void DeliverAbove(const Ptr<Packet>& frame, PacketType type);

    /// \return the largest packet on the wire (octets).
    [[nodiscard]] uint16_t GetWireMtu() const
    {
        return m_mtu;
    }

    [[nodiscard]] Mac48Address GetMacAddress() const
    {
        return m_address;
    }

    void SetMacAddress(Mac48Address address)
    {
        m_address = address;
    }

    // NetDevice
    void SetIfIndex(uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetAddress(Address address) override
    {
        m_address = Mac48Address::ConvertFrom(address);
    }

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(uint16_t mtu) override
    {
        m_mtu = mtu;
        return true;
    }

    /// \return the largest packet that the host may send.
    uint16_t GetMtu() const override
    {
        return m_stage ? m_stage->GetInnerMtu(m_mtu) : m_mtu;
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_linkChange.ConnectWithoutContext(callback);
    }

    bool IsBroadcast() const override
    {
        return true;
    }

    Address GetBroadcast() const override
    {
        return Mac48Address::GetBroadcast();
    }

    bool IsMulticast() const override
    {
        return true;
    }

    Address GetMulticast(Ipv4Address group) const override
    {
        return Mac48Address::GetMulticast(group);
    }

    Address GetMulticast(Ipv6Address group) const override
    {
        return Mac48Address::GetMulticast(group);
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool IsPointToPoint() const override
    {
        return false;
    }

    bool Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol) override
    {
        return SendFrom(packet, m_address, destination, protocol);
    }

    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& destination,
                  uint16_t protocol) override;

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    void SetNode(Ptr<Node> node) override
    {
        m_node = node;
    }

    bool NeedsArp() const override
    {
        return true;
    }

    void SetReceiveCallback(NetDevice::ReceiveCallback callback) override
    {
        m_receiveCallback = callback;
    }

    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override
    {
        m_promiscuousCallback = callback;
    }

    bool SupportsSendFrom() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;

    /// \return whose frame that is.
    [[nodiscard]] PacketType Classify(const Ptr<const Packet>& frame) const;

    /// Gives \p frame, with its Ethernet header, to the stage, if it is for this host and there is
    /// one, and to the host.
    void DeliverToHost(const Ptr<Packet>& frame, PacketType type)
    {
        if (m_stage && type != PACKET_OTHERHOST)
        {
            m_stage->Receive(*this, frame, type);
        }
        else
        {
            DeliverAbove(frame, type);
        }
    }

    void TellLinkChange()
    {
        m_linkChange();
    }

  private:
    Ptr<Node> m_node;
    Mac48Address m_address;
    uint16_t m_mtu{0};
    uint32_t m_ifIndex{0};
    Ptr<FrameStage> m_stage;
    SteeringCallback m_steering;
    NetDevice::ReceiveCallback m_receiveCallback;
    PromiscReceiveCallback m_promiscuousCallback;
    TracedCallback<> m_linkChange;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_INTERFACE_H
