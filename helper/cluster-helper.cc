/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"

#include "helper/topology/topology-shapes.h"
#include "ipsec/inline-crypto.h"
#include "mpa/internet-address.h"
#include "nfs/mount/universal-address.h"
#include "nfs/v4/client/mounted-files.h"
#include "workload/replay/export-loader.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace ns3::nfsrdma
{

namespace
{

/// STag indices have 24 bits; hosts share them so that no two devices use the same.
constexpr uint32_t STAG_INDICES = 0xffffff;
/// Of the hosts' STags, far behind all others: whether they are used moves no other.
constexpr int64_t STAG_STREAMS = int64_t{1} << 32;
/// Of the latencies of the servers' storage, behind those.
constexpr int64_t STORAGE_STREAMS = int64_t{1} << 33;
/// Of the hosts' buses, behind those.
constexpr int64_t BUS_STREAMS = int64_t{1} << 34;
/// Of the hosts' processors, behind those: two each.
constexpr int64_t CPU_STREAMS = int64_t{1} << 35;

void
AssignDeviceStreams(RnicDevice& device, int64_t firstStream, uint32_t host)
{
    device.AssignStreams(firstStream + STAG_STREAMS + host);
    device.GetClocks().GetPcie().AssignStreams(firstStream + BUS_STREAMS + host);
    device.GetHostCpu()->AssignStreams(firstStream + CPU_STREAMS + 2 * int64_t{host});
}

constexpr std::array<const char*, 18> SERVER_CLASSES{"HostMemory",
                                                     "InlineCrypto",
                                                     "HostBufferStore",
                                                     "HostCpu",
                                                     "MpaSettings",
                                                     "MpaTransport",
                                                     "RnicDevice",
                                                     "RpcRdmaServer",
                                                     "RpcServer",
                                                     "RpcTls",
                                                     "GssAcceptor",
                                                     "GssCosts",
                                                     "FileStore",
                                                     "StorageModel",
                                                     "ServerStorage",
                                                     "NfsDaemons",
                                                     "Nfs3Server",
                                                     "Nfs4Server"};
constexpr std::array<const char*, 22> CLIENT_CLASSES{
    "InlineCrypto", "HostMemory",     "HostBufferStore",    "HostCpu",
    "MpaSettings",  "MpaTransport",   "RnicDevice",         "RpcRdmaClient",
    "RpcMultipath", "RpcClient",      "GssSecurity",        "GssCosts",
    "NfsDaemons",   "NfsMount",       "Nfs2Client",         "Nfs2FileClient",
    "Nfs3Client",   "Nfs3FileClient", "Nfs4CompoundClient", "Nfs4FileClient",
    "RpcTcpServer", "RpcTls"};

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

void
ClusterHelper::SetIpsec(std::set<uint32_t> hosts, uint64_t seed)
{
    m_ipsecHosts = std::move(hosts);
    m_ipsecSeed = seed;
}

EthernetNetworkHelper&
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
ClusterHelper::SetHostAttribute(uint32_t host,
                                const std::string& classAndAttribute,
                                const AttributeValue& value)
{
    m_hostAttributes[host].push_back({classAndAttribute, value.Copy()});
}

void
ClusterHelper::SetTopology(Topology topology)
{
    m_topology = std::move(topology);
}

void
ClusterHelper::SetConnections(uint32_t connections)
{
    m_clientHelper.SetConnections(connections);
}

void
ClusterHelper::SetClientAttribute(const std::string& classAndAttribute, const AttributeValue& value)
{
    const auto colons = classAndAttribute.find("::");
    m_clientHelper.GetAttributes().Set(classAndAttribute.substr(0, colons),
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
ClusterHelper::SetTcp(bool tcp)
{
    m_isTcp = tcp;
}

void
ClusterHelper::SetTcpClients(std::set<uint32_t> clients)
{
    m_tcpClients = std::move(clients);
}

void
ClusterHelper::SetServersPerHost(uint32_t servers)
{
    m_serversPerHost = servers;
}

bool
ClusterHelper::IsOverTcp(uint32_t client) const
{
    return m_isTcp || m_tcpClients.count(client) != 0;
}

uint16_t
ClusterHelper::GetPortFor(uint32_t client) const
{
    return m_tcpClients.count(client) != 0 ? NFS_TCP_PORT : m_nfsPort;
}

void
ClusterHelper::SetStorage(const SettingWords& storage)
{
    m_serverHelper.SetStorage(storage);
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
ClusterHelper::SetServerAddress(uint32_t number)
{
    m_serverAddress = number;
}

void
ClusterHelper::SetMaxConnect(uint32_t addresses)
{
    m_maxConnect = addresses;
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
ClusterHelper::SetAbsent(std::set<uint32_t> clients)
{
    m_absent = std::move(clients);
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
    m_nfsVersion = static_cast<uint32_t>(version.front() - '0');
    m_serverHelper.SetVersion2(m_nfsVersion == NFS_V2);
}

void
ClusterHelper::SetLockManagers(bool run)
{
    m_lockManagers = run;
    m_clientHelper.SetLockManager(run);
}

void
ClusterHelper::SetSharedExport(bool has)
{
    m_sharedExport = has;
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

void
ClusterHelper::SetExportNames(ExportNameFactory factory)
{
    m_exportNames = std::move(factory);
}

void
ClusterHelper::SetSharedTrees(ExportNameFactory factory)
{
    m_sharedTrees = std::move(factory);
}

std::unique_ptr<Cluster>
ClusterHelper::Build(int64_t firstStream)
{
    NS_ABORT_MSG_UNLESS(m_workloads, "a cluster needs a workload");
    m_network.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));
    NodeContainer hosts;
    hosts.Create(m_servers + m_clients);
    const auto topology = m_topology.value_or(MakeStar({m_clients, m_servers}));
    m_tcp.Apply(std::max(m_mtu, m_network.GetLargestMtu(topology)));
    for (uint32_t host = 0; m_serversPerHost > 1 && host < m_servers; ++host)
    {
        m_network.SetFurtherServers(host, m_serversPerHost - 1);
    }
    auto network = m_network.Install(hosts, topology);
    InstallIpsec(network);

    const uint32_t stagStride = STAG_INDICES / hosts.GetN();
    m_serverHelper.SetPorts(m_isTcp ? 0 : m_nfsPort,
                            m_isTcp                ? m_nfsPort
                            : m_tcpClients.empty() ? uint16_t{0}
                                                   : NFS_TCP_PORT);
    std::vector<NfsRdmaServer> servers(std::size_t{m_servers} * m_serversPerHost);
    for (uint32_t i = 0; i < m_servers; ++i)
    {
        InstallServers(hosts.Get(i), i, 1 + i * stagStride, network, servers);
        AssignDeviceStreams(*servers[i].device, firstStream, i);
    }
    for (uint32_t i = 0; i < servers.size(); ++i)
    {
        servers[i].storage->AssignStreams(firstStream + STORAGE_STREAMS + i);
        AddDaemons(servers[i], network.GetAddressesOf(i % m_servers, i / m_servers).front());
        if (m_sharedExport)
        {
            servers[i].store->CreateExport(SHARED_EXPORT);
        }
    }

    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(firstStream);
    int64_t stream = firstStream + 1;
    std::vector<SharedTrees> trees(servers.size());
    std::vector<ClusterClient> clients;
    for (uint32_t i = 0; i < m_clients; ++i)
    {
        const uint32_t host = m_servers + i;
        ClusterClient client;
        const auto credential = m_credential(i);
        client.server = i % static_cast<uint32_t>(servers.size());
        client.tcp = IsOverTcp(i);
        const auto addresses = ChooseAddresses(i, network, client);
        std::vector<Address> ends;
        ends.reserve(addresses.size());
        for (const auto& address : addresses)
        {
            ends.push_back(MakeSocketAddress(address, GetPortFor(i)));
        }
        servers[client.server].gss->MapPrincipal(credential.machineName, credential);
        client.start = NanoSeconds(draw->GetInteger(0, m_startSpread.GetNanoSeconds()));
        client.stack = InstallClient(hosts.Get(host),
                                     i,
                                     ends,
                                     credential,
                                     draw->GetInteger(1, std::numeric_limits<uint32_t>::max()),
                                     1 + host * stagStride);
        AssignDeviceStreams(*client.stack.device, firstStream, host);
        Employ(i, *servers[client.server].store, trees[client.server], client);
        if (m_tcpMount)
        {
            AddMount(client,
                     credential,
                     addresses.front(),
                     draw->GetInteger(1, std::numeric_limits<uint32_t>::max()));
        }
        for (const auto& workload : client.workloads)
        {
            stream += workload->AssignStreams(stream);
        }
        clients.push_back(std::move(client));
    }
    network.AssignStreams(stream);
    return std::make_unique<Cluster>(m_servers,
                                     std::move(servers),
                                     std::move(clients),
                                     std::move(network));
}

void
ClusterHelper::InstallIpsec(const EthernetNetwork& network)
{
    auto peers = std::make_shared<IpsecPeers>();
    for (const auto host : m_ipsecHosts)
    {
        for (const auto& address : network.hostAddresses.at(host))
        {
            peers->emplace(address, host);
        }
        const auto further = network.furtherAddresses.find(host);
        for (std::size_t i = 0;
             further != network.furtherAddresses.end() && i < further->second.size();
             ++i)
        {
            for (const auto& address : further->second[i])
            {
                peers->emplace(address, host);
            }
        }
    }
    for (const auto host : m_ipsecHosts)
    {
        auto attributes =
            host < m_servers ? m_serverHelper.GetAttributes() : m_clientHelper.GetAttributes();
        if (m_hostAttributes.count(host) != 0)
        {
            ApplyHostAttributes(host, attributes);
        }
        const auto crypto = attributes.Create<InlineCrypto>();
        crypto->SetPolicy(host, peers, m_ipsecSeed);
        for (const auto& interface : network.GetInterfaces(host))
        {
            interface->SetFrameStage(crypto);
        }
    }
}

void
ClusterHelper::ApplyHostAttributes(uint32_t host, StackAttributes& attributes) const
{
    const bool isServer = host < m_servers;
    for (const auto& [target, value] : m_hostAttributes.at(host))
    {
        const auto colons = target.find("::");
        const auto className = target.substr(0, colons);
        if (isServer ? Contains(SERVER_CLASSES, className) : Contains(CLIENT_CLASSES, className))
        {
            attributes.Set(className, target.substr(colons + 2), *value);
        }
    }
}

void
ClusterHelper::InstallServers(const Ptr<Node>& node,
                              uint32_t host,
                              uint32_t firstStagIndex,
                              const EthernetNetwork& network,
                              std::vector<NfsRdmaServer>& servers) const
{
    auto own = m_serverHelper;
    if (m_hostAttributes.count(host) != 0)
    {
        ApplyHostAttributes(host, own.GetAttributes());
    }
    std::vector<std::vector<IpAddress>> addresses(m_serversPerHost);
    for (uint32_t i = 0; m_serversPerHost > 1 && i < m_serversPerHost; ++i)
    {
        addresses[i] = network.GetAddressesOf(host, i);
    }
    own.SetHostName("server-" + std::to_string(host));
    auto installed = own.InstallAll(node, firstStagIndex, addresses);
    for (uint32_t i = 0; i < m_serversPerHost; ++i)
    {
        servers[std::size_t{i} * m_servers + host] = std::move(installed[i]);
    }
}

NfsRdmaClient
ClusterHelper::InstallClient(const Ptr<Node>& node,
                             uint32_t client,
                             const std::vector<Address>& servers,
                             const AuthSysCredential& credential,
                             uint32_t firstXid,
                             uint32_t firstStagIndex) const
{
    auto own = m_clientHelper;
    own.SetTcp(IsOverTcp(client));
    const auto server = client % (m_servers * m_serversPerHost) % m_servers;
    own.SetHostNames("client-" + std::to_string(client), "server-" + std::to_string(server));
    if (m_hostAttributes.count(m_servers + client) != 0)
    {
        ApplyHostAttributes(m_servers + client, own.GetAttributes());
    }
    return own.Install(node, servers, credential, firstXid, firstStagIndex);
}

std::vector<IpAddress>
ClusterHelper::ChooseAddresses(uint32_t index,
                               const EthernetNetwork& network,
                               ClusterClient& client) const
{
    const uint32_t host = client.server % m_servers;
    const auto common = std::min(network.hostAddresses[host].size(),
                                 network.hostAddresses[m_servers + index].size());
    const uint32_t turn = index / (m_servers * m_serversPerHost);
    client.serverAddress =
        static_cast<uint32_t>(m_serverAddress == 0 ? turn % common : m_serverAddress - 1);
    auto addresses =
        network.GetAddressesFrom(host, client.server / m_servers, client.serverAddress, common);
    addresses.resize(std::min<std::size_t>(common, m_maxConnect));
    return addresses;
}

void
ClusterHelper::AddDaemons(NfsRdmaServer& server, IpAddress address)
{
    if (!m_tcpMount && !m_lockManagers)
    {
        return;
    }
    server.daemons = m_serverHelper.GetAttributes().Create<NfsDaemons>();
    server.daemons->SetHost(server.node, address);
    server.daemons->SetBound(m_serversPerHost > 1);
    server.daemons->SetHostCpu(server.cpu);
    server.daemons->SetFileStore(server.store);
    server.daemons->SetFlavors(m_mountFlavors);
    NS_ABORT_MSG_UNLESS(server.daemons->Start(), "the port of rpcbind or mountd is taken");
    for (const uint32_t version : {NFS_V3, NFS_V2})
    {
        if (version == NFS_V2 && !server.nfs2)
        {
            continue;
        }
        if (server.port != 0)
        {
            server.daemons->RegisterRdma(NFS_PROGRAM, version, server.port);
        }
        if (server.tcpPort != 0)
        {
            server.daemons->RegisterTcp(NFS_PROGRAM, version, server.tcpPort);
        }
    }
    NS_ABORT_MSG_UNLESS(!m_lockManagers || server.daemons->StartLockServer(),
                        "the port of lockd or statd is taken");
}

void
ClusterHelper::AddMount(ClusterClient& client,
                        const AuthSysCredential& credential,
                        IpAddress server,
                        uint32_t firstXid)
{
    client.nfsMount = m_clientHelper.GetAttributes().Create<NfsMount>();
    client.nfsMount->SetNode(client.stack.node);
    client.nfsMount->SetHostCpu(client.stack.cpu);
    client.nfsMount->SetServer(server);
    client.nfsMount->SetPath(MountServer::GetPath(client.exportName));
    client.nfsMount->SetAttribute("NfsPort",
                                  UintegerValue(client.tcp && !m_isTcp ? NFS_TCP_PORT : m_nfsPort));
    client.nfsMount->SetNfsVersion(m_nfsVersion);
    AuthSysCredential root;
    root.machineName = credential.machineName;
    client.nfsMount->SetCredential(root);
    client.nfsMount->SetFirstXid(firstXid);
}

void
ClusterHelper::FindExport(uint32_t index,
                          FileStore& store,
                          SharedTrees& trees,
                          ClusterClient& client) const
{
    const auto name = m_sharedTrees ? m_sharedTrees(index) : std::string();
    client.mount = std::make_shared<ClientMount>(index, client.stack.memory);
    if (!name.empty())
    {
        const auto [known, first] = trees.emplace(name, nullptr);
        if (first)
        {
            known->second = std::make_shared<SharedTree>(index);
            store.CreateExport(name);
        }
        client.exportName = name;
        client.root = *store.GetExport(name);
        client.mount->SetSharedTree(known->second);
        client.mount->SetExport(store.GetHandle(client.root), nullptr);
        client.mount->SetShared(client.mount->GetRootRef());
        return;
    }
    client.exportName = m_exportNames ? m_exportNames(index) : "export-" + std::to_string(index);
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
    client.mount->SetExport(store.GetHandle(client.root), tree);
    if (const auto shared = store.GetExport(SHARED_EXPORT); shared && m_sharedExport)
    {
        const NfsFh3 handle = store.GetHandle(*shared);
        const ByteSpan octets = handle.AsSpan();
        client.mount->SetShared({{octets.begin(), octets.end()}});
    }
}

void
ClusterHelper::Employ(uint32_t index,
                      FileStore& store,
                      SharedTrees& trees,
                      ClusterClient& client) const
{
    FindExport(index, store, trees, client);
    client.mount->nfs = client.stack.calls;
    client.mount->acl = client.stack.aclCalls;
    client.mount->files = client.stack.files;
    for (const auto& rpc : {client.stack.rpc,
                            client.stack.aclRpc,
                            client.stack.nfs2Rpc,
                            client.stack.acl2Rpc,
                            client.stack.nfs4Rpc})
    {
        if (rpc)
        {
            client.mount->calls.push_back(rpc);
        }
    }
    if (client.stack.nfs4)
    {
        DynamicCast<Nfs4FileClient>(client.stack.files)->SetExport(client.exportName);
    }
    client.mount->exportName = client.exportName;
    client.joins = m_absent.count(index) == 0;
    if (!client.joins)
    {
        return;
    }
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
