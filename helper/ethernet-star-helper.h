/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_ETHERNET_STAR_HELPER_H
#define NFSRDMA_HELPER_ETHERNET_STAR_HELPER_H

#include "link/ethernet-net-device.h"
#include "link/ethernet-switch.h"
#include "link/resegmenting-middlebox.h"

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <set>
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

    /// Puts a ResegmentingMiddlebox, on a node of its own, into the link of every host, or of those
    /// that SetMiddleboxHosts() names.
    void AddMiddleboxes();
    /// \param hosts indices; none means every host
    void SetMiddleboxHosts(std::set<uint32_t> hosts);
    /// Attributes of ResegmentingMiddlebox.
    void SetMiddleboxAttribute(const std::string& name, const AttributeValue& value);
    /// Attributes of LinkImpairment, of which each middlebox then has one for each direction.
    void SetImpairmentAttribute(const std::string& name, const AttributeValue& value);
    /// MTU of the ports of middleboxes (octets), if not that of the other devices.
    void SetMiddleboxPortMtu(uint16_t mtu);

    /// What Install() made.
    struct Star
    {
        /// Gives streams to the middleboxes. \return streams used
        int64_t AssignStreams(int64_t stream) const;

        std::vector<Ptr<EthernetNetDevice>> devices; ///< One a host.
        std::vector<Ipv4Address> addresses;          ///< One a host.
        Ptr<EthernetSwitch> ethernetSwitch;
        /// One a host, null where there is none; port 0 is the host's side. Empty without any.
        std::vector<Ptr<ResegmentingMiddlebox>> middleboxes;
    };

    /// Wires \p hosts to \p switchNode. The network must have room for them.
    Star Install(const NodeContainer& hosts, Ptr<Node> switchNode) const;
    /// Wires two hosts to each other by one cable: a star without a switch or middleboxes.
    Star InstallBackToBack(const NodeContainer& hosts) const;

  private:
    static void InstallStack(const NodeContainer& hosts);
    void Connect(const Ptr<EthernetNetDevice>& one, const Ptr<EthernetNetDevice>& other) const;
    /// \return a middlebox whose port 0 \p device is connected to.
    [[nodiscard]] Ptr<ResegmentingMiddlebox> MakeMiddlebox(const Ptr<EthernetNetDevice>& device,
                                                           uint32_t number) const;
    [[nodiscard]] Ptr<EthernetNetDevice> MakeDevice(Ptr<Node> node,
                                                    uint32_t number,
                                                    uint32_t queueSize) const;
    [[nodiscard]] Ipv4Address AddAddress(Ptr<Node> node,
                                         Ptr<EthernetNetDevice> device,
                                         uint32_t number) const;

    ObjectFactory m_deviceFactory;
    ObjectFactory m_channelFactory;
    ObjectFactory m_switchFactory;
    ObjectFactory m_middleboxFactory;
    ObjectFactory m_impairmentFactory;
    bool m_hasMiddleboxes{false};
    bool m_hasImpairment{false};
    uint16_t m_middleboxPortMtu{0};
    std::set<uint32_t> m_middleboxHosts;
    uint32_t m_hostQueue;
    uint32_t m_portQueue;
    Ipv4Address m_network;
    Ipv4Mask m_mask;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_ETHERNET_STAR_HELPER_H
