/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_SWITCH_H
#define NFSRDMA_LINK_ETHERNET_SWITCH_H

#include "link/ethernet-net-device.h"
#include "link/forwarding-table.h"
#include "link/port-aggregate.h"
#include "link/switch-buffer.h"
#include "link/switch-port.h"
#include "wire/ring.h"

#include "ns3/object.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A store-and-forward Ethernet switch: it learns, as IEEE 802.1D without spanning tree, or
 * has a ForwardingTable.
 *
 * Its ports are EthernetNetDevices of one node; frames that do not fit a port's rate wait in the
 * transmit queue of that port (output queueing), where they may be dropped. Unlike ns-3's
 * BridgeNetDevice a forwarded frame is neither copied nor stripped and rebuilt. The switch has no
 * address of its own: no host can speak to it.
 *
 * When it learns, the topology must be a tree. With a table it may have loops: frames of a flow
 * take one of the equal ports, by a hash (FrameHead::HashFlow()) whose seed is an attribute; or
 * frames take the equal ports in turn, whatever flow they are of (packet spraying), and may
 * overtake each other on the way.
 *
 * Ports of a link aggregation group (IEEE 802.1AX) are one for all this: an address learned at one
 * is at any, and a frame leaves by one of those that have a link, chosen by the hash of its flow. A
 * group is static, or its ports speak LACP (PortAggregate): then frames leave and are taken by
 * those of the aggregate alone. What is for the address of the slow protocols passes on in no case.
 *
 * With a Buffer its ports share one (SwitchBuffer), and the queues of their own have no other
 * bound; ports with flow control then ask those who send to pause.
 *
 * Frames that find a queue may be marked as having met congestion, see QueueMarking.
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
        /// Frames whose destination is behind the port they came from, or that came by a port that
        /// is not in its group's aggregate.
        uint64_t filtered{0};
        uint64_t directed{0}; ///< ARP requests sent to the one they are for.
        uint64_t control{0};  ///< Frames of slow protocols, which end here.
    };

    /// How the groups of AddLacpGroup() speak.
    enum class LacpMode
    {
        ACTIVE,  ///< Unasked.
        PASSIVE, ///< When the other end does.
        OFF,     ///< Not at all: they are static.
    };

    static TypeId GetTypeId();
    EthernetSwitch();

    /// Makes \p device a port; from then on it delivers nothing to its node.
    void AddPort(Ptr<EthernetNetDevice> device);

    /// Makes \p ports, two or more that are in no group, a static link aggregation group.
    void AddGroup(const std::vector<std::size_t>& ports);

    /// Makes \p ports, one or more that are in no group, a group that speaks LACP, as attributes
    /// say; with Lacp = off a static one. It speaks from StartLacp() on.
    /// \return its end of the aggregate, which lives as long as the switch; null with Lacp = off
    PortAggregate* AddLacpGroup(const std::vector<std::size_t>& ports);

    /// Groups speak LACP from now on by ports that have a link.
    void StartLacp();
    /// See PortAggregate::Stop().
    void StopLacp();

    [[nodiscard]] std::size_t GetNPorts() const
    {
        return m_ports.size();
    }

    [[nodiscard]] Ptr<EthernetNetDevice> GetPort(std::size_t index) const
    {
        return m_ports.at(index).GetDevice();
    }

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// \return what has gone out at a port.
    [[nodiscard]] const SwitchPort::Counters& GetPortCounters(std::size_t index) const
    {
        return m_ports.at(index).GetCounters();
    }

    /// \return the buffer that the ports share; null without.
    [[nodiscard]] const SwitchBuffer* GetBuffer() const
    {
        return m_buffer.get();
    }

    /// Forwards by \p table from now on, and learns nothing.
    void SetForwardingTable(ForwardingTable table)
    {
        m_table = std::move(table);
    }

    /// Gives its random stream. \return 1, streams used
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    struct Learned
    {
        std::size_t port;
        Time expires;
    };

    /// A link aggregation group.
    struct Group
    {
        std::vector<std::size_t> ports;
        std::unique_ptr<PortAggregate> lacp; ///< Null: static.
    };

    void SetLacp(std::string name);
    [[nodiscard]] std::string GetLacp() const;
    void SetLacpRate(std::string name);
    [[nodiscard]] std::string GetLacpRate() const;
    void SetMarking(std::string name);
    [[nodiscard]] std::string GetMarking() const;
    void Receive(std::size_t port, Ptr<Packet> frame);
    Group& MakeGroup(const std::vector<std::size_t>& ports);
    /// \return the group of \p port, and which of its ports that is; null: none.
    [[nodiscard]] std::pair<Group*, std::size_t> FindGroup(std::size_t port);
    /// \return whether \p frame, which has come by \p port, goes no further for LACP's sake.
    bool EndsAt(std::size_t port, const Ptr<const Packet>& frame, bool isSlow);
    void SendPdu(std::size_t port, const Ptr<Packet>& frame);
    void HandleCarrier(std::size_t port, bool up);
    void Learn(Mac48Address source, std::size_t port);
    /// \return the port behind which \p destination is, or GetNPorts() when not known.
    std::size_t Lookup(Mac48Address destination);
    /// \return the port that the table gives \p frame, or GetNPorts() when it is to be flooded.
    std::size_t Route(const Ptr<Packet>& frame);
    [[nodiscard]] QueueMarkingSettings MakeMarkingSettings() const;
    [[nodiscard]] Time Arrival();
    /// \return the first port of the group of \p port; itself without a group.
    [[nodiscard]] std::size_t GetHead(std::size_t port) const;
    /// \return the port by which \p frame leaves that is for \p port or its group; GetNPorts():
    /// none may carry it.
    [[nodiscard]] std::size_t ChooseMember(std::size_t port, const Ptr<const Packet>& frame) const;
    /// Sends \p frame, which has come by \p from, by \p port or another of its group.
    void SendBy(std::size_t from, std::size_t port, const Ptr<Packet>& frame);
    void HandleDeparture(std::size_t port, uint32_t octets);

    void Flood(std::size_t from, Ptr<Packet> frame);

    Time m_latency;
    Time m_agingTime;
    uint32_t m_hashSeed{0};
    bool m_sprays{false};
    QueueMarking m_marking{QueueMarking::NONE};
    uint32_t m_markThreshold{0};
    uint32_t m_redMinimum{0};
    uint32_t m_redMaximum{0};
    double m_redProbability{0};
    double m_redWeight{0};
    Ptr<UniformRandomVariable> m_draw; ///< Of RED.
    std::vector<SwitchPort> m_ports;
    std::map<Mac48Address, Learned> m_learned;
    std::optional<ForwardingTable> m_table; ///< None: it learns.
    /// Of each group, by the first of its ports.
    std::map<std::size_t, Group> m_groups;
    std::vector<std::size_t> m_heads; ///< By port, GetHead(); empty without groups.
    LacpMode m_lacp{LacpMode::ACTIVE};
    LacpRate m_lacpRate{LacpRate::SLOW};
    Time m_latestArrival;
    uint64_t m_bufferSize{0};
    double m_alpha{1};
    uint64_t m_xoff{0};
    uint64_t m_xon{0};
    std::unique_ptr<SwitchBuffer> m_buffer; ///< Null: none is shared.
    std::vector<Ring<std::size_t>> m_held;  ///< By port: where what leaves has come from.
    Counters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_SWITCH_H
