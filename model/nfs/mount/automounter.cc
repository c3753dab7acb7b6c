/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/automounter.h"

#include "mpa/internet-address.h"
#include "nfs/mount/universal-address.h"
#include "nfs/v2/types2.h"
#include "nfs/v3/status3.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsMount);

TypeId
NfsMount::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NfsMount")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<NfsMount>()
            .AddAttribute("MountVersion",
                          "Version of MOUNT by which NFSv2 is mounted (mount option mountvers); 0: "
                          "1. Default: 0, as Linux.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&NfsMount::m_mountVersion),
                          MakeUintegerChecker<uint32_t>(0, MOUNT_V3))
            .AddAttribute("NfsPortLookup",
                          "Whether rpcbind is asked where NFS listens under netid rdma; else it is "
                          "NfsPort. Default: no, as mount.nfs with proto=rdma.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NfsMount::m_nfsPortLookup),
                          MakeBooleanChecker())
            .AddAttribute("NfsPort",
                          "TCP port of NFS over RDMA when it is not asked for. Default: RFC 8267 "
                          "section 4.2.",
                          UintegerValue(20049),
                          MakeUintegerAccessor(&NfsMount::m_nfsPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddTraceSource("CallCompleted",
                            "A call of the mount or umount sequence has ended.",
                            MakeTraceSourceAccessor(&NfsMount::m_callCompletedTrace),
                            "ns3::nfsrdma::NfsMount::CallCompletedTracedCallback");
    return tid;
}

void
NfsMount::DoDispose()
{
    Close();
    for (const auto& transport : m_old)
    {
        transport->Dispose();
    }
    m_old.clear();
    m_node = nullptr;
    m_cpu = nullptr;
    m_done = nullptr;
    Object::DoDispose();
}

uint32_t
NfsMount::GetMountVersion() const
{
    if (m_nfsVersion != NFS_V2)
    {
        return MOUNT_V3;
    }
    return m_mountVersion == 0 ? MOUNT_V1 : m_mountVersion;
}

std::vector<std::string>
NfsMount::DescribeWaiting() const
{
    if (m_failed)
    {
        return {"the mount of " + m_path + " failed: " + ToString(m_result.outcome) +
                ", mount status " + std::to_string(static_cast<uint32_t>(m_result.status))};
    }
    return m_transport ? m_transport->DescribeWaiting() : std::vector<std::string>();
}

void
NfsMount::Open(uint16_t port, uint32_t program, uint32_t version, Identity who, bool reserved)
{
    m_transport = CreateObject<RpcTcpClient>();
    m_transport->SetNode(m_node);
    m_transport->SetServer(MakeSocketAddress(m_server, port));
    m_transport->SetAttribute("FirstXid", UintegerValue(m_xid));
    m_transport->SetAttribute("Soft", BooleanValue(true));
    m_transport->SetAttribute("ReservedPort", BooleanValue(reserved));
    m_transport->SetAttribute("FirstReservedPort", UintegerValue(m_reservedPort));
    if (reserved)
    {
        m_transport->TraceConnectWithoutContext("Connected",
                                                MakeCallback(&NfsMount::TakeReservedPort, this));
    }
    m_client = CreateObject<RpcClient>();
    if (m_cpu)
    {
        m_client->SetHostCpu(m_cpu);
    }
    m_client->SetTransport(m_transport);
    m_client->SetProgram(program, version);
    if (who != Identity::NOBODY)
    {
        AuthSysCredential credential = m_credential;
        credential.gids.clear();
        if (who == Identity::USER)
        {
            credential.gids.push_back(credential.gid);
        }
        m_client->SetCredential(credential);
    }
}

void
NfsMount::TakeReservedPort(uint16_t port)
{
    m_reservedPort = port > MIN_RESERVED_PORT ? port - 1 : MAX_RESERVED_PORT;
}

void
NfsMount::Close()
{
    m_old.erase(std::remove_if(m_old.begin(),
                               m_old.end(),
                               [](const Ptr<RpcTcpClient>& transport) {
                                   return !transport->IsConnected() && transport->GetPending() == 0;
                               }),
                m_old.end());
    if (m_transport)
    {
        m_transport->Disconnect();
        m_old.push_back(m_transport);
        m_transport = nullptr;
    }
    m_client = nullptr;
}

template <typename Procedure>
void
NfsMount::Call(const typename Procedure::Arguments& arguments,
               StubCompletion<typename Procedure::Results> next)
{
    using Results = typename Procedure::Results;
    ++m_xid;
    CallStub<Procedure>(*m_client,
                        arguments,
                        [self = Ptr<NfsMount>(this),
                         next = std::move(next)](RpcRecord& record, const Results& results) {
                            self->m_callCompletedTrace(record);
                            self->m_result.outcome = record.outcome;
                            if (record.outcome == RpcOutcome::SUCCESS)
                            {
                                next(record, results);
                            }
                            else
                            {
                                self->End();
                            }
                        });
}

void
NfsMount::Mount(Done done)
{
    NS_ABORT_MSG_IF(m_done, "a mount is under way");
    m_done = std::move(done);
    m_result = NfsMountResult();
    m_result.nfsPort = m_nfsPort;
    if (m_nfsPortLookup)
    {
        FindNfs();
    }
    else
    {
        FindMountd(Identity::KERNEL, [this](uint16_t port) { CallMnt(port); });
    }
}

void
NfsMount::FindNfs()
{
    m_result.nfsPort = 0;
    const auto netid = GetRdmaNetid(MakeSocketAddress(m_server, 0));
    FindService(NFS_PROGRAM, m_nfsVersion, netid, Identity::NOBODY, [this](uint16_t port) {
        m_result.nfsPort = port;
        FindMountd(Identity::KERNEL, [this](uint16_t mountd) { CallMnt(mountd); });
    });
}

void
NfsMount::FindService(uint32_t program,
                      uint32_t version,
                      const std::string& netid,
                      Identity who,
                      PortCallback next)
{
    Open(RPCBIND_PORT, RPCBIND_PROGRAM, RPCBIND_V4, who, false);
    const auto mapper = ToUniversalAddress(MakeSocketAddress(m_server, RPCBIND_PORT));
    Call<RpcbindGetaddr>({program, version, netid, mapper, ""},
                         [this, next = std::move(next)](RpcRecord&, const RpcbindAddress& found) {
                             const auto address = ParseUniversalAddress(found.address);
                             TakePort(address ? GetPortOf(*address) : 0, next);
                         });
}

void
NfsMount::FindMountd(Identity who, PortCallback next)
{
    if (!m_server.IsIpv4())
    {
        FindService(MOUNT_PROGRAM, GetMountVersion(), NETID_TCP6, who, std::move(next));
        return;
    }
    Open(RPCBIND_PORT, RPCBIND_PROGRAM, PORTMAP_V2, who, false);
    Call<PortmapGetport>({MOUNT_PROGRAM, GetMountVersion(), PORTMAP_TCP, 0},
                         [this, next = std::move(next)](RpcRecord&, const XdrWord& port) {
                             TakePort(port.value, next);
                         });
}

void
NfsMount::TakePort(uint32_t port, const PortCallback& next)
{
    Close();
    if (port == 0 || port > UINT16_MAX)
    {
        m_result.status = MountStatus::NOTSUPP;
        End();
        return;
    }
    next(static_cast<uint16_t>(port));
}

void
NfsMount::CallMnt(uint16_t port)
{
    Open(port, MOUNT_PROGRAM, GetMountVersion(), Identity::KERNEL, true);
    Call<MountNull>({}, [this](RpcRecord&, const XdrVoid&) {
        if (GetMountVersion() == MOUNT_V3)
        {
            Call<MountMnt3>({m_path}, [this](RpcRecord&, const Mount3Res& results) {
                m_result.status = results.status;
                m_result.handle = results.handle;
                if (m_nfsVersion == NFS_V2 && m_result.IsOk())
                {
                    PadHandle();
                }
                m_result.flavors = results.flavors;
                End();
            });
            return;
        }
        Call<MountMnt1>({m_path}, [this](RpcRecord&, const Mount1Res& results) {
            m_result.status = results.status;
            m_result.handle = NfsFh3(results.handle);
            End();
        });
    });
}

void
NfsMount::PadHandle()
{
    if (m_result.handle.length > NFS2_FHSIZE)
    {
        m_result.status = MountStatus::INVAL;
        return;
    }
    m_result.handle = NfsFh3(Nfs2Fh(m_result.handle).octets);
}

void
NfsMount::Unmount(Done done)
{
    NS_ABORT_MSG_IF(m_done, "a mount is under way");
    m_done = std::move(done);
    m_result = NfsMountResult();
    FindMountd(Identity::NOBODY, [this](uint16_t port) { PingBeforeUmnt(port); });
}

void
NfsMount::PingBeforeUmnt(uint16_t port)
{
    Open(port, MOUNT_PROGRAM, GetMountVersion(), Identity::NOBODY, false);
    Call<MountNull>({}, [this, port](RpcRecord&, const XdrVoid&) {
        Close();
        CallUmnt(port);
    });
}

void
NfsMount::CallUmnt(uint16_t port)
{
    Open(port, MOUNT_PROGRAM, GetMountVersion(), Identity::USER, true);
    Call<MountUmnt>({m_path}, [this](RpcRecord&, const XdrVoid&) { End(); });
}

void
NfsMount::End()
{
    Close();
    m_failed = !m_result.IsOk();
    const Done done = std::move(m_done);
    m_done = nullptr;
    if (done)
    {
        done(m_result);
    }
}

} // namespace ns3::nfsrdma
