/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_ETHERNET_NETWORK_HELPER_H
#define NFSRDMA_HELPER_ETHERNET_NETWORK_HELPER_H

#include "helper/ethernet-network.h"
#include "helper/topology/topology.h"

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Connects hosts by Ethernet switches and gives them IPv4 or IPv6, and TCP.
 *
 * All hosts are in one IP network, but for ports that SetBonded() leaves apart. A single switch
 * learns where they are. Several have tables of all shortest ways, out of which the hash of the
 * flow chooses (ECMP), and broadcasts travel along a tree.
 *
 * A host with several links has a bond of its ports (BondNetDevice), unless SetBonded() says no.
 * Then switches learn, even if there are several of them, which must be a tree. The links of a bond
 * of mode balance-xor are a static link aggregation group of the one switch that they lead to;
 * those of mode 802.3ad one that speaks LACP, of each switch, and have done so for long when the
 * simulation begins.
 *
 * Host i has the MAC address 02:00:00:00:xx:xx and the IPv4 address network + 1 + i; or it has IPv4
 * without an address and the IPv6 address fd00:0:0:77::1 + i of a network of 64 bits, beside its
 * link-local one, and no router is there. There is no queue disc, and neither ARP nor neighbour
 * discovery waits for a random time.
 *
 * EnableAscii() writes a line for each frame of an EthernetNetDevice, as other helpers of ns-3 do:
 * "+" it is given to the device, "-" its first octet leaves, "r" it has been received for this
 * node, "d" it was not sent, or has come damaged; then the time in seconds, the path of the trace
 * source where devices share a stream, and its headers (DescribeFrame()). Other devices are passed
 * over.
 */
class EthernetNetworkHelper : public AsciiTraceHelperForDevice
{
  public:
    EthernetNetworkHelper();

    /// Attributes of EthernetNetDevice, for hosts and switch ports.
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);
    /// Attributes of EthernetChannel.
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);
    /// Attributes of EthernetSwitch; HashSeed is the first one's, others follow it.
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);
    /// Room in the transmit queue of a host, and of a port of the switch, octets.
    void SetQueueSizes(uint32_t host, uint32_t port);
    /// \param network first address of the network; \param mask its mask
    void SetNetwork(Ipv4Address network, Ipv4Mask mask);
    /// Gives hosts addresses of IPv6 in place of those of IPv4.
    void SetIpv6(bool has);

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

    /// Whether the ports of a host with several links are one interface. If not, each has an
    /// address of its own, that of port n (from 0) in the n-th network behind the first: 10.78.0.1
    /// or fd00:0:0:78::1 is of host 0. The switches of one network must not reach those of another;
    /// they learn where hosts are, unless there are loops. Default: they are.
    void SetBonded(bool bonded);
    /// Gives \p host addresses for servers beside the first (EthernetNetwork::furtherAddresses), as
    /// containers have them: on the same interfaces. Default: for none.
    void SetFurtherServers(uint32_t host, uint32_t servers);
    /// Attributes of BondNetDevice, for hosts that have several links.
    void SetBondAttribute(const std::string& name, const AttributeValue& value);
    /// The same for the bond of \p host.
    void SetHostBondAttribute(uint32_t host, const std::string& name, const AttributeValue& value);
    /// Says what is different about the link of \p host, or about its end there.
    void SetHostLink(uint32_t host, const LinkTraits& traits);
    /// \return the largest MTU that traits of the links of hosts, in \p topology or as
    /// SetHostLink() has them, say (octets); 0 when none says one. Trunks without one take it.
    [[nodiscard]] uint16_t GetLargestMtu(const Topology& topology) const;
    /// Has switches send an ARP request to the one it is for, of whom they know, instead of to all,
    /// and a Neighbor Solicitation to those of its multicast address, as with MLD snooping (RFC
    /// 4541); then a single switch has a table, too.
    void SetDirectedArp(bool directed);
    /// Has flows take the equal ways from a switch in proportion to the rates of its links, and not
    /// equally. Default: equally.
    void SetWeightedPaths(bool weighted);
    /// Packets of a host that wait for a neighbour's address; with more the oldest is lost. 101
    /// unless set, as Linux (unres_qlen).
    void SetArpQueue(uint32_t packets);

    /// Wires \p hosts to each other as \p topology says, which has as many and has passed its
    /// Check(). The network must have room for them. Switches and middleboxes get nodes of their
    /// own.
    [[nodiscard]] EthernetNetwork Install(const NodeContainer& hosts,
                                          const Topology& topology) const;
    /// Wires \p hosts to one switch.
    [[nodiscard]] EthernetNetwork Install(const NodeContainer& hosts) const;
    /// Wires two hosts to each other by one cable: no switch, no middleboxes.
    [[nodiscard]] EthernetNetwork InstallBackToBack(const NodeContainer& hosts) const;

  private:
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;

    /// Ports of switches, as they are made.
    struct Wiring
    {
        std::vector<Ptr<Node>> switchNodes;
        uint32_t portCount{0};
        /// By link: the port at each end (one, other) that is a switch.
        std::vector<std::array<uint32_t, 2>> portOfLink;
    };

    void InstallStack(const NodeContainer& hosts) const;
    /// \return what \p link, of a host, is said to be, and SetHostLink() over it.
    [[nodiscard]] LinkTraits GetHostTraits(const TopologyLink& link) const;
    void AddSwitches(const Topology& topology, Wiring& wiring, EthernetNetwork& network) const;
    /// Wires \p host by all its links.
    void AddHost(const Ptr<Node>& node,
                 const Topology& topology,
                 uint32_t host,
                 Wiring& wiring,
                 EthernetNetwork& network) const;
    /// Makes groups of the ports of switches that the ports of \p bond lead to, settled where they
    /// speak LACP.
    static void AddGroups(const Topology& topology,
                          uint32_t host,
                          const BondNetDevice& bond,
                          const Wiring& wiring,
                          const EthernetNetwork& network);
    /// \return the bond of \p ports.
    [[nodiscard]] Ptr<BondNetDevice> MakeBond(
        const Ptr<Node>& node,
        uint32_t host,
        const std::vector<Ptr<EthernetNetDevice>>& ports) const;
    /// Wires two switches by link \p number.
    void AddTrunk(const Topology& topology,
                  uint32_t number,
                  Wiring& wiring,
                  EthernetNetwork& network) const;
    [[nodiscard]] Ptr<EthernetNetDevice> AddPort(const Topology& topology,
                                                 uint32_t link,
                                                 bool atOther,
                                                 const LinkTraits& traits,
                                                 Wiring& wiring,
                                                 EthernetNetwork& network) const;
    /// \return the ports of \p node to which \p links lead, each once; when paths are weighted, as
    /// often as its rate is a multiple of the greatest common divisor of all, or of a thousandth of
    /// the largest if that is more.
    [[nodiscard]] std::vector<uint32_t> ListPorts(const Topology& topology,
                                                  const Wiring& wiring,
                                                  const EthernetNetwork& network,
                                                  uint32_t node,
                                                  const std::vector<uint32_t>& links) const;
    void FillTables(const Topology& topology,
                    const Wiring& wiring,
                    const EthernetNetwork& network) const;
    void Connect(const Ptr<EthernetNetDevice>& one,
                 const Ptr<EthernetNetDevice>& other,
                 const LinkTraits& traits) const;
    /// \return a middlebox whose port 0 \p device is connected to.
    [[nodiscard]] Ptr<ResegmentingMiddlebox> MakeMiddlebox(const Ptr<EthernetNetDevice>& device,
                                                           uint32_t number,
                                                           const LinkTraits& traits) const;
    [[nodiscard]] Ptr<EthernetNetDevice> MakeDevice(const Ptr<Node>& node,
                                                    uint32_t number,
                                                    uint32_t queueSize,
                                                    const LinkTraits& traits) const;
    /// \param number of the host, from 1 \param network from 0
    [[nodiscard]] IpAddress AddAddress(const Ptr<Node>& node,
                                       const Ptr<NetDevice>& device,
                                       uint32_t number,
                                       uint32_t network) const;
    /// Gives an interface that has an address, a further one.
    [[nodiscard]] IpAddress AddFurtherAddress(const Ptr<Node>& node,
                                              const Ptr<NetDevice>& device,
                                              uint32_t number,
                                              uint32_t network) const;
    void AddFurtherServers(const Ptr<Node>& node,
                           uint32_t hosts,
                           uint32_t host,
                           EthernetNetwork& network) const;
    [[nodiscard]] IpAddress AddIpv6Address(const Ptr<Node>& node,
                                           const Ptr<NetDevice>& device,
                                           uint32_t number,
                                           uint32_t network) const;

    ObjectFactory m_deviceFactory;
    ObjectFactory m_channelFactory;
    ObjectFactory m_switchFactory;
    ObjectFactory m_middleboxFactory;
    ObjectFactory m_impairmentFactory;
    ObjectFactory m_bondFactory;
    std::map<uint32_t, ObjectFactory> m_hostBonds;
    bool m_hasMiddleboxes{false};
    bool m_hasImpairment{false};
    uint16_t m_middleboxPortMtu{0};
    std::set<uint32_t> m_middleboxHosts;
    std::map<uint32_t, LinkTraits> m_hostLinks;
    bool m_directedArp{false};
    bool m_weighted{false};
    uint32_t m_arpQueue{101};
    uint32_t m_hostQueue;
    uint32_t m_portQueue;
    Ipv4Address m_network;
    Ipv4Mask m_mask;
    bool m_ipv6{false};
    bool m_isBonded{true};
    std::map<uint32_t, uint32_t> m_furtherServers; ///< By host.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_ETHERNET_NETWORK_HELPER_H
