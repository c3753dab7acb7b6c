/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ENGINE_PATH_H
#define NFSRDMA_MPA_ENGINE_PATH_H

#include "link/ethernet-net-device.h"
#include "link/ipv4-frame-head.h"
#include "wire/bytes.h"

#include "ns3/arp-cache.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface.h"

namespace ns3
{
class Ipv4L3Protocol;
class Packet;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief The way on which the segments of one connection of a TcpEngine leave past the host's IPv4.
 *
 * The device and the next hop are the host's: looked up in its routes at first and after Forget(),
 * while the neighbour's address is the host's ARP cache's at each segment. The path is usable on an
 * EthernetNetDevice, with a neighbour that the host has resolved; all else, and so the resolution
 * itself, is left to the host's stack.
 */
class EnginePath
{
  public:
    /**
     * \brief Sends a frame.
     * \param head all but the hardware addresses
     * \param header TCP's
     * \param payload what lies behind it; has all headers in front when it is sent
     * \return false when the path is not usable or the packet exceeds the device's MTU: nothing has
     * been sent or changed
     */
    [[nodiscard]] bool Send(Ipv4L3Protocol& ipv4,
                            Ipv4FrameHead head,
                            ByteSpan header,
                            const Ptr<Packet>& payload);

    /// Has the route looked up again: the peer does not answer.
    void Forget()
    {
        m_isKnown = false;
    }

    /// \return the device that Send() uses; null before, and when the path is not usable.
    [[nodiscard]] const Ptr<EthernetNetDevice>& GetDevice() const
    {
        return m_device;
    }

  private:
    void LookUp(Ipv4L3Protocol& ipv4, Ipv4Address source, Ipv4Address destination);

    bool m_isKnown{false};
    Ptr<EthernetNetDevice> m_device;
    Ptr<Ipv4Interface> m_interface;
    Ptr<ArpCache> m_neighbours;
    Ipv4Address m_nextHop;
    Ipv4FrameHead::HardwareAddress m_hardwareSource{};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ENGINE_PATH_H
