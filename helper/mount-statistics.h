/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_MOUNT_STATISTICS_H
#define NFSRDMA_HELPER_MOUNT_STATISTICS_H

#include "nfs/nfs3-status.h"
#include "rpc/rpc-record.h"
#include "rpcrdma/xprt-rdma-statistics.h"

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a mount says of itself in mountstats, besides its counts.
struct MountDescription
{
    std::string device;     ///< "server-0:/export"
    std::string mountPoint; ///< "/mnt/nfs"
    Ipv4Address server;
    uint16_t port{0};
    uint32_t readSize{0};              ///< rsize, octets.
    uint32_t writeSize{0};             ///< wsize, octets.
    uint32_t directoryTransferSize{0}; ///< dtsize, octets.
    uint32_t version{3};               ///< Of NFS, 2 or 3.
    std::string localLock{"all"};      ///< none, flock, posix or all.
};

/**
 * \brief The counts of one mount of NFSv3 or NFSv2, and their text in the layout and with the names
 * of Linux's /proc/self/mountstats (statvers 1.1; fs/nfs/super.c, net/sunrpc/stats.c).
 *
 * As there is no page cache here, READ and WRITE count as O_DIRECT, and what counts calls of the
 * virtual file system (the line "events") stays 0.
 */
class MountStatistics
{
  public:
    /// Counts an RPC of program NFS version 2 or 3; others are not the mount's.
    void Add(const RpcRecord& record);
    /// Sets the octets of data that READs brought and WRITEs took.
    void SetData(uint64_t read, uint64_t written);

    /// Writes the section of this mount, with a line for each of its connections.
    void Write(std::ostream& stream,
               const MountDescription& mount,
               Time age,
               const std::vector<XprtRdmaStatistics>& transports) const;

  private:
    struct Counts
    {
        uint64_t operations{0};
        uint64_t bytesSent{0};
        uint64_t bytesReceived{0};
        Time queue;
        Time roundTrip;
        Time execute;
        uint64_t errors{0};
    };

    std::array<Counts, NFS3_PROCEDURES> m_counts{};
    uint64_t m_bytesRead{0};
    uint64_t m_bytesWritten{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_MOUNT_STATISTICS_H
