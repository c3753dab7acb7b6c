/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/mount-statistics.h"

#include "helper/rpc-message-size.h"
#include "helper/rpc-operation.h"
#include "nfs/v2/nfs2-types.h"

#include <iomanip>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t NFS_VERSION_3 = 3;
constexpr int EVENTS = 27;     // enum nfs_stat_eventcounters
constexpr int NAME_WIDTH = 12; // "%12s: "

/// \return the name of a procedure, as _print_name() has it: those that Linux's client does not
/// know, ROOT and WRITECACHE of NFSv2, by number.
std::string
GetProcedureName(uint32_t version, uint32_t procedure)
{
    if (version != NFS_V2)
    {
        return ToString(static_cast<Nfs3Procedure>(procedure));
    }
    const auto named = static_cast<Nfs2Procedure>(procedure);
    return named == Nfs2Procedure::ROOT || named == Nfs2Procedure::WRITECACHE
               ? std::to_string(procedure)
               : ToString(named);
}

} // namespace

void
MountStatistics::Add(const RpcRecord& record)
{
    if (record.program != NFS_PROGRAM ||
        (record.version != NFS_VERSION_3 && record.version != NFS_V2) ||
        record.procedure >= NFS3_PROCEDURES)
    {
        return;
    }
    auto& counts = m_counts.at(record.procedure);
    ++counts.operations;
    counts.bytesSent += GetCallMessageSize(record);
    counts.bytesReceived += GetReplyMessageSize(record);
    counts.queue += record.sent - record.submitted;
    counts.roundTrip += record.replied - record.sent;
    counts.execute += record.completed - record.submitted;
    counts.errors += IsError(record) ? 1 : 0;
}

void
MountStatistics::SetData(uint64_t read, uint64_t written)
{
    m_bytesRead = read;
    m_bytesWritten = written;
}

void
MountStatistics::Write(std::ostream& stream,
                       const MountDescription& mount,
                       Time age,
                       const std::vector<XprtRdmaStatistics>& transports) const
{
    const bool isVersion2 = mount.version == NFS_V2;
    const bool isAllLocal = mount.localLock == "all";
    stream << "device " << mount.device << " mounted on " << mount.mountPoint
           << " with fstype nfs statvers=1.1\n"
           << "\topts:\trw,vers=" << mount.version << ",rsize=" << mount.readSize
           << ",wsize=" << mount.writeSize
           << ",namlen=255,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard"
           << (isAllLocal ? ",nolock" : "") << ",proto=rdma,port=" << mount.port
           << ",timeo=600,retrans=2,sec=sys,mountaddr=" << mount.server
           << ",mountvers=" << (isVersion2 ? 1 : 3)
           << ",mountport=0,mountproto=tcp,local_lock=" << mount.localLock << "\n"
           << "\tage:\t" << static_cast<int64_t>(age.GetSeconds()) << "\n"
           << "\tcaps:\tcaps=" << (isVersion2 ? "0x6" : "0xf")
           << ",wtmult=4096,dtsize=" << mount.directoryTransferSize << ",bsize=0,namlen=255\n"
           << "\tsec:\tflavor=1,pseudoflavor=1\n"
           << "\tevents:\t";
    for (int event = 0; event < EVENTS; ++event)
    {
        stream << "0 ";
    }
    stream << "\n\tbytes:\t0 0 " << m_bytesRead << ' ' << m_bytesWritten << ' ' << m_bytesRead
           << ' ' << m_bytesWritten << " 0 0 \n"
           << "\tRPC iostats version: 1.1  p/v: 100003/" << mount.version << " (nfs)\n";
    for (const auto& transport : transports)
    {
        stream << transport.Format() << "\n";
    }
    stream << "\tper-op statistics\n";
    for (uint32_t procedure = 0; procedure < (isVersion2 ? NFS2_PROCEDURES : NFS3_PROCEDURES);
         ++procedure)
    {
        const auto& counts = m_counts.at(procedure);
        stream << "\t" << std::setw(NAME_WIDTH) << GetProcedureName(mount.version, procedure)
               << ": " << counts.operations << ' ' << counts.operations << " 0 " << counts.bytesSent
               << ' ' << counts.bytesReceived << ' ' << counts.queue.GetMilliSeconds() << ' '
               << counts.roundTrip.GetMilliSeconds() << ' ' << counts.execute.GetMilliSeconds()
               << ' ' << counts.errors << "\n";
    }
    stream << "\n";
}

} // namespace ns3::nfsrdma
