/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_MOUNT_STATISTICS_H
#define NFSRDMA_HELPER_MOUNT_STATISTICS_H

#include "nfs/v3/status3.h"
#include "nfs/v4/client/procedure.h"
#include "rpc/record.h"
#include "rpcrdma/client/xprt-statistics.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"

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
    IpAddress server;
    uint16_t port{0};
    uint32_t readSize{0};              ///< rsize, octets.
    uint32_t writeSize{0};             ///< wsize, octets.
    uint32_t directoryTransferSize{0}; ///< dtsize, octets.
    std::string version{"3"};          ///< Of NFS: 2, 3, 4.0, 4.1 or 4.2.
    uint32_t mountVersion{0};          ///< mountvers of versions 2 and 3; 0: 1 and 3.
    std::string localLock{"all"};      ///< none, flock, posix or all; version 2 and 3.
    IpAddress client{};                ///< NFSv4: where callbacks go.
    uint32_t leaseTime{0};             ///< NFSv4, seconds.
    uint32_t connections{1};           ///< nconnect; Linux does not say that of 1, its default.
    uint32_t maxConnect{1};            ///< NFSv4; the same.
    std::string protocol{"rdma"};      ///< rdma or tcp.
};

/**
 * \brief The counts of one mount, and their text in the layout and with the names of Linux's
 * /proc/self/mountstats (statvers 1.1; fs/nfs/super.c, net/sunrpc/stats.c). A COMPOUND counts as
 * what it is for, as Linux's nfs4_procedures name it.
 *
 * As there is no page cache here, READ and WRITE count as O_DIRECT, and what counts calls of the
 * virtual file system (the line "events") stays 0.
 */
class MountStatistics
{
  public:
    /// Counts an RPC of program NFS; others are not the mount's.
    void Add(const RpcRecord& record);
    /// Sets the octets of data that READs brought and WRITEs took.
    void SetData(uint64_t read, uint64_t written);

    /// Writes the section of this mount, with a line for each of its connections.
    void Write(std::ostream& stream,
               const MountDescription& mount,
               Time age,
               const std::vector<std::string>& transports) const;

  private:
    struct Counts
    {
        uint64_t operations{0};
        uint64_t transmissions{0};
        uint64_t bytesSent{0};
        uint64_t bytesReceived{0};
        Time queue;
        Time roundTrip;
        Time execute;
        uint64_t errors{0};
    };

    /// What the mount is, to the line "caps" or, of NFSv4, "nfsv4". caps and bm of NFSv4 are those
    /// captured of a mount of 4.1.
    static void WriteMount(std::ostream& stream, const MountDescription& mount, Time age);
    static void WriteMount4(std::ostream& stream, const MountDescription& mount, Time age);
    static void WriteRow(std::ostream& stream, const std::string& name, const Counts& counts);
    void WriteRows(std::ostream& stream, const std::string& version) const;
    void WriteRows4(std::ostream& stream) const;

    /// \return those of \p row.
    [[nodiscard]] Counts Get(uint32_t row) const
    {
        return row < m_counts.size() ? m_counts[row] : Counts();
    }

    /// By procedure, or by Nfs4ClientProcedure, up to the last that was counted.
    std::vector<Counts> m_counts;
    uint64_t m_bytesRead{0};
    uint64_t m_bytesWritten{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_MOUNT_STATISTICS_H
