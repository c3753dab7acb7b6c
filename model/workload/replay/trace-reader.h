/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TRACE_READER_H
#define NFSRDMA_WORKLOAD_REPLAY_TRACE_READER_H

#include "workload/replay/input-error.h"
#include "workload/replay/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Reads NAME.trace.csv.
 *
 *     # nfsrdma-trace 1
 *     # source=nfs-v3-mtu1500.pcap
 *     # handle_octets root=8 other=16
 *     # client=0 address=10.77.0.2 machine=client uid=0 gid=0 gids=
 *     time,reply_time,client,program,operation,object,name,...
 *     0.000000000,0.001711000,0,NFS3,NULL,,,...
 *
 * A trace of NFSv4 is CompoundTraceReader's.
 *
 * Comment lines with other words are passed over. Clients count up from 0; gids has commas between.
 * Rows are in order of time. The version is that of the first row of program NFS2 or NFS3. Rows of
 * another program than that and NFSACL of its version, or of an unknown operation, are kept without
 * being looked into: those of program UNREAD are what a damaged recording has in the place of an
 * operation. Without a status the results of a row are not compared.
 *
 * Rows of NFS2 have the columns that NFS3 has for the same; READDIR its count, STATFS those of
 * FSSTAT, and a CREATE of a special file the spec that MKNOD has.
 */
class TraceReader
{
  public:
    /// The columns, in the order in which they are written.
    [[nodiscard]] static const std::vector<std::string>& GetColumns();
    [[nodiscard]] static Parsed<Trace> Read(const std::string& path);
    /// \param file name for error messages
    /// \param content what the file holds
    [[nodiscard]] static Parsed<Trace> Parse(const std::string& file, std::string_view content);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TRACE_READER_H
