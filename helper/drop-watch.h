/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_DROP_WATCH_H
#define NFSRDMA_HELPER_DROP_WATCH_H

#include "link/neighbour-discovery.h"
#include "mpa/host-tcp.h"

#include "ns3/arp-cache.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

struct EthernetNetwork;

/**
 * \brief Counts what is dropped in a network that is not a fault's doing, by the place where.
 *
 * It listens from its construction on to the hosts; what switches and middleboxes count themselves
 * is added when it is asked. It lives as long as the network's objects have events.
 */
class DropWatch
{
  public:
    /// Packets or frames by place.
    using Counts = std::vector<std::pair<std::string, uint64_t>>;

    /// \return the names of the places of every network, in the order of GetCounts().
    [[nodiscard]] static std::vector<std::string> ListPlaces();

    explicit DropWatch(const EthernetNetwork& network);
    DropWatch(const DropWatch&) = delete;
    DropWatch& operator=(const DropWatch&) = delete;

    /**
     * \return packets or frames by place, each of ListPlaces() always there; in hosts
     *   - arp-queue: packets lost because a queue was full that waits for an answer of ARP or of
     *     neighbour discovery (arp_queue is Linux's name of either);
     *   - arp-timeout: that waited for an answer that never came, or were for a neighbour that had
     *     not answered just before;
     *   - arp-unasked: ARP answers that nobody waited for;
     *   - ipv4-checksum, ipv4-fragments: what had a wrong checksum, or stayed without a fragment;
     *   - ipv4: what IPv4 did not take or send for another reason (TTL, no route, interface down);
     *   - ipv6: what IPv6 did not take or send; there only in a network of IPv6;
     *   - packet-buffer: packets that found the packet buffer of the adapter full
     *     (RnicSettings::packetBuffer);
     *   - tcp-checksum: segments with a wrong checksum of TCP;
     *   - tcp-fpdu: segments that TCP was told to treat as lost because of an FPDU that is not
     *     valid (MpaSettings::DropBadSegments);
     *   - host-transmit: frames that a host's port did not send (queue full, port dead, too long);
     *   - host-receive: frames that came damaged to a host, or when its port was dead;
     *
     * and in the network
     *   - switch: frames that a switch's port did not send (queue full, RED);
     *   - middlebox: segments that a middlebox was told to lose, packets above its MTU that it
     *     neither sent on nor refused, and frames that found a queue of it full.
     */
    [[nodiscard]] Counts GetCounts(const EthernetNetwork& network) const;

    /// \return the places in \p host, an index of EthernetNetwork::devices, where anything was
    /// dropped.
    [[nodiscard]] Counts GetHostCounts(std::size_t host) const;

  private:
    enum Place
    {
        ARP_QUEUE,
        ARP_TIMEOUT,
        ARP_UNASKED,
        IPV4_CHECKSUM,
        IPV4_FRAGMENTS,
        IPV4,
        IPV6,
        PACKET_BUFFER,
        TCP_CHECKSUM,
        TCP_FPDU,
        HOST_TRANSMIT,
        HOST_RECEIVE,
        PLACES
    };

    using HostCounts = std::array<uint64_t, PLACES>;

    static constexpr const char* SWITCH = "switch";
    static constexpr const char* MIDDLEBOX = "middlebox";

    static const char* ToString(Place place);

    void Count(std::size_t host, Place place, Ptr<const Packet> packet);
    void CountArp(std::size_t host, ArpCache* cache, Ptr<const Packet> packet);
    void CountTcp(std::size_t host, Ptr<const Packet> segment, HostTcp::Loss loss);
    void CountIpv4(std::size_t host,
                   const Ipv4Header& header,
                   Ptr<const Packet> packet,
                   Ipv4L3Protocol::DropReason reason,
                   Ptr<Ipv4> ipv4,
                   uint32_t interface);

    void CountIpv6(std::size_t host,
                   const Ipv6Header& header,
                   Ptr<const Packet> packet,
                   Ipv6L3Protocol::DropReason reason,
                   Ptr<Ipv6> ipv6,
                   uint32_t interface);
    void CountNeighbour(std::size_t host, NeighbourDiscovery::Loss loss, uint32_t packets);

    std::vector<HostCounts> m_counts; ///< One a host.
    bool m_hasIpv6{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_DROP_WATCH_H
