/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_ETHERNET_NETWORK_H
#define NFSRDMA_HELPER_ETHERNET_NETWORK_H

#include "link/bond-net-device.h"
#include "link/ethernet-net-device.h"
#include "link/ethernet-switch.h"
#include "link/resegmenting-middlebox.h"
#include "wire/ip-address.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A port of a switch of an EthernetNetwork.
struct NetworkPort
{
    uint32_t ethernetSwitch{0}; ///< Index of the switch.
    uint32_t port{0};           ///< Of the switch.
    std::string peer;           ///< The host or switch behind it.
    bool towardsSwitch{false};  ///< A switch is behind it, not a host.
};

/**
 * \brief The network of a cluster, as EthernetNetworkHelper has made it: hosts, their devices and
 * addresses, switches and what is between them.
 */
struct EthernetNetwork
{
    /// Gives streams to middleboxes and switches. \return streams used
    int64_t AssignStreams(int64_t stream) const;

    /// Bonds and switches speak LACP from now on, those that do, or ask for their targets of ARP.
    void StartBonds() const;
    /// Ends that, and ports stay as they are: its timers would go on for ever.
    void StopBonds() const;

    /// \return what the IP of \p host has its addresses on, one each: its bond, or its ports.
    [[nodiscard]] std::vector<Ptr<EthernetInterface>> GetInterfaces(std::size_t host) const;

    /// \return the addresses of \p host that belong to its server \p instance, from 0, one an
    /// interface.
    [[nodiscard]] const std::vector<IpAddress>& GetAddressesOf(std::size_t host,
                                                               std::size_t instance) const;

    /// \return the addresses of the first \p count interfaces of \p host, which has as many, that
    /// belong to \p instance, from number \p first of them (from 0) on, and from the beginning
    /// after the last.
    [[nodiscard]] std::vector<IpAddress> GetAddressesFrom(std::size_t host,
                                                          std::size_t instance,
                                                          std::size_t first,
                                                          std::size_t count) const;

    std::vector<Ptr<EthernetNetDevice>> devices; ///< The first port of each host.
    /// All ports of each host, in order.
    std::vector<std::vector<Ptr<EthernetNetDevice>>> hostPorts;
    std::vector<Ptr<BondNetDevice>> bonds; ///< One a host; null where it has none.
    std::vector<IpAddress> addresses;      ///< The first one of each host.
    /// All of each host: of its interfaces, in order.
    std::vector<std::vector<IpAddress>> hostAddresses;
    /// Of hosts with several servers, those of each server behind the first: by interface.
    std::map<std::size_t, std::vector<std::vector<IpAddress>>> furtherAddresses;
    std::vector<Ptr<EthernetSwitch>> switches; ///< None between two hosts back to back.
    std::vector<std::string> switchNames;      ///< One a switch.
    /// Of all switches; by switch, then by port.
    std::vector<NetworkPort> ports;
    /// One a host, null where there is none; port 0 is the host's side. Empty without any.
    std::vector<Ptr<ResegmentingMiddlebox>> middleboxes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_ETHERNET_NETWORK_H
