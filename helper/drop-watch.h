/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_DROP_WATCH_H
#define NFSRDMA_HELPER_DROP_WATCH_H

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
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
    explicit DropWatch(const EthernetNetwork& network);
    DropWatch(const DropWatch&) = delete;
    DropWatch& operator=(const DropWatch&) = delete;

    /**
     * \return packets or frames by place, each place always there:
     *   - arp-queue: packets that found the queue full that waits for an ARP answer;
     *   - arp-timeout: that waited for an answer that never came;
     *   - ipv4: what a host's IPv4 did not take or send (checksum, route, interface down, TTL);
     *   - host-transmit: frames that a host's port did not send (queue full, port dead, too long);
     *   - host-receive: frames that came damaged to a host, or when its port was dead;
     *   - switch: frames that a switch's port did not send (queue full, RED);
     *   - middlebox: segments that a middlebox was told to lose, and packets above its MTU that it
     *     neither sent on nor refused.
     */
    [[nodiscard]] std::vector<std::pair<std::string, uint64_t>> GetCounts(
        const EthernetNetwork& network) const;

  private:
    enum Place
    {
        ARP_QUEUE,
        ARP_TIMEOUT,
        IPV4,
        HOST_TRANSMIT,
        HOST_RECEIVE,
        PLACES
    };

    template <Place place>
    void Count(Ptr<const Packet> packet);
    void CountIpv4(const Ipv4Header& header,
                   Ptr<const Packet> packet,
                   Ipv4L3Protocol::DropReason reason,
                   Ptr<Ipv4> ipv4,
                   uint32_t interface);

    std::array<uint64_t, PLACES> m_counts{};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_DROP_WATCH_H
