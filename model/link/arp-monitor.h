/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ARP_MONITOR_H
#define NFSRDMA_LINK_ARP_MONITOR_H

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which ports of a bond are up, by whether something comes by them: the ARP monitor of
 * Linux's bonding for active-backup (bond_activebackup_arp_mon(),
 * Documentation/networking/bonding.rst, section "ARP Monitor Operation").
 *
 * Each interval the active port asks for each of the targets. A port is down when nothing has come
 * by it for some intervals (arp_missed_max, of a port in reserve one more), and half of one, and up
 * when something has in the last one and a half. A port that has come up is left alone for two and
 * a half. While none is up the ports ask in turn, one an interval. What comes by a port in reserve
 * is what switches flood: the requests of the active one above all.
 *
 *     idle -- Start() --> looks each interval -- Stop() --> idle
 */
class ArpMonitor
{
  public:
    struct Settings
    {
        Time interval;
        uint32_t missedMax{2};
        std::vector<Ipv4Address> targets;
    };

    static constexpr uint32_t NO_PORT = UINT32_MAX;

    /// What the monitor asks of the bond, and tells it.
    struct Bond
    {
        std::function<uint32_t()> getActive;                        ///< NO_PORT: none.
        std::function<bool(uint32_t port)> isUp;                    ///< As last set.
        std::function<void(uint32_t port, bool up)> set;            ///< The port is up, or is not.
        std::function<void(uint32_t port, Ipv4Address target)> ask; ///< By that port.
    };

    ArpMonitor(Settings settings, Bond bond, uint32_t ports);
    ~ArpMonitor();
    ArpMonitor(const ArpMonitor&) = delete;
    ArpMonitor& operator=(const ArpMonitor&) = delete;

    void Start();
    void Stop();

    /// Something that counts has come by \p port.
    void Note(uint32_t port);

    /// \return whether \p address is a target.
    [[nodiscard]] bool IsTarget(Ipv4Address address) const;

  private:
    struct Port
    {
        Time heard;
        Time cameUp;
    };

    void Look();
    void Inspect();
    void Ask();
    /// \return whether \p since lies at most \p intervals and a half back.
    [[nodiscard]] bool IsWithin(Time since, uint32_t intervals) const;

    Settings m_settings;
    Bond m_bond;
    std::vector<Port> m_ports;
    uint32_t m_asking{NO_PORT};       ///< While no port is up.
    uint32_t m_latestActive{NO_PORT}; ///< When it last asked by one.
    EventId m_look;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ARP_MONITOR_H
