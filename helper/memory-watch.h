/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_MEMORY_WATCH_H
#define NFSRDMA_HELPER_MEMORY_WATCH_H

#include "host/memory.h"
#include "host/occupancy-meter.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;
struct NfsRdmaServer;

/// Memory of one kind at a host, octets.
struct MemoryUse
{
    std::string host;
    std::string connection; ///< Its peer and number, as "client-3 0", or, by a
                            ///< further address of it, "client-3 port 2 0"; empty: of the host.
    std::string kind;
    double mean{0}; ///< Over the run.
    uint64_t peak{0};
};

/**
 * \brief How much memory the hosts of a cluster need, and for what, from the beginning of the run:
 *
 *     receives       receive buffers of RPC-over-RDMA
 *     sends          its send contexts: headers and inline messages
 *     reply_pages    servers: data of replies on their way out; clients: heads and tails of replies
 *                    that come by Reply chunk
 *     read_sinks     servers: where RDMA Reads put what calls have in Read chunks
 *     threads        servers: stacks and buffers of threads
 *     other          of programs
 *     registered     pages that devices may access; they are among the above, or of programs
 *     tcp_send       octets that TCP holds until they are acknowledged
 *     tcp_receive    octets that TCP holds for its users, or behind a gap
 *     reassembly     octets of FPDUs that the device holds
 *     receive_buffer octets of FPDUs that the device has taken and that are not in host memory
 *     posted_writes  of them payload that its bus has in flight
 *     bus_reads      octets that the device has asked its bus for and that are not there
 *     page_cache     servers: pages of the page cache
 *     exposed        servers: replies that clients may read (Read chunks)
 *
 * and of them what each connection of RPC-over-RDMA holds, by the accounts that HostMemory keeps:
 * receives, sends, reply_pages, read_sinks, registered (by its send queue), exposed, tcp_send and
 * tcp_receive (while a queue pair has the connection). What programs allocate for replies, page
 * cache, and what TCP holds of connections that have no queue pair is the host's alone, so that the
 * connections have no more together than the host at any time.
 *
 * It must outlive the simulation.
 */
class MemoryWatch
{
  public:
    explicit MemoryWatch(const Cluster& cluster);
    ~MemoryWatch();
    MemoryWatch(const MemoryWatch&) = delete;
    MemoryWatch& operator=(const MemoryWatch&) = delete;

    /// \return by host and kind, and then by its connections; kinds that it has never needed are
    /// left out.
    [[nodiscard]] std::vector<MemoryUse> GetUses(Time now) const;
    /// \return for each host that has servers, the sum of receives, sends, reply_pages and
    /// read_sinks, of kind "transport".
    [[nodiscard]] std::vector<MemoryUse> GetServerTransports(Time now) const;

  private:
    class Host;

    std::map<IpAddress, std::string> m_names; ///< Of hosts, by address.
    std::vector<std::unique_ptr<Host>> m_hosts;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_MEMORY_WATCH_H
