/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_SWITCH_H
#define NFSRDMA_LINK_ETHERNET_SWITCH_H

#include "link/ethernet-net-device.h"

#include "ns3/object.h"

#include <map>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A learning store-and-forward Ethernet switch, IEEE 802.1D without spanning tree.
 *
 * Its ports are EthernetNetDevices of one node; frames that do not fit a port's rate wait in the
 * transmit queue of that port (output queueing), where they may be dropped. Unlike ns-3's
 * BridgeNetDevice a forwarded frame is neither copied nor stripped and rebuilt. The switch has no
 * address of its own: no host can speak to it. The topology must be a tree.
 *
 * Aggregate it to the switch's node to keep it alive.
 */
class EthernetSwitch : public Object
{
  public:
    /// What has passed through.
    struct Counters
    {
        uint64_t forwarded{0}; ///< Frames sent to one port.
        uint64_t flooded{0};   ///< Frames sent to every other port.
        uint64_t filtered{0};  ///< Frames whose destination is behind the port they came from.
    };

    static TypeId GetTypeId();

    /// Makes \p device a port; from then on it delivers nothing to its node.
    void AddPort(Ptr<EthernetNetDevice> device);
    [[nodiscard]] std::size_t GetNPorts() const;
    [[nodiscard]] Ptr<EthernetNetDevice> GetPort(std::size_t index) const;
    [[nodiscard]] const Counters& GetCounters() const;

  protected:
    void DoDispose() override;

  private:
    struct Learned
    {
        std::size_t port;
        Time expires;
    };

    void Receive(std::size_t port, Ptr<Packet> frame);
    void Learn(Mac48Address source, std::size_t port);
    /// \return the port behind which \p destination is, or GetNPorts() when not known.
    std::size_t Lookup(Mac48Address destination);
    void Forward(std::size_t port, Ptr<Packet> frame);
    void Flood(std::size_t from, Ptr<Packet> frame);

    Time m_latency;
    Time m_agingTime;
    std::vector<Ptr<EthernetNetDevice>> m_ports;
    std::map<Mac48Address, Learned> m_table;
    Counters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_SWITCH_H
