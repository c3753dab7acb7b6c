/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"

#include "nfs/mount/universal-address.h"
#include "nfs/v4/nfs4-file-client.h"
#include "workload/export-loader.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::nfsrdma
{

namespace
{

/// STag indices have 24 bits; hosts share them so that no two devices use the same.
constexpr uint32_t STAG_INDICES = 0xffffff;

constexpr std::array<const char*, 15> SERVER_CLASSES{"HostMemory",
                                                     "HostCpu",
                                                     "MpaSettings",
                                                     "MpaTransport",
                                                     "RnicDevice",
                                                     "RpcRdmaServer",
                                                     "RpcServer",
                                                     "GssAcceptor",
                                                     "GssCosts",
                                                     "FileStore",
                                                     "StorageModel",
                                                     "ServerStorage",
                                                     "NfsDaemons",
                                                     "Nfs3Server",
                                                     "Nfs4Server"};
constexpr std::array<const char*, 15> CLIENT_CLASSES{"HostMemory",
                                                     "HostCpu",
                                                     "MpaSettings",
                                                     "MpaTransport",
                                                     "RnicDevice",
                                                     "RpcRdmaClient",
                                                     "RpcClient",
                                                     "GssSecurity",
                                                     "GssCosts",
                                                     "NfsMount",
                                                     "Nfs3Client",
                                                     "Nfs3FileClient",
                                                     "Nfs4CompoundClient",
                                                     "Nfs4FileClient",
                                                     "RpcTcpServer"};

template <std::size_t N>
bool
Contains(const std::array<const char*, N>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

AuthSysCredential
MakeRootCredential(uint32_t client)
{
    AuthSysCredential credential;
    credential.machineName = "client-" + std::to_string(client);
    return credential;
}

} // namespace

ClusterHelper::ClusterHelper()
    : m_credential(MakeRootCredential)
{
}

void
ClusterHelper::SetSize(uint32_t clients, uint32_t servers)
{
    m_clients = clients;
    m_servers = servers;
}

EthernetStarHelper&
ClusterHelper::GetNetwork()
{
    return m_network;
}

DataCenterTcpPreset&
ClusterHelper::GetTcp()
{
    return m_tcp;
}

void
ClusterHelper::SetAttribute(const std::string& classAndAttribute, const AttributeValue& value)
{
    const auto colons = classAndAttribute.find("::");
    const auto className = classAndAttribute.substr(0, colons);
    const auto attribute = classAndAttribute.substr(colons + 2);
    const bool ofServer = Contains(SERVER_CLASSES, className);
    const bool ofClient = Contains(CLIENT_CLASSES, className);
    if (ofServer)
    {
        m_serverHelper.GetAttributes().Set(className, attribute, value);
    }
    if (ofClient)
    {
        m_clientHelper.GetAttributes().Set(className, attribute, value);
    }
    NS_ABORT_MSG_UNLESS(ofServer || ofClient, "no host has a " << className);
}

void
ClusterHelper::SetServerAttribute(const std::string& classAndAttribute, const AttributeValue& value)
{
    const auto colons = classAndAttribute.find("::");
    m_serverHelper.GetAttributes().Set(classAndAttribute.substr(0, colons),
                                       classAndAttribute.substr(colons + 2),
                                       value);
}

void
ClusterHelper::SetTcpMount(bool mounts)
{
    m_tcpMount = mounts;
}

void
ClusterHelper::SetNfsPort(uint16_t port)
{
    m_nfsPort = port;
}

void
ClusterHelper::SetMountFlavors(const std::string& names)
{
    m_mountFlavors = names;
}

void
ClusterHelper::SetMtu(uint16_t mtu)
{
    m_mtu = mtu;
}

void
ClusterHelper::SetStartSpread(Time spread)
{
    m_startSpread = spread;
}

void
ClusterHelper::SetWorkload(WorkloadFactory factory)
{
    m_workloads = [factory = std::move(factory)](uint32_t client) {
        return std::vector<Ptr<Workload>>{factory(client)};
    };
}

void
ClusterHelper::SetWorkloads(WorkloadsFactory factory)
{
    m_workloads = std::move(factory);
}

void
ClusterHelper::SetCredential(CredentialFactory factory)
{
    m_credential = std::move(factory);
}

void
ClusterHelper::SetSecurity(const std::string& flavor)
{
    m_clientHelper.SetSecurity(flavor);
}

void
ClusterHelper::SetNfsVersion(const std::string& version)
{
    m_clientHelper.SetVersion(version);
}

void
ClusterHelper::SetTree(std::shared_ptr<const Tree> tree)
{
    m_trees = [tree = std::move(tree)](uint32_t) { return tree; };
}

void
ClusterHelper::SetTrees(TreeFactory factory)
{
    m_trees = std::move(factory);
}

std::unique_ptr<Cluster>
ClusterHelper::Build(int64_t firstStream)
{
    NS_ABORT_MSG_UNLESS(m_workloads, "a cluster needs a workload");
    m_tcp.Apply(m_mtu);
    m_network.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));
    NodeContainer hosts;
    hosts.Create(m_servers + m_clients);
    auto star = m_network.Install(hosts, CreateObject<Node>());

    const uint32_t stagStride = STAG_INDICES / hosts.GetN();
    std::vector<NfsRdmaServer> servers;
    for (uint32_t i = 0; i < m_servers; ++i)
    {
        servers.push_back(m_serverHelper.Install(hosts.Get(i), 1 + i * stagStride, m_nfsPort));
        AddDaemons(servers.back(), star.addresses[i]);
    }

    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(firstStream);
    int64_t stream = firstStream + 1;
    std::vector<ClusterClient> clients;
    for (uint32_t i = 0; i < m_clients; ++i)
    {
        const uint32_t host = m_servers + i;
        ClusterClient client;
        const auto credential = m_credential(i);
        client.server = i % m_servers;
        client.start = NanoSeconds(draw->GetInteger(0, m_startSpread.GetNanoSeconds()));
        client.stack =
            m_clientHelper.Install(hosts.Get(host),
                                   InetSocketAddress(star.addresses[client.server], m_nfsPort),
                                   credential,
                                   draw->GetInteger(1, std::numeric_limits<uint32_t>::max()),
                                   1 + host * stagStride);
        Employ(i, *servers[client.server].store, client);
        if (m_tcpMount)
        {
            AddMount(client,
                     credential,
                     star.addresses[client.server],
                     draw->GetInteger(1, std::numeric_limits<uint32_t>::max()));
        }
        for (const auto& workload : client.workloads)
        {
            stream += workload->AssignStreams(stream);
        }
        clients.push_back(std::move(client));
    }
    star.AssignStreams(stream);
    return std::make_unique<Cluster>(std::move(servers), std::move(clients), std::move(star));
}

void
ClusterHelper::AddDaemons(NfsRdmaServer& server, Ipv4Address address)
{
    if (!m_tcpMount)
    {
        return;
    }
    server.daemons = m_serverHelper.GetAttributes().Create<NfsDaemons>();
    server.daemons->SetHost(server.node, address);
    server.daemons->SetHostCpu(server.cpu);
    server.daemons->SetFileStore(server.store);
    server.daemons->SetFlavors(m_mountFlavors);
    NS_ABORT_MSG_UNLESS(server.daemons->Start(), "the port of rpcbind or mountd is taken");
    server.daemons->Register(NFS_PROGRAM, NFS_V3, NETID_RDMA, m_nfsPort);
}

void
ClusterHelper::AddMount(ClusterClient& client,
                        const AuthSysCredential& credential,
                        Ipv4Address server,
                        uint32_t firstXid)
{
    client.nfsMount = m_clientHelper.GetAttributes().Create<NfsMount>();
    client.nfsMount->SetNode(client.stack.node);
    client.nfsMount->SetHostCpu(client.stack.cpu);
    client.nfsMount->SetServer(server);
    client.nfsMount->SetPath(MountServer::GetPath(client.exportName));
    client.nfsMount->SetAttribute("NfsPort", UintegerValue(m_nfsPort));
    AuthSysCredential root;
    root.machineName = credential.machineName;
    client.nfsMount->SetCredential(root);
    client.nfsMount->SetFirstXid(firstXid);
}

void
ClusterHelper::Employ(uint32_t index, FileStore& store, ClusterClient& client) const
{
    client.exportName = "export-" + std::to_string(index);
    const auto tree = m_trees ? m_trees(index) : nullptr;
    if (tree)
    {
        auto loaded = LoadExport(store, client.exportName, *tree, index);
        client.root = loaded.root;
        client.objects = std::move(loaded.inodes);
    }
    else
    {
        client.root = store.CreateExport(client.exportName);
    }
    client.mount = std::make_shared<ClientMount>(index, client.stack.memory);
    client.mount->nfs = client.stack.nfs;
    client.mount->acl = client.stack.acl;
    client.mount->files = client.stack.files;
    if (client.stack.nfs4)
    {
        DynamicCast<Nfs4FileClient>(client.stack.files)->SetExport(client.exportName);
    }
    client.mount->SetExport(store.GetHandle(client.root), tree);
    client.workloads = m_workloads(index);
    for (const auto& workload : client.workloads)
    {
        workload->SetMount(client.mount);
        TimeValue delay;
        workload->GetAttribute("StartTime", delay);
        workload->SetStartTime(client.start + delay.Get());
        client.stack.node->AddApplication(workload);
    }
}

} // namespace ns3::nfsrdma
