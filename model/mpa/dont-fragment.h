/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_DONT_FRAGMENT_H
#define NFSRDMA_MPA_DONT_FRAGMENT_H

#include "ns3/ip-l4-protocol.h"
#include "ns3/object.h"

namespace ns3
{
class Ipv4;
class Node;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief Stands between the TCP and the IPv4 of a node and sets the don't-fragment bit of every
 * segment (RFC 5044 appendix A.5.1, RFC 1191).
 *
 * ns-3's IPv4 has no way to ask for it: its Send() lets every packet be fragmented. Here the header
 * is made outside and given to SendWithHeader(), so that the trace source SendOutgoing of
 * Ipv4L3Protocol is silent about these packets; Tx is not. Identification counts up per node.
 */
class DontFragment : public Object
{
  public:
    static TypeId GetTypeId();

    /// Installs one on \p node, which must have TCP and IPv4, unless it has one.
    static void Install(Ptr<Node> node);

  protected:
    void DoDispose() override;

  private:
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);

    Ptr<Ipv4> m_ipv4;
    IpL4Protocol::DownTargetCallback m_withoutRoute; ///< IPv4's own.
    uint16_t m_identification{0};
    uint8_t m_ttl{64};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_DONT_FRAGMENT_H
