/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_COMPOUND_TRACE_READER_H
#define NFSRDMA_WORKLOAD_REPLAY_COMPOUND_TRACE_READER_H

#include "workload/replay/input-error.h"
#include "workload/replay/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Reads NAME.trace.csv of NFSv4: a row for each COMPOUND, and for each call of the server's.
 *
 *     # nfsrdma-compounds 1
 *     # source=nfs-v4.1-mtu1500.pcap
 *     # handle_octets root=8 other=16
 *     # client=0 address=10.77.0.2 machine=client uid=0 gid=0 gids=
 *     time,reply_time,client,program,minor,operation,operations,object,...
 *     0.010320000,0.014496000,0,NFS4,1,EXCHANGE_ID,EXCHANGE_ID,,...,0000002a18e9f168...
 *
 * compound and result_compound are nfs_argop4 and nfs_resop4 one after another, hexadecimal, as
 * many as operations has words and as results says. The data of READ and WRITE are left out after
 * their length; items and result_items say "length:position" of each.
 * A recorded result without a status is learnt from and not compared: it may depend on what the
 * recording lacks.
 * acl_octets is the room for the reply of a GETATTR with an ACL. object, name and result_object are
 * names as of a trace of NFSv3: the names are those of the tree.
 *
 * Rows of another program than NFS4 and NFSCB1, and those whose compound is empty, are kept without
 * being looked into. The call of the server's has TraceRow::compound too, with callback.
 */
class CompoundTraceReader
{
  public:
    /// What the first line says.
    static constexpr std::string_view MAGIC = "nfsrdma-compounds 1";

    /// \return whether \p content begins as such a trace does.
    [[nodiscard]] static bool Recognizes(std::string_view content);
    /// The columns, in the order in which they are written.
    [[nodiscard]] static const std::vector<std::string>& GetColumns();
    /// \param file name for error messages
    /// \param content what the file holds
    [[nodiscard]] static Parsed<Trace> Parse(const std::string& file, std::string_view content);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_COMPOUND_TRACE_READER_H
