/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ENGINE_PATH_H
#define NFSRDMA_MPA_ENGINE_PATH_H

#include "link/ethernet-interface.h"
#include "link/ipv4-frame-head.h"
#include "link/ipv6-frame-head.h"
#include "wire/bytes.h"

#include "ns3/arp-cache.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv6-address.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ndisc-cache.h"

#include <optional>

namespace ns3
{
class Ipv4L3Protocol;
class Ipv6L3Protocol;
class Packet;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief The way on which the segments of one connection of a TcpEngine leave past the host's IP.
 *
 * The device and the next hop are the host's: looked up in its routes at first and after Forget(),
 * while the neighbour's address is the host's ARP or neighbour discovery cache's at each segment.
 * The path is usable on an EthernetInterface, with a neighbour that the host has resolved; all
 * else, and so the resolution itself and whether a neighbour is still there (RFC 4861 section 7.3),
 * is left to the host's stack.
 */
class EnginePath
{
  public:
    /// What a frame has behind its first headers.
    struct Segment
    {
        ByteSpan header;            ///< TCP's.
        const Ptr<Packet>& payload; ///< Has all headers in front when it is sent.
        Time leaves;                ///< When the device gets it, now or later.

        [[nodiscard]] std::size_t GetSize() const
        {
            return header.size() + payload->GetSize();
        }
    };

    /**
     * \brief Sends a frame.
     * \param head all but the hardware addresses, the length and the checksum
     * \param withChecksum of the IPv4 header; else it is zero
     * \return false when the path is not usable or the packet exceeds the device's MTU: nothing has
     * been sent or changed
     */
    [[nodiscard]] bool Send(Ipv4L3Protocol& ipv4,
                            Ipv4FrameHead head,
                            bool withChecksum,
                            const Segment& segment);
    [[nodiscard]] bool Send(Ipv6L3Protocol& ipv6, Ipv6FrameHead head, const Segment& segment);

    /// Has the route looked up again: the peer does not answer.
    void Forget()
    {
        m_isKnown = false;
    }

    /// \return the device that Send() uses; null before, and when the path is not usable.
    [[nodiscard]] const Ptr<EthernetInterface>& GetDevice() const
    {
        return m_device;
    }

  private:
    using HardwareAddress = std::array<uint8_t, ETHERNET_ADDRESS_SIZE>;

    void LookUp(Ipv4L3Protocol& ipv4, Ipv4Address source, Ipv4Address destination);
    void LookUp(Ipv6L3Protocol& ipv6, const Ipv6Address& source, const Ipv6Address& destination);
    /// \return whether \p device is one that it can use.
    [[nodiscard]] bool Take(const Ptr<NetDevice>& device);
    [[nodiscard]] std::optional<HardwareAddress> FindIpv4Neighbour() const;
    [[nodiscard]] std::optional<HardwareAddress> FindIpv6Neighbour() const;
    template <typename Head>
    void SendBehind(const Head& head, const Segment& segment) const;

    bool m_isKnown{false};
    Ptr<EthernetInterface> m_device;
    HardwareAddress m_hardwareSource{};

    // Of IPv4
    Ptr<Ipv4Interface> m_interface;
    Ptr<ArpCache> m_neighbours;
    Ipv4Address m_nextHop;

    // Of IPv6
    Ptr<Ipv6Interface> m_ipv6Interface;
    Ipv6Address m_ipv6NextHop;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ENGINE_PATH_H
