/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/mount-statistics.h"

#include "helper/rpc-message-size.h"
#include "helper/rpc-operation.h"
#include "nfs/v2/types2.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr int EVENTS = 27;     // enum nfs_stat_eventcounters
constexpr int NAME_WIDTH = 12; // "%12s: "

/// nfs4_procedures of Linux 6.1, in order, as captured.
constexpr const char* NFS4_PROCEDURES =
    "NULL READ WRITE COMMIT OPEN OPEN_CONFIRM OPEN_NOATTR OPEN_DOWNGRADE CLOSE "
    "SETATTR FSINFO RENEW SETCLIENTID SETCLIENTID_CONFIRM LOCK LOCKT LOCKU ACCESS "
    "GETATTR LOOKUP LOOKUP_ROOT REMOVE RENAME LINK SYMLINK CREATE PATHCONF STATFS "
    "READLINK READDIR SERVER_CAPS DELEGRETURN GETACL SETACL FS_LOCATIONS "
    "RELEASE_LOCKOWNER SECINFO FSID_PRESENT EXCHANGE_ID CREATE_SESSION "
    "DESTROY_SESSION SEQUENCE GET_LEASE_TIME RECLAIM_COMPLETE LAYOUTGET GETDEVICEINFO "
    "LAYOUTCOMMIT LAYOUTRETURN SECINFO_NO_NAME TEST_STATEID FREE_STATEID "
    "GETDEVICELIST BIND_CONN_TO_SESSION DESTROY_CLIENTID SEEK ALLOCATE DEALLOCATE "
    "LAYOUTSTATS CLONE COPY OFFLOAD_CANCEL LOOKUPP LAYOUTERROR COPY_NOTIFY GETXATTR "
    "SETXATTR LISTXATTRS REMOVEXATTR READ_PLUS";

/// \return the name of a procedure, as _print_name() has it: those that Linux's client does not
/// know, ROOT and WRITECACHE of NFSv2, by number.
std::string
GetProcedureName(bool isVersion2, uint32_t procedure)
{
    if (!isVersion2)
    {
        return ToString(static_cast<Nfs3Procedure>(procedure));
    }
    const auto named = static_cast<Nfs2Procedure>(procedure);
    return named == Nfs2Procedure::ROOT || named == Nfs2Procedure::WRITECACHE
               ? std::to_string(procedure)
               : ToString(named);
}

/// \return what the netid of a transport has more with IPv6.
const char*
GetNetidEnd(const MountDescription& mount)
{
    return mount.server.IsIpv4() ? "" : "6";
}

/// \return the options that nfs_show_mount_options() says between proto and port.
std::string
GetConnections(const MountDescription& mount)
{
    std::string options;
    if (mount.connections > 1)
    {
        options += ",nconnect=" + std::to_string(mount.connections);
    }
    if (mount.maxConnect > 1)
    {
        options += ",max_connect=" + std::to_string(mount.maxConnect);
    }
    return options;
}

} // namespace

void
MountStatistics::Add(const RpcRecord& record)
{
    const uint32_t row = record.version == NFS_V4 ? record.operation : record.procedure;
    if (record.program != NFS_PROGRAM ||
        row >= std::max<uint32_t>(NFS3_PROCEDURES, NFS4_CLIENT_PROCEDURES))
    {
        return;
    }
    if (row >= m_counts.size())
    {
        m_counts.reserve(row + 1);
        m_counts.resize(row + 1);
    }
    auto& counts = m_counts[row];
    ++counts.operations;
    counts.transmissions += std::max(record.transmissions, 1U);
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
MountStatistics::WriteMount(std::ostream& stream, const MountDescription& mount, Time age)
{
    const bool isVersion2 = mount.version == "2";
    const bool isAllLocal = mount.localLock == "all";
    const uint32_t usualVersion = isVersion2 ? 1 : 3;
    stream << "device " << mount.device << " mounted on " << mount.mountPoint
           << " with fstype nfs statvers=1.1\n"
           << "\topts:\trw,vers=" << mount.version << ",rsize=" << mount.readSize
           << ",wsize=" << mount.writeSize
           << ",namlen=255,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard"
           << (isAllLocal ? ",nolock" : "") << ",proto=" << mount.protocol << GetNetidEnd(mount)
           << GetConnections(mount) << ",port=" << mount.port
           << ",timeo=600,retrans=2,sec=sys,mountaddr=" << mount.server
           << ",mountvers=" << (mount.mountVersion == 0 ? usualVersion : mount.mountVersion)
           << ",mountport=0,mountproto=tcp" << GetNetidEnd(mount)
           << ",local_lock=" << mount.localLock << "\n"
           << "\tage:\t" << static_cast<int64_t>(age.GetSeconds()) << "\n"
           << "\tcaps:\tcaps=" << (isVersion2 ? "0x6" : "0xf")
           << ",wtmult=4096,dtsize=" << mount.directoryTransferSize << ",bsize=0,namlen=255\n";
}

void
MountStatistics::WriteMount4(std::ostream& stream, const MountDescription& mount, Time age)
{
    const bool hasSessions = mount.version != "4.0";
    stream << "device " << mount.device << " mounted on " << mount.mountPoint
           << " with fstype nfs4 statvers=1.1\n"
           << "\topts:\trw,vers=" << mount.version << ",rsize=" << mount.readSize
           << ",wsize=" << mount.writeSize
           << ",namlen=255,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard,proto="
           << mount.protocol << GetNetidEnd(mount) << GetConnections(mount)
           << ",port=" << mount.port << ",timeo=600,retrans=2,sec=sys,clientaddr=" << mount.client
           << ",local_lock=none\n"
           << "\tage:\t" << static_cast<int64_t>(age.GetSeconds()) << "\n"
           << "\timpl_id:\tname='',domain='',date='0,0'\n"
           << "\tcaps:\tcaps=0xc003c0bf,wtmult=512,dtsize=" << mount.directoryTransferSize
           << ",bsize=0,namlen=255\n"
           << "\tnfsv4:\tbm0=0xfdffbfff,bm1=0x40fdbe3e,bm2=0x803,acl=0x3"
           << (hasSessions ? ",sessions" : "")
           << ",pnfs=not configured,lease_time=" << mount.leaseTime << ",lease_expired=0\n";
}

void
MountStatistics::WriteRow(std::ostream& stream, const std::string& name, const Counts& counts)
{
    stream << "\t" << std::setw(NAME_WIDTH) << name << ": " << counts.operations << ' '
           << counts.transmissions << " 0 " << counts.bytesSent << ' ' << counts.bytesReceived
           << ' ' << counts.queue.GetMilliSeconds() << ' ' << counts.roundTrip.GetMilliSeconds()
           << ' ' << counts.execute.GetMilliSeconds() << ' ' << counts.errors << "\n";
}

void
MountStatistics::WriteRows(std::ostream& stream, const std::string& version) const
{
    const bool isVersion2 = version == "2";
    for (uint32_t procedure = 0; procedure < (isVersion2 ? NFS2_PROCEDURES : NFS3_PROCEDURES);
         ++procedure)
    {
        WriteRow(stream, GetProcedureName(isVersion2, procedure), Get(procedure));
    }
}

void
MountStatistics::WriteRows4(std::ostream& stream) const
{
    std::map<std::string, Counts> counted;
    for (uint32_t row = 0; row < NFS4_CLIENT_PROCEDURES; ++row)
    {
        counted[ToString(static_cast<Nfs4ClientProcedure>(row))] = Get(row);
    }
    std::istringstream names(NFS4_PROCEDURES);
    for (std::string name; names >> name;)
    {
        WriteRow(stream, name, counted[name]);
    }
}

void
MountStatistics::Write(std::ostream& stream,
                       const MountDescription& mount,
                       Time age,
                       const std::vector<std::string>& transports) const
{
    const bool isVersion4 = mount.version.front() == '4';
    if (isVersion4)
    {
        WriteMount4(stream, mount, age);
    }
    else
    {
        WriteMount(stream, mount, age);
    }
    stream << "\tsec:\tflavor=1,pseudoflavor=1\n"
           << "\tevents:\t";
    for (int event = 0; event < EVENTS; ++event)
    {
        stream << "0 ";
    }
    stream << "\n\tbytes:\t0 0 " << m_bytesRead << ' ' << m_bytesWritten << ' ' << m_bytesRead
           << ' ' << m_bytesWritten << " 0 0 \n"
           << "\tRPC iostats version: 1.1  p/v: 100003/" << mount.version.front() << " (nfs)\n";
    for (const auto& transport : transports)
    {
        stream << transport << "\n";
    }
    stream << "\tper-op statistics\n";
    if (isVersion4)
    {
        WriteRows4(stream);
    }
    else
    {
        WriteRows(stream, mount.version);
    }
    stream << "\n";
}

} // namespace ns3::nfsrdma
