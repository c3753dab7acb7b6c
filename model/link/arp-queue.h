/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ARP_QUEUE_H
#define NFSRDMA_LINK_ARP_QUEUE_H

#include "ns3/object.h"
#include "ns3/ptr.h"

namespace ns3
{
class Node;
class Packet;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief Has a host lose the oldest packet that waits for an answer of ARP, in place of the one
 * that comes, when the queue of its ArpCache (PendingQueueSize) is full: Linux's rule
 * (__neigh_event_send() of net/core/neighbour.c), as of NeighbourDiscovery.
 *
 * ns-3's ARP tells of the newest as dropped; the number of those lost is the same.
 */
class ArpQueue : public Object
{
  public:
    static TypeId GetTypeId();

    /// Installs one on \p node, which has IPv4, unless it has one.
    static void Install(const Ptr<Node>& node);

    /// \return packets lost to full queues.
    [[nodiscard]] uint64_t GetDiscarded() const
    {
        return m_discarded;
    }

  protected:
    void DoDispose() override;

  private:
    /// \p packet, with its header of IP, is not to wait.
    void HandleDrop(Ptr<const Packet> packet);

    Ptr<Node> m_node;
    uint64_t m_discarded{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ARP_QUEUE_H
