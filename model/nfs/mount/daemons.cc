/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/daemons.h"

#include "mpa/internet-address.h"
#include "nfs/mount/rpcbind-server.h"
#include "nfs/mount/universal-address.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NfsDaemons);

TypeId
NfsDaemons::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NfsDaemons")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<NfsDaemons>()
            .AddAttribute("MountdPort",
                          "TCP port of mountd. Default: IANA's for mountd; Linux's takes any "
                          "unless it is told.",
                          UintegerValue(20048),
                          MakeUintegerAccessor(&NfsDaemons::m_mountdPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("LockdPort",
                          "TCP port of lockd. Default: the one that distributions suggest "
                          "(nlm_tcpport); Linux's takes any unless it is told.",
                          UintegerValue(32803),
                          MakeUintegerAccessor(&NfsDaemons::m_lockdPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("StatdPort",
                          "TCP port of statd. Default: the one that distributions suggest "
                          "(rpc.statd -p); rpc.statd takes any unless it is told.",
                          UintegerValue(662),
                          MakeUintegerAccessor(&NfsDaemons::m_statdPort),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

void
NfsDaemons::DoDispose()
{
    for (const Daemon& daemon : m_daemons)
    {
        daemon.tcp->Dispose();
        daemon.rpc->Dispose();
    }
    m_daemons.clear();
    for (const Ptr<RpcProgram>& program : {Ptr<RpcProgram>(m_lockServerV1),
                                           Ptr<RpcProgram>(m_lockServerV3),
                                           Ptr<RpcProgram>(m_lockServer),
                                           Ptr<RpcProgram>(m_lockClient),
                                           Ptr<RpcProgram>(m_monitor)})
    {
        if (program)
        {
            program->Dispose();
        }
    }
    m_lockServerV1 = nullptr;
    m_lockServerV3 = nullptr;
    m_lockServer = nullptr;
    m_lockClient = nullptr;
    m_monitor = nullptr;
    m_node = nullptr;
    m_cpu = nullptr;
    m_store = nullptr;
    Object::DoDispose();
}

void
NfsDaemons::SetHost(Ptr<Node> node, IpAddress address)
{
    m_node = node;
    m_address = address;
}

bool
NfsDaemons::StartRpcbind()
{
    std::vector<Ptr<RpcProgram>> rpcbind;
    if (m_address.IsIpv4())
    {
        rpcbind.push_back(CreateObject<RpcbindServer>(PORTMAP_V2, m_rpcbind, m_address));
    }
    for (const uint32_t version : {RPCBIND_V3, RPCBIND_V4})
    {
        rpcbind.push_back(CreateObject<RpcbindServer>(version, m_rpcbind, m_address));
    }
    return AddDaemon(rpcbind, RPCBIND_PORT);
}

bool
NfsDaemons::StartMonitor()
{
    m_monitor = CreateObject<NsmServer>(m_node, m_address);
    return AddDaemon({m_monitor}, m_statdPort);
}

bool
NfsDaemons::StartLockServer()
{
    m_lockServer = CreateObject<NlmServer>(m_node);
    m_lockServer->SetFileStore(m_store);
    const bool monitored = StartMonitor();
    m_lockServer->SetMonitor(m_monitor);
    m_lockServerV1 = CreateObject<NlmNarrowServer>(m_lockServer, NLM_V1);
    m_lockServerV3 = CreateObject<NlmNarrowServer>(m_lockServer, NLM_V3);
    return AddDaemon({m_lockServerV1, m_lockServerV3, m_lockServer}, m_lockdPort) && monitored;
}

bool
NfsDaemons::StartLockClient(const std::string& name, IpAddress server, uint32_t version)
{
    m_lockClient = CreateObject<NlmClient>(m_node, name, server, version);
    const bool monitored = StartMonitor();
    m_lockClient->SetMonitor(m_monitor);
    return AddDaemon({m_lockClient}, m_lockdPort) && monitored;
}

void
NfsDaemons::Restart()
{
    if (m_lockServer)
    {
        m_lockServer->Restart();
    }
    if (m_monitor)
    {
        m_monitor->Restart();
    }
}

bool
NfsDaemons::Start()
{
    std::vector<Ptr<RpcProgram>> mountd;
    for (const uint32_t version : {MOUNT_V1, MOUNT_V2, MOUNT_V3})
    {
        const auto server = CreateObject<MountServer>(version, m_mounts);
        server->SetFileStore(m_store);
        server->SetFlavors(m_flavors);
        mountd.push_back(server);
    }
    return StartRpcbind() && AddDaemon(mountd, m_mountdPort);
}

bool
NfsDaemons::AddDaemon(const std::vector<Ptr<RpcProgram>>& programs, uint16_t port)
{
    Daemon daemon{CreateObject<RpcServer>(), CreateObject<RpcTcpServer>()};
    if (m_cpu)
    {
        daemon.rpc->SetHostCpu(m_cpu);
    }
    daemon.tcp->SetNode(m_node);
    daemon.tcp->SetRpcServer(daemon.rpc);
    for (const auto& program : programs)
    {
        daemon.rpc->Register(program);
    }
    m_daemons.push_back(daemon);
    const bool isListening = m_isBound ? daemon.tcp->ListenOn(MakeSocketAddress(m_address, port))
                                       : daemon.tcp->Listen(port);
    if (!isListening)
    {
        return false;
    }
    for (const auto& program : programs)
    {
        const Address end = MakeSocketAddress(m_address, port);
        RegisterAt(program->GetProgram(), program->GetVersion(), GetTcpNetid(end), end);
    }
    return true;
}

void
NfsDaemons::RegisterRdma(uint32_t program, uint32_t version, uint16_t port)
{
    const Address end = MakeSocketAddress(m_address, port);
    RegisterAt(program, version, GetRdmaNetid(end), end);
}

void
NfsDaemons::RegisterTcp(uint32_t program, uint32_t version, uint16_t port)
{
    const Address end = MakeSocketAddress(m_address, port);
    RegisterAt(program, version, GetTcpNetid(end), end);
}

void
NfsDaemons::RegisterAt(uint32_t program,
                       uint32_t version,
                       const std::string& netid,
                       const Address& end)
{
    m_rpcbind->Set({program, version, netid, ToUniversalAddress(end), "superuser"});
}

void
NfsDaemons::Stop()
{
    if (m_lockServer)
    {
        m_lockServer->Disconnect();
    }
    if (m_lockClient)
    {
        m_lockClient->Disconnect();
    }
    for (const Daemon& daemon : m_daemons)
    {
        daemon.tcp->Stop();
    }
}

uint32_t
NfsDaemons::GetConnectionCount() const
{
    uint32_t count = 0;
    for (const Daemon& daemon : m_daemons)
    {
        count += daemon.tcp->GetConnectionCount();
    }
    return count;
}

} // namespace ns3::nfsrdma
