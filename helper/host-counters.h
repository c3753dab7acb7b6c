/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_HOST_COUNTERS_H
#define NFSRDMA_HELPER_HOST_COUNTERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;

/// One counter of one host, over the whole run.
struct HostCounter
{
    std::string host;
    std::string source; ///< Who shows it under this name: "rdma", "ethtool", "nstat", "rnic", ...
    std::string name;
    uint64_t value{0};
};

/**
 * \brief What the hosts of a cluster have counted, under the names that Linux has for it:
 *
 *     rdma       rdma statistic of an iWARP device (irdma: verbs.c, irdma_hw_stat_descs)
 *     ethtool    ethtool -S of its port
 *     nstat      SNMP counters of its TCP (net/ipv4/proc.c)
 *     lnstat     its neighbour tables (/proc/net/stat/arp_cache, ndisc_cache)
 *     pool_stats threads of a server (/proc/fs/nfsd/pool_stats, and what it does not have)
 *     ipsec      its ESP, where it has any (/proc/net/xfrm_stat, and what it does not have)
 *     tls        TLS of its RPC connections over TCP, where it has any
 *     rnic       what no program of Linux shows of an adapter: caches, stalls, the bus
 *
 * \return by host, source, and in one order for each
 */
[[nodiscard]] std::vector<HostCounter> ListHostCounters(const Cluster& cluster);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_HOST_COUNTERS_H
