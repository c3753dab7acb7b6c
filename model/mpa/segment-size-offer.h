/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SEGMENT_SIZE_OFFER_H
#define NFSRDMA_MPA_SEGMENT_SIZE_OFFER_H

#include "ns3/ip-l4-protocol.h"
#include "ns3/object.h"

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief Stands between ns-3's TCP of a node and its IP, and puts the option maximum segment size
 * into each SYN (RFC 9293 section 3.7.1): the MTU of the device by which it leaves, less the fixed
 * headers (RFC 6691).
 *
 * ns-3's TCP offers none, so that a peer had to take its own MTU for ours, or 536 octets as Linux
 * does. Options of the SYN are in Linux's order then.
 */
class SegmentSizeOffer : public Object
{
  public:
    static TypeId GetTypeId();

    /// Installs one on \p node, which must have TCP, unless it has one.
    static void Install(const Ptr<Node>& node);

  protected:
    void DoDispose() override;

  private:
    void SendIpv4(Ptr<Packet> segment,
                  Ipv4Address source,
                  Ipv4Address destination,
                  uint8_t protocol,
                  Ptr<Ipv4Route> route);
    void SendIpv6(Ptr<Packet> segment,
                  Ipv6Address source,
                  Ipv6Address destination,
                  uint8_t protocol,
                  Ptr<Ipv6Route> route);

    IpL4Protocol::DownTargetCallback m_ipv4;  ///< What was there.
    IpL4Protocol::DownTargetCallback6 m_ipv6; ///< What was there.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SEGMENT_SIZE_OFFER_H
