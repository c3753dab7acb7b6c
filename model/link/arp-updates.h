/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ARP_UPDATES_H
#define NFSRDMA_LINK_ARP_UPDATES_H

#include "ns3/net-device.h"
#include "ns3/object.h"

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief Has a host take over what an ARP packet says of its sender, if it knows that one (the
 * merge flag of RFC 826): after a gratuitous request it sends to the new address at once.
 *
 * ns-3's ARP learns from answers to its own requests alone, and would send to the old address until
 * its entry is too old. Unsolicited neighbour advertisements of IPv6 it takes (RFC 4861 section
 * 7.2.5).
 */
class ArpUpdates : public Object
{
  public:
    static TypeId GetTypeId();

    /// Installs one on \p node, which has IPv4, unless it has one.
    static void Install(const Ptr<Node>& node);

  protected:
    void DoDispose() override;

  private:
    void Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from,
                 const Address& to,
                 NetDevice::PacketType type);

    Ptr<Node> m_node;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ARP_UPDATES_H
