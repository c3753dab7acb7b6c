/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_NEIGHBOUR_DISCOVERY_H
#define NFSRDMA_LINK_NEIGHBOUR_DISCOVERY_H

#include "wire/ns3-version.h"

#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/ndisc-cache.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief ICMPv6 of a host with static addresses: ns-3's, which tells of packets that are lost while
 * a neighbour is asked for (RFC 4861 section 7.2.2).
 *
 *     neighbour unknown: Neighbor Solicitation, packets wait
 *       more of them than the queue of the NdiscCache has room for: the oldest is lost (QUEUE_FULL)
 *       no answer to three in three seconds: all are lost (UNANSWERED), and a Destination
 *       Unreachable says so to this host itself
 *
 * Nothing waits for a random time, addresses are not looked for a second time on the link (RFC
 * 4862 section 5.4) and no router is solicited.
 */
class NeighbourDiscovery : public Typed<Icmpv6L4Protocol>
{
  public:
    enum Loss
    {
        QUEUE_FULL,
        UNANSWERED
    };

    static TypeId GetTypeId();

    /// Gives IPv6, with routes that are set, to \p node, which has none yet.
    static void InstallIpv6(const Ptr<Node>& node);

    /// Trace source "Lost": so many packets.
    typedef void (*LostTracedCallback)(Loss loss, uint32_t packets);

    /// \return packets lost to full queues.
    [[nodiscard]] uint64_t GetDiscarded() const
    {
        return m_discarded;
    }

    /// Called when an address may be used; ns-3's then solicits a router.
    void FunctionDadTimeout(Ipv6Interface* interface, Ipv6Address address) override;
    using Icmpv6L4Protocol::Receive;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> interface) override;
    using Icmpv6L4Protocol::Lookup;
    bool Lookup(Ptr<Packet> packet,
                const Ipv6Header& header,
                Ipv6Address neighbour,
                Ptr<NetDevice> device,
                Ptr<NdiscCache> cache,
                Address* hardwareAddress) override;

  private:
    struct Waiting
    {
        Ptr<NdiscCache> cache;
        uint32_t packets{0};
    };

    /// Forgets neighbours that have answered, and those that have not in time.
    void Settle();

    std::map<Ipv6Address, Waiting> m_waiting; ///< By the neighbour that is asked for.
    uint64_t m_discarded{0};
    TracedCallback<Loss, uint32_t> m_lostTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_NEIGHBOUR_DISCOVERY_H
