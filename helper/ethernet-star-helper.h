/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_ETHERNET_STAR_HELPER_H
#define NFSRDMA_HELPER_ETHERNET_STAR_HELPER_H

#include "link/ethernet-net-device.h"
#include "link/ethernet-switch.h"

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Puts hosts around one Ethernet switch and gives them IPv4 and TCP.
 *
 * Host i has the MAC address 02:00:00:00:xx:xx and the IPv4 address network + 1 + i. There is no
 * IPv6, no queue disc, and ARP answers without jitter.
 */
class EthernetStarHelper
{
  public:
    EthernetStarHelper();

    /// Attributes of EthernetNetDevice, for hosts and switch ports.
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);
    /// Attributes of EthernetChannel.
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);
    /// Attributes of EthernetSwitch.
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);
    /// Room in the transmit queue of a host, and of a port of the switch, octets.
    void SetQueueSizes(uint32_t host, uint32_t port);
    /// \param network first address of the network; \param mask its mask
    void SetNetwork(Ipv4Address network, Ipv4Mask mask);

    /// What Install() made.
    struct Star
    {
        std::vector<Ptr<EthernetNetDevice>> devices; ///< One a host.
        std::vector<Ipv4Address> addresses;          ///< One a host.
        Ptr<EthernetSwitch> ethernetSwitch;
    };

    /// Wires \p hosts to \p switchNode. The network must have room for them.
    Star Install(const NodeContainer& hosts, Ptr<Node> switchNode) const;

  private:
    [[nodiscard]] Ptr<EthernetNetDevice> MakeDevice(Ptr<Node> node,
                                                    uint32_t number,
                                                    uint32_t queueSize) const;
    [[nodiscard]] Ipv4Address AddAddress(Ptr<Node> node,
                                         Ptr<EthernetNetDevice> device,
                                         uint32_t number) const;

    ObjectFactory m_deviceFactory;
    ObjectFactory m_channelFactory;
    ObjectFactory m_switchFactory;
    uint32_t m_hostQueue;
    uint32_t m_portQueue;
    Ipv4Address m_network;
    Ipv4Mask m_mask;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_ETHERNET_STAR_HELPER_H
