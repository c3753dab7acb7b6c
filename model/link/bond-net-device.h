/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_BOND_NET_DEVICE_H
#define NFSRDMA_LINK_BOND_NET_DEVICE_H

#include "link/arp-monitor.h"
#include "link/ethernet-interface.h"
#include "link/ethernet-net-device.h"
#include "link/port-aggregate.h"
#include "link/transmit-hash.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a bond has counted.
struct BondCounters
{
    uint64_t failovers{0};       ///< Another port has become the active one, or ports less or more.
    uint64_t backupDiscarded{0}; ///< Frames that came by a port that is not active.
    uint64_t withoutPort{0};     ///< Frames to be sent while no port could.
    uint64_t arpProbes{0};       ///< Requests of the ARP monitor.
    uint64_t peersNotified{0};   ///< Gratuitous ARP requests and unsolicited advertisements.
};

/**
 * \brief Several ports of a host as one interface, as Linux's bonding driver
 * (drivers/net/bonding, Documentation/networking/bonding.rst).
 *
 *   - active-backup: one port sends and receives; what comes by another is thrown away, since a
 *     switch floods to all. When it loses its link the next one in order that has one takes its
 *     place; the primary comes back to it whenever it has a link again.
 *   - balance-xor: a frame leaves by the port that the hash of its flow chooses (xmit_hash_policy)
 *     among those that have a link; every port receives. The other side is a static link
 * aggregation group (EthernetSwitch::AddGroup()), and a member whose link is down is none.
 *   - 802.3ad: the same, among the ports of the aggregate that LACP has made of them
 *     (PortAggregate); what comes by another is thrown away. The other side is a group that speaks
 *     LACP (EthernetSwitch::AddLacpGroup()). Ports at several switches are in aggregates of their
 *     own, of which one is used: when another is, peers are told as after a failover. Start() has
 * it speak; until then no port is in an aggregate.
 *
 * With an ArpInterval active-backup does not look at links but asks for ArpTargets (ArpMonitor),
 * from Start() on: a port is up while answers come by it, so that a path is found that is dead
 * behind the switch.
 *
 * Otherwise a loss of link is seen at the next of the looks that come every Miimon, and acted on
 * DownDelay later; a link that has come back UpDelay later, or at once when there is no other.
 * Nothing is looked at while nothing changes. Until then frames are sent to where nothing passes,
 * and are lost.
 *
 * With fail_over_mac none all ports have the address of the first, which is the bond's; with active
 * the bond has that of its active port, and changes it with that. After a failover it tells its
 * peers, and with that the switches, by a gratuitous ARP request and an unsolicited neighbour
 * advertisement for each of its addresses (num_peer_notif = 1; RFC 5227 section 3, RFC 4861 section
 * 7.2.6).
 *
 * Its captures and drops are those of its ports, which stay devices of the node without IP.
 */
class BondNetDevice : public EthernetInterface
{
  public:
    enum Mode
    {
        ACTIVE_BACKUP, ///< active-backup, mode 1.
        BALANCE_XOR,   ///< balance-xor, mode 2.
        LACP,          ///< 802.3ad, mode 4.
    };

    enum FailOverMac
    {
        NONE,   ///< All ports have the address of the bond.
        ACTIVE, ///< The bond has the address of the active port.
    };

    static constexpr uint32_t NO_PORT = UINT32_MAX;

    /// TracedCallback signature of Failover: the active ports, counted from 0, NO_PORT: none.
    typedef void (*FailoverTracedCallback)(uint32_t before, uint32_t now);
    /// TracedCallback signature of AddressChange.
    typedef void (*AddressTracedCallback)(Mac48Address before, Mac48Address now);

    static TypeId GetTypeId();
    BondNetDevice();
    ~BondNetDevice() override;

    /// Takes \p port, an attached port of the same node, as the next one; attributes are set by
    /// then. The first gives the bond its address and MTU.
    void AddPort(const Ptr<EthernetNetDevice>& port);

    [[nodiscard]] const std::vector<Ptr<EthernetNetDevice>>& GetPorts() const
    {
        return m_ports;
    }

    /// \return the active port (active-backup), or the first that is used; NO_PORT: none.
    [[nodiscard]] uint32_t GetActive() const
    {
        return m_active;
    }

    [[nodiscard]] Mode GetMode() const
    {
        return m_mode;
    }

    /// \return what asks for targets of ARP; null without.
    [[nodiscard]] const ArpMonitor* GetMonitor() const
    {
        return m_monitor.get();
    }

    /// \return what speaks LACP; null but with 802.3ad and a port.
    [[nodiscard]] PortAggregate* GetAggregate() const
    {
        return m_aggregate.get();
    }

    /// LACP is spoken, or targets are asked for, from now on; for a bond that does either.
    void Start();
    /// Ends that: ports stay as they are, but for those of LACP that lose their link.
    void Stop();

    [[nodiscard]] const BondCounters& GetCounters() const
    {
        return m_counters;
    }

    // EthernetInterface
    bool SendBeneath(Ptr<Packet> frame, Time arrives) override;

    // NetDevice
    Ptr<Channel> GetChannel() const override;
    bool SetMtu(uint16_t mtu) override;

    bool IsLinkUp() const override
    {
        return m_active != NO_PORT;
    }

  protected:
    void DoDispose() override;

  private:
    /// Asks for \p target by \p port.
    void Probe(uint32_t port, Ipv4Address target);
    /// \return the first address of IPv4 that the bond has; any: none.
    [[nodiscard]] Ipv4Address GetIpv4Address() const;
    void StartMonitor();
    /// \return whether \p frame says of \p port that its path is alive.
    [[nodiscard]] bool Counts(uint32_t port, const Ptr<const Packet>& frame) const;
    void SetArpTargets(std::string text);
    [[nodiscard]] std::string GetArpTargets() const;
    void SetLacpRate(std::string name);
    [[nodiscard]] std::string GetLacpRate() const;
    void SetPolicy(std::string name);
    [[nodiscard]] std::string GetPolicy() const;
    /// Takes what came by \p port for this host.
    void Receive(uint32_t port, Ptr<Packet> frame);
    /// The light of \p port has gone on or off.
    void HandleCarrier(uint32_t port, bool up);
    void Commit(uint32_t port, bool up);
    void JoinAggregate(const Ptr<EthernetNetDevice>& port, uint32_t number);
    void FindUsable();
    void ChooseActive();
    [[nodiscard]] uint32_t FindActive() const;
    [[nodiscard]] uint32_t ChoosePort(const Ptr<const Packet>& frame) const;
    void NotifyPeers();
    void NotifyIpv4Peers();
    void NotifyIpv6Peers();

    /// What the bond knows of a port.
    struct Member
    {
        bool up{false};  ///< As far as the bond has seen.
        EventId pending; ///< It is to be seen otherwise.
    };

    Mode m_mode{ACTIVE_BACKUP};
    FailOverMac m_failOverMac{NONE};
    TransmitHashPolicy m_policy{TransmitHashPolicy::LAYER2};
    Time m_miimon;
    Time m_arpInterval;
    std::vector<Ipv4Address> m_arpTargets;
    bool m_arpValidate{false};
    uint32_t m_arpMissedMax{2};
    Time m_upDelay;
    Time m_downDelay;
    LacpRate m_lacpRate{LacpRate::SLOW};
    uint32_t m_primary{0}; ///< From 1 on; 0: none.

    std::vector<Ptr<EthernetNetDevice>> m_ports;
    std::vector<Member> m_members;
    std::vector<uint32_t> m_usable;             ///< Ports that frames may be sent by, in order.
    std::unique_ptr<PortAggregate> m_aggregate; ///< 802.3ad.
    std::unique_ptr<ArpMonitor> m_monitor;      ///< With ArpInterval.
    uint32_t m_active{NO_PORT};
    BondCounters m_counters;

    TracedCallback<uint32_t, uint32_t> m_failover;
    TracedCallback<Mac48Address, Mac48Address> m_addressChange;
    TracedCallback<Ptr<const Packet>> m_macTxDrop;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_BOND_NET_DEVICE_H
